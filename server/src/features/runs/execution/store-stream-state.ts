/** Stores the state of each stream after a run: names, read method, freshness, row count and fault. */
import { baseBundle } from '@tributary/engine/ports/source'
import type { StreamOutcome } from '@tributary/engine/sync/sync-request'
import { sql } from 'kysely'
import { toStoredStructure } from '../../../access/dictionary/stored-structure.ts'
import { excluded } from '../../../kernel/store/excluded.ts'
import type { Db } from '../../../kernel/store/store.ts'
import type { RunClaim } from '../claiming/claim-run.ts'
import { deleteResolvedChanges } from './store-schema-changes.ts'

export interface SyncedStreams {
  readonly streams: readonly StreamOutcome[]
  /** Names of streams that the source no longer has. */
  readonly gone: readonly string[] | undefined
  /** The run covered all streams, so a stream that is not in it is no longer moved. */
  readonly isWhole: boolean
}

export async function storeStreamState(
  db: Db,
  claim: RunClaim,
  { streams, gone = [], isWhole }: SyncedStreams,
): Promise<void> {
  await markDroppedStreams(db, claim, gone)
  if (streams.length === 0) return
  const { placed = [], notPlaced = [] } = Object.groupBy(streams, ({ targetNames }) =>
    targetNames === null ? 'notPlaced' : 'placed',
  )
  await upsertStreamState(db, claim, placed, ['tableName', 'renamed', 'structure', 'sizes', 'keepsHistory'])
  await upsertStreamState(db, claim, notPlaced, [])
  await storeStreamFaults(db, claim, streams)
  await deleteResolvedChanges(
    db,
    claim,
    streams.filter(({ freshAt }) => freshAt !== null).map(({ stream }) => stream.name),
  )
  if (isWhole) await deleteOtherStreams(db, claim, [...streams.map(({ stream }) => stream.name), ...gone])
}

/** Keeps the stored values of streams that this attempt did not reach. */
async function upsertStreamState(
  db: Db,
  { organisationId, connectorId, runId }: RunClaim,
  streams: readonly StreamOutcome[],
  names: readonly ('tableName' | 'renamed' | 'structure' | 'sizes' | 'keepsHistory')[],
): Promise<void> {
  if (streams.length === 0) return
  const rows = streams.map(({ stream, freshAt, rows: count, targetNames, fault }) => ({
    organisationId,
    connectorId,
    runId,
    name: stream.name,
    ...storedNames(stream, targetNames),
    licence: stream.bundle ?? baseBundle,
    reads: stream.reads,
    why: stream.wholeReason ?? stream.readingNote ?? null,
    rows: count,
    freshAt,
    fault: fault?.notice ?? null,
  }))
  await db
    .insertInto('connectorStream')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['connectorId', 'name']).doUpdateSet({
        ...excluded([...names, 'licence', 'reads', 'why', 'runId']),
        // One that has ended remains in the target.
        histories: sql`CASE WHEN excluded.keepsHistory THEN excluded.histories ELSE connectorStream.histories END`,
        rows: sql`coalesce(excluded.rows, connectorStream.rows)`,
        freshAt: sql`coalesce(excluded.freshAt, connectorStream.freshAt)`,
        fault: sql`CASE WHEN excluded.freshAt IS NULL THEN coalesce(excluded.fault, connectorStream.fault) ELSE excluded.fault END`,
      }),
    )
    .execute()
}

function storedNames({ table: { name } }: StreamOutcome['stream'], names: StreamOutcome['targetNames']) {
  const none = { table: name, columns: [], tables: [], histories: [], sizes: [] }
  const { table, columns, tables, histories, sizes } = names ?? none
  return {
    tableName: table,
    renamed: JSON.stringify(columns),
    structure: JSON.stringify(toStoredStructure(tables)),
    histories: JSON.stringify(histories),
    sizes: JSON.stringify(sizes),
    keepsHistory: histories.length > 0,
  }
}

/** Stores why each failed stream of the run failed, next to its row counts. */
async function storeStreamFaults(
  db: Db,
  { organisationId, runId }: RunClaim,
  streams: readonly StreamOutcome[],
): Promise<void> {
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

/** Dropped streams stay in the list, because their rows remain in the target. */
async function markDroppedStreams(
  db: Db,
  { organisationId, connectorId }: RunClaim,
  names: readonly string[],
): Promise<void> {
  if (names.length === 0) return
  await db
    .updateTable('connectorStream')
    .set({
      fault: 'The source no longer has this table: it was dropped or renamed. Its rows remain unchanged in the target.',
    })
    .where('organisationId', '=', organisationId)
    .where('connectorId', '=', connectorId)
    .where('name', 'in', names)
    .execute()
}

async function deleteOtherStreams(
  db: Db,
  { organisationId, connectorId }: RunClaim,
  names: readonly string[],
): Promise<void> {
  await db
    .deleteFrom('connectorStream')
    .where('organisationId', '=', organisationId)
    .where('connectorId', '=', connectorId)
    .where('name', 'not in', names)
    .execute()
}
