/** Keeps what is known of each stream since it was last read: how, how fresh, how many rows, what was wrong. */
import { baseBundle } from '@tributary/engine/ports/source'
import type { StreamOutcome } from '@tributary/engine/sync/sync-request'
import { sql } from 'kysely'
import type { Db } from '../../../kernel/store/store.ts'
import type { Claim } from './claim-run.ts'
import { dropAnswered } from './store-schema-changes.ts'

export interface Moved {
  readonly streams: readonly StreamOutcome[]
  /** Names of those that the source does not have any more. */
  readonly gone: readonly string[] | undefined
  /** The run has moved all there is, so that what it did not see is not moved any more. */
  readonly isWhole: boolean
}

export async function keepStreams(db: Db, claim: Claim, { streams, gone = [], isWhole }: Moved): Promise<void> {
  await tellGone(db, claim, gone)
  if (streams.length === 0) return
  const { placed = [], notPlaced = [] } = Object.groupBy(streams, ({ targetNames }) =>
    targetNames === null ? 'notPlaced' : 'placed',
  )
  await upsert(db, claim, placed, ['tableName', 'renamed'])
  await upsert(db, claim, notPlaced, [])
  await tellFaults(db, claim, streams)
  await dropAnswered(
    db,
    claim,
    streams.filter(({ freshAt }) => freshAt !== null).map(({ stream }) => stream.name),
  )
  if (isWhole) await dropOthers(db, claim, [...streams.map(({ stream }) => stream.name), ...gone])
}

/** What this try did not come to stays as it was. */
async function upsert(
  db: Db,
  { organisationId, connectorId, runId }: Claim,
  streams: readonly StreamOutcome[],
  names: readonly ('tableName' | 'renamed')[],
): Promise<void> {
  if (streams.length === 0) return
  const rows = streams.map(({ stream, freshAt, rows: count, targetNames, fault }) => ({
    organisationId,
    connectorId,
    runId,
    name: stream.name,
    tableName: targetNames?.table ?? stream.table.name,
    renamed: JSON.stringify(targetNames?.columns ?? []),
    licence: stream.bundle ?? baseBundle,
    reads: stream.reads,
    why: stream.wholeReason ?? null,
    rows: count,
    freshAt,
    fault: fault?.notice ?? null,
  }))
  await db
    .insertInto('connectorStream')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['connectorId', 'name']).doUpdateSet((row) => ({
        ...Object.fromEntries(names.map((name) => [name, row.ref(`excluded.${name}`)])),
        licence: row.ref('excluded.licence'),
        reads: row.ref('excluded.reads'),
        why: row.ref('excluded.why'),
        rows: sql`coalesce(excluded.rows, connectorStream.rows)`,
        freshAt: sql`coalesce(excluded.freshAt, connectorStream.freshAt)`,
        runId: row.ref('excluded.runId'),
        fault: sql`CASE WHEN excluded.freshAt IS NULL THEN coalesce(excluded.fault, connectorStream.fault) ELSE excluded.fault END`,
      })),
    )
    .execute()
}

/** Beside its figures each stream of the run says why it failed. */
async function tellFaults(db: Db, { organisationId, runId }: Claim, streams: readonly StreamOutcome[]): Promise<void> {
  for (const { stream, fault } of streams) {
    if (fault === null) continue
    await db
      .updateTable('runStream')
      .set({ notice: fault.notice })
      .where('organisationId', '=', organisationId)
      .where('runId', '=', runId)
      .where('name', '=', stream.name)
      .execute()
  }
}

/** Their rows are in the target still, so they stay in the list, with what has become of them. */
async function tellGone(db: Db, { organisationId, connectorId }: Claim, names: readonly string[]): Promise<void> {
  if (names.length === 0) return
  await db
    .updateTable('connectorStream')
    .set({ fault: 'It is gone from the source: dropped, or renamed. Its rows stay as they were.' })
    .where('organisationId', '=', organisationId)
    .where('connectorId', '=', connectorId)
    .where('name', 'in', names)
    .execute()
}

async function dropOthers(db: Db, { organisationId, connectorId }: Claim, names: readonly string[]): Promise<void> {
  await db
    .deleteFrom('connectorStream')
    .where('organisationId', '=', organisationId)
    .where('connectorId', '=', connectorId)
    .where('name', 'not in', names)
    .execute()
}
