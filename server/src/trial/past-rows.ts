/** Inserts past runs into the store in batches, and the state of the streams after the last completed run. */
import { randomUUID } from 'node:crypto'
import { baseBundle } from '@tributary/engine/ports/source'
import { listBundles } from '../connections/connectors/connector-licences.ts'
import type { Db } from '../kernel/store/store.ts'
import type { PastRun, PastStream } from './history.ts'

export async function insertRuns(
  db: Db,
  organisationId: string,
  connectorId: string,
  past: readonly PastRun[],
): Promise<void> {
  const runs = past.map((run) => ({ id: randomUUID(), run }))
  for (let at = 0; at < runs.length; at += 200)
    await insertBatch(db, organisationId, connectorId, runs.slice(at, at + 200))
  await insertStreams(db, organisationId, connectorId, runs)
}

interface IdentifiedRun {
  readonly id: string
  readonly run: PastRun
}

async function insertBatch(
  db: Db,
  organisationId: string,
  connectorId: string,
  runs: readonly IdentifiedRun[],
): Promise<void> {
  await db
    .insertInto('run')
    .values(runs.map(({ id, run }) => ({ id, organisationId, connectorId, ...runRow(run) })))
    .execute()
  const streams = runs.flatMap(({ id, run }) =>
    run.streams.map((stream, ordinal) => ({ organisationId, runId: id, ordinal, ...streamRow(stream) })),
  )
  if (streams.length > 0) await db.insertInto('runStream').values(streams).execute()
  const lines = runs.flatMap(({ id, run }) =>
    run.lines.map((line) => ({ organisationId, runId: id, at: run.completedAt ?? run.queuedAt, ...line })),
  )
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
  const changes = runs.flatMap((each) => changeRows(organisationId, connectorId, each))
  if (changes.length > 0) await db.insertInto('schemaChange').values(changes).execute()
  const tieOuts = runs.flatMap((each) => tieOutRows(organisationId, connectorId, each))
  if (tieOuts.length > 0) await db.insertInto('tieOut').values(tieOuts).execute()
}

/** The streams after the last completed run. */
async function insertStreams(
  db: Db,
  organisationId: string,
  connectorId: string,
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
  const rows = last.run.streams.map(({ name, table, rows: count }) => ({
    organisationId,
    connectorId,
    name,
    tableName: table,
    licence: bundles.find(({ streams }) => streams.includes(name))?.id ?? baseBundle,
    reads: 'since' as const,
    rows: count,
    freshAt: last.run.queuedAt,
    runId: last.id,
  }))
  await db.insertInto('connectorStream').values(rows).execute()
}

function changeRows(
  organisationId: string,
  connectorId: string,
  { id: runId, run: { addedColumn, queuedAt } }: IdentifiedRun,
) {
  if (addedColumn === undefined) return []
  const { stream, table: tableName, column: columnName, type: after } = addedColumn
  const status = 'APPLIED' as const
  return [
    {
      organisationId,
      connectorId,
      runId,
      stream,
      tableName,
      columnName,
      before: null,
      after,
      status,
      foundAt: queuedAt,
    },
  ]
}

function tieOutRows(
  organisationId: string,
  connectorId: string,
  { id: runId, run: { tieOut, completedAt, queuedAt } }: IdentifiedRun,
) {
  if (tieOut === undefined) return []
  const basis = 'documents' as const
  return [
    {
      ...tieOut,
      mended: [...tieOut.mended],
      organisationId,
      connectorId,
      runId,
      basis,
      checkedAt: completedAt ?? queuedAt,
    },
  ]
}

function runRow({ mode, trigger, triggeredBy, status, queuedAt, completedAt, retryAt, fault, streams }: PastRun) {
  const total = (count: (stream: PastStream) => number) => streams.reduce((sum, stream) => sum + count(stream), 0)
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
    rowsRead: total(({ read }) => read),
    rowsWritten: total(({ written }) => written),
    rowsUpdated: total(({ updated }) => updated),
    rowsDeleted: total(({ deleted }) => deleted),
    rowsRejected: total(({ rejected }) => rejected),
  }
}

function streamRow({ name, table, phase, rows, read, written, updated, deleted, rejected, notice }: PastStream) {
  const counts = {
    rowsRead: read,
    rowsWritten: written,
    rowsUpdated: updated,
    rowsDeleted: deleted,
    rowsRejected: rejected,
  }
  return { name, tableName: table, phase, rowsEstimate: phase === 'reading' ? rows : null, notice, ...counts }
}
