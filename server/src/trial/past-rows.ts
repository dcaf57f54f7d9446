/** Inserts past runs into the store in batches, and the state of the streams after the last completed run. */
import { randomUUID } from 'node:crypto'
import { baseBundle } from '@tributary/engine/ports/source'
import { listBundles } from '../connections/connectors/connector-licences.ts'
import type { ConnectorLocation } from '../connections/connectors/connector-settings.ts'
import type { Db } from '../kernel/store/store.ts'
import type { PastRun, RowCount } from './history.ts'

export async function insertRuns(db: Db, connector: ConnectorLocation, past: readonly PastRun[]): Promise<void> {
  const runs = past.map((run) => ({ id: randomUUID(), run }))
  for (let at = 0; at < runs.length; at += 200) await insertBatch(db, connector, runs.slice(at, at + 200))
  await insertStreams(db, connector, runs)
}

interface IdentifiedRun {
  readonly id: string
  readonly run: PastRun
}

async function insertBatch(
  db: Db,
  { organisationId, connectorId }: ConnectorLocation,
  runs: readonly IdentifiedRun[],
): Promise<void> {
  await db
    .insertInto('run')
    .values(runs.map(({ id, run }) => ({ id, organisationId, connectorId, ...runRow(run) })))
    .execute()
  const streams = runs.flatMap(({ id, run }) =>
    run.streams.map(({ rows, ...stream }, ordinal) => ({
      ...stream,
      organisationId,
      runId: id,
      ordinal,
      rowsEstimate: stream.phase === 'reading' ? rows : null,
    })),
  )
  if (streams.length > 0) await db.insertInto('runStream').values(streams).execute()
  const lines = runs.map(({ id, run: { completedAt, queuedAt, line } }) => ({
    organisationId,
    runId: id,
    at: completedAt ?? queuedAt,
    ...line,
  }))
  await db.insertInto('runLine').values(lines).execute()
  const rejected = runs.flatMap(({ id, run }) =>
    run.rejected.map(({ table, column, reason, row }) => ({
      organisationId,
      runId: id,
      tableName: table,
      columnName: column,
      reason,
      row: JSON.stringify(row),
    })),
  )
  if (rejected.length > 0) await db.insertInto('runRejected').values(rejected).execute()
  const changes = runs.flatMap(({ id: runId, run: { addedColumn, queuedAt: foundAt } }) =>
    addedColumn === undefined
      ? []
      : [{ organisationId, connectorId, runId, ...addedColumn, before: null, status: 'APPLIED' as const, foundAt }],
  )
  if (changes.length > 0) await db.insertInto('schemaChange').values(changes).execute()
  const tieOuts = runs.flatMap(({ id: runId, run: { tieOut, completedAt, queuedAt } }) =>
    tieOut === undefined
      ? []
      : [
          {
            ...tieOut,
            mended: [...tieOut.mended],
            organisationId,
            connectorId,
            runId,
            basis: 'documents' as const,
            checkedAt: completedAt ?? queuedAt,
          },
        ],
  )
  if (tieOuts.length > 0) await db.insertInto('tieOut').values(tieOuts).execute()
}

/** The streams after the last completed run. */
async function insertStreams(
  db: Db,
  { organisationId, connectorId }: ConnectorLocation,
  runs: readonly IdentifiedRun[],
): Promise<void> {
  const last = runs.findLast(({ run }) => run.status === 'COMPLETED')
  if (last === undefined) return
  const { type } = await db
    .selectFrom('connector')
    .select('type')
    .where('organisationId', '=', organisationId)
    .where('id', '=', connectorId)
    .executeTakeFirstOrThrow()
  const bundles = listBundles(type)
  const rows = last.run.streams.map(({ name, tableName, rows: count }) => ({
    organisationId,
    connectorId,
    name,
    tableName,
    licence: bundles.find(({ streams }) => streams.includes(name))?.id ?? baseBundle,
    reads: 'since' as const,
    rows: count,
    freshAt: last.run.queuedAt,
    runId: last.id,
  }))
  await db.insertInto('connectorStream').values(rows).execute()
}

function runRow({ mode, trigger, triggeredBy, status, queuedAt, completedAt, retryAt, fault, streams }: PastRun) {
  const total = (count: RowCount) => streams.reduce((sum, stream) => sum + stream[count], 0)
  return {
    mode,
    trigger,
    triggeredBy,
    status,
    queuedAt,
    completedAt,
    retryAt: retryAt ?? null,
    startedAt: new Date(queuedAt.getTime() + 900),
    attempt: 1,
    faultKind: fault?.kind ?? null,
    faultCode: fault?.code ?? null,
    notice: fault?.notice ?? null,
    remedy: fault?.remedy ?? null,
    rowsRead: total('rowsRead'),
    rowsWritten: total('rowsWritten'),
    rowsUpdated: total('rowsUpdated'),
    rowsDeleted: total('rowsDeleted'),
    rowsRejected: total('rowsRejected'),
  }
}
