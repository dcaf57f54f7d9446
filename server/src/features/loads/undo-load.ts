/** Brings back what a load replaced, as a load of its own. */
import { ApiFault } from '../../kernel/http/api-fault.ts'
import type { Db } from '../../kernel/store/store.ts'
import { compare } from './check-load.ts'
import { bringIn, type Committing } from './commit-load.ts'
import { loadEnded } from './load-ended.ts'
import { unpackRows } from './compressed-rows.ts'
import { findLoad, insertLoad, type LoadRow } from './queries.ts'
import { readRights } from './rights/read-load-rights.ts'
import { orSettled, settleLeftOver, type LoadRecoveryServices } from './recover-unfinished-loads.ts'
import { readFormer } from './slice-queries.ts'
import { sliceInWords, type SliceNames } from './slices.ts'
import { type OpenTable, withTable } from './load-table.ts'
import type { JudgedSlice } from './sheet/validate-sheet.ts'

export interface Undoing extends Omit<Committing, 'loadId'> {
  /** The load that is taken back. */
  readonly loadId: string
  readonly userId: string
  readonly source: 'portal' | 'addin'
}

/** Answers the id of the load that it makes. Throws `undoConflict` where a slice was loaded since. */
export async function undoLoad(services: LoadRecoveryServices, undoing: Undoing): Promise<string> {
  const load = { id: '' }
  await orSettled(services, { of: undoing.of, load }, () => bringBack(services, undoing, load))
  return load.id
}

/** @param begun is told the id of the load that it makes. */
async function bringBack(services: LoadRecoveryServices, undoing: Undoing, begun: { id: string }): Promise<void> {
  const { of, loadId, userId } = undoing
  const { organisationId, record } = of
  await withTable(services, of, async (table) => {
    await settleLeftOver(services, organisationId, table)
    const { undone, slices } = await services.store.within(organisationId, async (db) => {
      const found = await findLoad(db, organisationId, loadId)
      if (found?.status !== 'LOADED') throw loadEnded(found?.status)
      const kept = await readFormer(db, organisationId, loadId)
      const former = kept.map(({ sliceId, former: packed, ...names }): JudgedSlice => {
        const rows = unpackRows(packed, table.known).map((values) => ({ values, row: null }))
        return { sliceId, names, ids: null, rows }
      })
      await requireRights(db, undoing, former)
      return { undone: found, slices: former }
    })
    const coming = { own: table.known, slices }
    const compared = await compare(services, { organisationId, table, coming })
    for (const { sliceId, names } of slices) requireUntouched(compared.formerSlices.get(sliceId), { loadId, names })
    const rows = slices.reduce((sum, slice) => sum + slice.rows.length, 0)
    const plan = { ...coming, ...compared, rows, columns: [], errors: [], errorCount: 0, rounded: 0, notices: [] }
    const load = await services.store.within(organisationId, (db) => beginUndo(db, { undoing, undone, record, userId }))
    begun.id = load.id
    await bringIn(services, { ...undoing, loadId: load.id, table, load, plan })
  })
}

/** Whoever may not write a slice may not bring it back, either. */
async function requireRights(
  db: Db,
  { of: { organisationId, record }, userId }: Undoing,
  slices: readonly JudgedSlice[],
): Promise<void> {
  const rights = await readRights(db, organisationId, userId)
  if (record.kind === 'helperTable') {
    if (rights.helperTable(record.id)?.mayWrite === true) return
    throw new ApiFault('loadRefused', {
      values: { detail: `You may not write ‘${record.name}’. ${rights.advice.access}` },
    })
  }
  for (const { names } of slices) {
    const decided = rights.slice(record.id, names)
    if ('faults' in decided)
      throw new ApiFault('loadRefused', { values: { detail: Object.values(decided.faults)[0] ?? '' } })
  }
}

function requireUntouched(
  there: { readonly loadId: string; readonly by: string } | undefined,
  { loadId, names }: { readonly loadId: string; readonly names: SliceNames },
): void {
  if (there?.loadId === loadId) return
  throw new ApiFault('undoConflict', { values: { who: there?.by ?? 'Somebody', slice: sliceInWords(names) } })
}

interface Begun {
  readonly undoing: Undoing
  readonly undone: LoadRow
  readonly record: OpenTable['record']
  readonly userId: string
}

async function beginUndo(db: Db, { undoing, undone, record, userId }: Begun): Promise<LoadRow> {
  const { organisationId } = undoing.of
  const { tableName, workbook, sheet, firstRow, firstColumn, columns, id: undoes } = undone
  const of = {
    tableName,
    workbook,
    sheet,
    firstRow,
    firstColumn,
    columns,
    undoes,
    fileId: null,
    defaults: {},
    chosenTypes: [],
  }
  const id = await insertLoad(db, organisationId, { ...of, record, userId, source: undoing.source })
  const load = await findLoad(db, organisationId, id)
  if (load === undefined) throw new Error('A load that was just begun is there.')
  return load
}
