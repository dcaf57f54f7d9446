/** Undoes a load: restores the rows that it replaced, as a new load. */
import { ApiFault, detailedFault } from '../../kernel/http/api-fault.ts'
import type { Db } from '../../kernel/store/store.ts'
import { compareWithTable } from './check-load.ts'
import { writeLoad, type CommitRequest } from './commit-load.ts'
import { loadEnded } from './load-faults.ts'
import { decompressRows } from './compressed-rows.ts'
import { findLoad, insertLoad, type LoadRow } from './queries.ts'
import { readRights } from './rights/read-load-rights.ts'
import { withRecovery, recoverUnfinishedLoads, type LoadRecoveryServices } from './recover-unfinished-loads.ts'
import { readReplacedSlices } from './slice-queries.ts'
import { describeSlice, type SliceNames } from './slices.ts'
import { withLockedTable } from './load-table.ts'
import type { ValidatedSlice } from './sheet/validate-sheet.ts'

export interface UndoRequest extends Omit<CommitRequest, 'loadId'> {
  /** The load to undo. */
  readonly loadId: string
  readonly userId: string
  readonly source: 'portal' | 'addin'
}

/** Returns the id of the new load. Throws `undoConflict` if a slice was loaded since. */
export async function undoLoad(services: LoadRecoveryServices, request: UndoRequest): Promise<string> {
  const load = { id: '' }
  await withRecovery(services, { of: request.of, load }, () => restoreFormerRows(services, request, load))
  return load.id
}

/** @param started receives the id of the new load, for recovery */
async function restoreFormerRows(
  services: LoadRecoveryServices,
  request: UndoRequest,
  started: { id: string },
): Promise<void> {
  const { of, loadId } = request
  const { organisationId } = of
  await withLockedTable(services, of, async (table) => {
    await recoverUnfinishedLoads(services, organisationId, table)
    const { undone, slices } = await services.store.within(organisationId, async (db) => {
      const found = await findLoad(db, organisationId, loadId)
      if (found?.status !== 'LOADED') throw loadEnded(found?.status)
      const kept = await readReplacedSlices(db, organisationId, loadId)
      const former = kept.map(({ sliceId, former: packed, ...names }): ValidatedSlice => {
        const rows = decompressRows(packed, table.known).map((values) => ({ values, row: null }))
        return { sliceId, names, ids: null, rows }
      })
      await requireRights(db, request, former)
      return { undone: found, slices: former }
    })
    const coming = { own: table.known, slices }
    const compared = await compareWithTable(services, { organisationId, table, coming })
    for (const { sliceId, names } of slices)
      requireUnchangedSlice(compared.formerSlices.get(sliceId), { loadId, names })
    const rows = slices.reduce((sum, slice) => sum + slice.rows.length, 0)
    const plan = { ...coming, ...compared, rows, columns: [], errors: [], errorCount: 0, rounded: 0, notices: [] }
    const load = await services.store.within(organisationId, (db) => beginUndo(db, { request, undone }))
    started.id = load.id
    await writeLoad(services, { ...request, loadId: load.id, table, load, plan })
  })
}

/** An undo needs the same rights as a load of the slices. */
async function requireRights(
  db: Db,
  { of: { organisationId, record }, userId }: UndoRequest,
  slices: readonly ValidatedSlice[],
): Promise<void> {
  const rights = await readRights(db, organisationId, userId)
  if (record.kind === 'helperTable') {
    if (rights.helperTable(record.id)?.mayWrite === true) return
    throw detailedFault('loadRefused', `You may not write ‘${record.name}’. ${rights.advice.access}`)
  }
  for (const { names } of slices) {
    const allowed = rights.slice(record.id, names)
    if ('faults' in allowed) throw detailedFault('loadRefused', Object.values(allowed.faults)[0] ?? '')
  }
}

function requireUnchangedSlice(
  there: { readonly loadId: string; readonly by: string } | undefined,
  { loadId, names }: { readonly loadId: string; readonly names: SliceNames },
): void {
  if (there?.loadId === loadId) return
  throw new ApiFault('undoConflict', { values: { who: there?.by ?? 'Another user', slice: describeSlice(names) } })
}

interface UndoLoadInput {
  readonly request: UndoRequest
  readonly undone: LoadRow
}

function beginUndo(db: Db, { request: { of, userId, source }, undone }: UndoLoadInput): Promise<LoadRow> {
  const { tableName, workbook, sheet, firstRow, firstColumn, columns, id: undoes } = undone
  const where = { tableName, workbook, sheet, firstRow, firstColumn, columns, fileId: null, chosenTypes: [] }
  return insertLoad(db, of.organisationId, { ...where, record: of.record, userId, source, defaults: {}, undoes })
}
