/** Writes past runs into the store, many at a time. */
import { randomUUID } from 'node:crypto'
import type { Db } from '../platform/store.ts'
import type { PastRun, PastStream } from './history.ts'

export async function insertRuns(db: Db, organisationId: string, connectorId: string, past: readonly PastRun[]): Promise<void> {
  const runs = past.map((run) => ({ id: randomUUID(), run }))
  for (let at = 0; at < runs.length; at += 200) await insertBatch(db, organisationId, connectorId, runs.slice(at, at + 200))
}

type Identified = readonly { readonly id: string; readonly run: PastRun }[]

async function insertBatch(db: Db, organisationId: string, connectorId: string, runs: Identified): Promise<void> {
  await db
    .insertInto('run')
    .values(runs.map(({ id, run }) => ({ id, organisationId, connectorId, ...runRow(run) })))
    .execute()
  const streams = runs.flatMap(({ id, run }) =>
    run.streams.map((stream, ordinal) => ({ organisationId, runId: id, ordinal, ...streamRow(stream) })),
  )
  if (streams.length > 0) await db.insertInto('runStream').values(streams).execute()
  const lines = runs.flatMap(({ id, run }) => run.lines.map((line) => ({ organisationId, runId: id, at: run.completedAt, ...line })))
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
}

function runRow({ mode, trigger, triggeredBy, status, queuedAt, completedAt, fault, streams }: PastRun) {
  const total = (count: (stream: PastStream) => number) => streams.reduce((sum, stream) => sum + count(stream), 0)
  return {
    mode,
    trigger,
    triggeredBy,
    status,
    queuedAt,
    completedAt,
    startedAt: new Date(queuedAt.getTime() + 900),
    attempt: 1,
    faultKind: fault?.kind ?? null,
    faultCode: fault?.code ?? null,
    notice: fault?.notice ?? null,
    rowsRead: total(({ read }) => read),
    rowsWritten: total(({ written }) => written),
    rowsUpdated: total(({ updated }) => updated),
    rowsDeleted: total(({ deleted }) => deleted),
    rowsRejected: total(({ rejected }) => rejected),
  }
}

function streamRow({ name, table, phase, read, written, updated, deleted, rejected }: PastStream) {
  const counts = { rowsRead: read, rowsWritten: written, rowsUpdated: updated, rowsDeleted: deleted, rowsRejected: rejected }
  return { name, tableName: table, phase, rowsEstimate: null, notice: null, ...counts }
}
