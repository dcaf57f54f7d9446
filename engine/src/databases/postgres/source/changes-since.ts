/**
 * Finds changes by transaction ID. A checkpoint is the oldest transaction that was still running when the snapshot of a read was taken: that
 * read saw everything older, and the next one reads everything else, so a transaction that commits late is never lost. Deleted rows leave no
 * trace; the key comparison finds them.
 */
import type pg from 'pg'
import type { Checkpoint } from '../../../ports/model.ts'
import type { SourceRelation } from './discover.ts'

/** Transaction IDs in rows have 32 bits and wrap around: a comparison reaches back not quite half of them. */
const reachBack = 2_000_000_000n

export interface PostgresSnapshot {
  /** The oldest running transaction, and the next one, in 64 bits. */
  readonly oldest: string
  readonly next: string
  /** The server and its timeline: a restored or promoted copy may give the same numbers to other transactions. */
  readonly server: string
}

/** Takes the snapshot of this transaction, which must be REPEATABLE READ, and returns its position. */
export async function takeSnapshot(client: pg.Client): Promise<PostgresSnapshot> {
  const taken = await client.query<{ oldest: string; next: string }>(
    `SELECT txid_snapshot_xmin(txid_current_snapshot())::text AS oldest, txid_snapshot_xmax(txid_current_snapshot())::text AS next`,
  )
  const { oldest = '0', next = '0' } = taken.rows[0] ?? {}
  return { oldest, next, server: await serverIdentity(client) }
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
  return { transaction: moment.oldest, server: moment.server, relation: relation.identity }
}

/** The condition for rows written since a checkpoint; null where everything must be read. */
export function changedSince(
  relation: SourceRelation,
  since: Checkpoint | null,
  moment: PostgresSnapshot,
): string | null {
  if (since === null || since['server'] !== moment.server || since['relation'] !== relation.identity) return null
  const from =
    typeof since['transaction'] === 'string' && /^\d+$/.test(since['transaction']) ? BigInt(since['transaction']) : null
  const next = BigInt(moment.next)
  if (from === null || from > next || next - from >= reachBack) return null
  // `age` counts back from the next transaction ID, which does not change within a transaction.
  const oldest = BigInt.asUintN(32, from)
  return `age(xmin) BETWEEN 0 AND age('${oldest}'::xid)`
}
