/** Maps loads to the contract's replies. */
import type { Load, LoadChange, LoadCheck, LoadSlice, LoadTargetTable } from '@tributary/contract/loads'
import type { Camel } from '@tributary/contract/wire'
import { excelTableName } from '@tributary/contract/derived-names'
import type { ValidatedLoad, MeasureTotal } from './check-load.ts'
import type { OwnColumn } from './sheet/column-values.ts'
import type { LoadRecord, LoadRow } from './queries.ts'
import type { listChanges, ReceiptRow } from './receipt-queries.ts'
import type { LoadRights } from './rights/load-rights.ts'
import { toLoadKinds } from './sheet/sheet-columns.ts'
import type { listSlices } from './slice-queries.ts'
import { tableNameOf } from './load-table.ts'
import { partTitles, sliceParts } from './slices.ts'

/** Undefined for a table that the user may not use. @param own the columns that earlier loads created */
export function toLoadTable(
  record: LoadRecord,
  rights: LoadRights,
  own: readonly OwnColumn[],
): Camel<LoadTargetTable> | undefined {
  const { id, kind, name } = record
  const excelName =
    kind === 'version' ? excelTableName.version(name) : excelTableName.helperTable(record.inputTableName)
  const named = { id, kind, name, sqlName: tableNameOf(record), excelName, columns: [...own] }
  if (kind === 'helperTable') {
    const use = rights.helperTable(id)
    return use && { ...named, mayWrite: use.mayWrite, milestones: [] }
  }
  const milestones = rights.milestonesOf(id)
  return milestones.length === 0
    ? undefined
    : { ...named, mayWrite: milestones.some(({ mayWrite }) => mayWrite), milestones: [...milestones] }
}

/** @param firstColumn first column of the headings in the sheet, from 1 */
export function toLoadCheck(plan: ValidatedLoad, { firstColumn }: Pick<LoadRow, 'firstColumn'>): Camel<LoadCheck> {
  const { rows, totals, errors, errorCount, seen, notices } = plan
  const slices = plan.slices.map(({ sliceId, names, rows: coming }): Camel<LoadSlice> => {
    const former = plan.formerSlices.get(sliceId)
    const formerRows = plan.formerRows.get(sliceId)?.length ?? 0
    return { ...names, rows: coming.length, formerRows, formerBy: former?.by ?? null, formerAtUtc: former?.at ?? null }
  })
  const columns = plan.columns.map(({ name, type, isNew, isWidened, kinds, at }) => ({
    name,
    type,
    isNew,
    isWidened,
    kinds: toLoadKinds(kinds, firstColumn + at),
  }))
  return { rows, columns, slices, totals: [...totals], errors: [...errors], errorCount, notices: [...notices], seen }
}

type SliceRow = Awaited<ReturnType<typeof listSlices>>[number]

/** @param slices may include slices of other loads */
export function toLoad(
  { versionId, helperTableId, totals, changes, ...load }: ReceiptRow,
  slices: readonly SliceRow[],
): Camel<Load> {
  const isEnded = load.status === 'LOADED' || load.status === 'UNDONE'
  const recordId = versionId ?? helperTableId
  return {
    ...load,
    kind: versionId === null && helperTableId !== null ? 'helperTable' : 'version',
    recordId,
    slices: isEnded ? slices.filter(({ loadId }) => loadId === load.id).map(toLoadSlice) : [],
    totals: isEnded ? [...(totals as readonly MeasureTotal[])] : [],
    changes: isEnded ? changes : 0,
    mayUndo: load.status === 'LOADED' && recordId !== null,
  }
}

function toLoadSlice({
  entity,
  area,
  subarea,
  milestone,
  rows,
  formerRows,
  formerBy,
  formerAt,
}: SliceRow): Camel<LoadSlice> {
  return { entity, area, subarea, milestone, rows, formerRows, formerBy, formerAtUtc: formerAt }
}

type ChangeRow = Awaited<ReturnType<typeof listChanges>>[number]

export function toLoadChange({ entity, area, subarea, milestone, ...change }: ChangeRow): Camel<LoadChange> {
  return {
    ...change,
    slice: { entity, area, subarea, milestone },
    old: change.kind === 'removed' ? describeRow(change.old) : change.old,
    new: change.kind === 'added' ? describeRow(change.new) : change.new,
  }
}

/** Formats a stored row: `Line: rent; Amount: 1200`. Omits empty cells. */
function describeRow(stored: string | null): string | null {
  if (stored === null) return null
  const values = Object.entries(JSON.parse(stored) as Record<string, string | null>)
  return values.flatMap(([column, value]) => (value === null ? [] : [`${column}: ${value}`])).join('; ')
}

export const csvHeadings = [
  'When (UTC)',
  'Who',
  'Workbook',
  'Sheet',
  'Cell',
  'Change',
  ...Object.values(partTitles),
  'Column',
  'Old',
  'New',
]

export function toCsvFields(row: ChangeRow): readonly string[] {
  const { atUtc, by, workbook, sheet, cell, kind, slice, column, old, new: now } = toLoadChange(row)
  const fields = [atUtc, by, workbook, sheet, cell, kind, ...sliceParts.map((part) => slice[part]), column, old, now]
  return fields.map((field) => field ?? '')
}
