/**
 * Finds changes by transaction ID. A checkpoint is the oldest transaction that was still running when the snapshot of a read was taken: that
 * read saw everything older, and the next one reads everything else, so a transaction that commits late is never lost. Deleted rows leave no
 * trace; the key comparison finds them.
 */
import type pg from 'pg'
import type { Checkpoint } from '../../../ports/model.ts'
import type { NewerRows } from '../../../ports/verified-table.ts'
import type { SourceRelation } from './discover.ts'

/** Transaction IDs in rows have 32 bits and wrap around: a comparison reaches back not quite half of them. */
const reachBack = 2_000_000_000n

export interface PostgresSnapshot {
  /** The oldest running transaction, and the next one, in 64 bits. */
  readonly oldest: string
  readonly next: string
  /** Every running transaction, without its subtransactions, separated by commas; null on a standby, which does not know them. */
  readonly running: string | null
  /** The server and its timeline: a restored or promoted copy may give the same numbers to other transactions. */
  readonly server: string
}

/** Takes the snapshot of this transaction, which must be REPEATABLE READ, and returns its position. */
export async function takeSnapshot(client: pg.Client): Promise<PostgresSnapshot> {
  const taken = await client.query<{ oldest: string; next: string; running: string | null }>(
    `SELECT txid_snapshot_xmin(taken)::text AS oldest, txid_snapshot_xmax(taken)::text AS next, CASE WHEN NOT pg_is_in_recovery()
       THEN array_to_string(ARRAY(SELECT txid_snapshot_xip(taken)), ',') END AS running
     FROM txid_current_snapshot() AS taken`,
  )
  const { oldest = '0', next = '0', running = null } = taken.rows[0] ?? {}
  return { oldest, next, running, server: await serverIdentity(client) }
}

async function serverIdentity(client: pg.Client): Promise<string> {
  const allowed = await client.query<{ may: boolean }>(
    `SELECT has_function_privilege('pg_control_system()', 'EXECUTE') AND has_function_privilege('pg_control_checkpoint()', 'EXECUTE') AS may`,
  )
  if (allowed.rows[0]?.may !== true) return ''
  const identity = await client.query<{ server: string }>(
    `SELECT concat_ws(':', (pg_control_system()).system_identifier, (pg_control_checkpoint()).timeline_id) AS server`,
  )
  return identity.rows[0]?.server ?? ''
}

export function checkpointOf(relation: SourceRelation, moment: PostgresSnapshot): Checkpoint {
  const { oldest, next, running, server } = moment
  return { transaction: oldest, next, running, server, relation: relation.identity }
}

/** The condition for rows written since a checkpoint; null where everything must be read. */
export function changedSince(
  relation: SourceRelation,
  since: Checkpoint | null,
  moment: PostgresSnapshot,
): string | null {
  if (since === null || since['server'] !== moment.server || since['relation'] !== relation.identity) return null
  const from = transactionId(since['transaction'])
  const next = BigInt(moment.next)
  if (from === null || from > next || next - from >= reachBack) return null
  return writtenSince(from)
}

/** `age` counts back from the next transaction ID, which does not change within a transaction. */
function writtenSince(transaction: bigint): string {
  return `age(xmin) BETWEEN 0 AND age('${BigInt.asUintN(32, transaction)}'::xid)`
}

function transactionId(id: Checkpoint[string] | undefined): bigint | null {
  return typeof id === 'string' && /^\d+$/.test(id) ? BigInt(id) : null
}

/**
 * Which rows the read of the checkpoint has not seen: those of transactions that began later or were running then. Rows of a transaction
 * between them may be those of a subtransaction, whose number does not show the transaction that it belonged to. As long as that one is
 * running its rows are invisible, so only rows since the oldest transaction that was running then and has ended since are undecided.
 */
export function writtenAfter(relation: SourceRelation, since: Checkpoint | null, moment: PostgresSnapshot): NewerRows {
  const delivered = changedSince(relation, since, moment)
  if (since === null || delivered === null) return { isNewer: null }
  const next = transactionId(since['next'])
  // A checkpoint of an older version.
  if (next === null) return { isNewer: 'false', mayBeNewer: delivered }
  const ended = endedSince(since['running'], moment.running)
  if (ended === null) return { isNewer: writtenSince(next), mayBeNewer: delivered }
  const [first = next] = ended
  const written = ended.map((id) => `xmin = '${BigInt.asUintN(32, id)}'::xid`)
  return { isNewer: [writtenSince(next), ...written].join(' OR '), mayBeNewer: writtenSince(first) }
}

/** Transactions that were running at the checkpoint and are not any more, the oldest first; null if unknown. */
function endedSince(then: Checkpoint[string] | undefined, now: string | null): readonly bigint[] | null {
  if (typeof then !== 'string' || !/^[\d,]*$/.test(then) || now === null) return null
  const running = new Set(now.split(','))
  return then
    .split(',')
    .filter((id) => id !== '' && !running.has(id))
    .map(BigInt)
    .toSorted((left, right) => (left < right ? -1 : 1))
}
