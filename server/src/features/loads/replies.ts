/** Loads as the contract tells them. */
import type { Load, LoadChange, LoadCheck, LoadSlice, LoadTargetTable } from '@tributary/contract/loads'
import type { Camel } from '@tributary/contract/wire'
import { excelTableName } from '@tributary/contract/derived-names'
import type { Plan, Total } from './check-load.ts'
import type { OwnColumn } from './sheet/column-values.ts'
import type { LoadRecord, LoadRow } from './queries.ts'
import type { listChanges, ReceiptRow } from './receipt-queries.ts'
import type { LoadRights } from './rights/load-rights.ts'
import { shownKinds } from './sheet/sheet-columns.ts'
import type { listSlices } from './slice-queries.ts'
import { tableNameOf } from './load-table.ts'

/** Undefined for a table that the person may not use. `own` are the columns that earlier loads gave it. */
export function shownTable(
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

/** @param firstColumn of the sheet's headings, from 1. */
export function shownCheck(plan: Plan, { firstColumn }: Pick<LoadRow, 'firstColumn'>): Camel<LoadCheck> {
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
    kinds: shownKinds(kinds, firstColumn + at),
  }))
  return { rows, columns, slices, totals: [...totals], errors: [...errors], errorCount, notices: [...notices], seen }
}

type SliceRow = Awaited<ReturnType<typeof listSlices>>[number]

/** @param slices of this load, or of others, too. */
export function shownLoad(load: ReceiptRow, slices: readonly SliceRow[]): Camel<Load> {
  const isEnded = load.status === 'LOADED' || load.status === 'UNDONE'
  return {
    id: load.id,
    status: load.status,
    kind: load.versionId === null && load.helperTableId !== null ? 'helperTable' : 'version',
    recordId: load.versionId ?? load.helperTableId,
    recordName: load.recordName,
    tableName: load.tableName,
    workbook: load.workbook,
    sheet: load.sheet,
    source: load.source,
    by: load.by,
    beganAtUtc: load.beganAt,
    committedAtUtc: load.committedAt,
    rows: load.rows,
    rowsBefore: load.rowsBefore,
    slices: isEnded ? slices.filter(({ loadId }) => loadId === load.id).map(shownSlice) : [],
    totals: isEnded ? [...(load.totals as readonly Total[])] : [],
    changes: isEnded ? load.changes : 0,
    undoes: load.undoes,
    undoneBy: load.undoneBy,
    mayUndo: load.status === 'LOADED' && (load.versionId ?? load.helperTableId) !== null,
  }
}

function shownSlice({
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

export function shownChange(row: ChangeRow): Camel<LoadChange> {
  const { entity, area, subarea, milestone, committedAt, by, workbook, sheet, cell, kind, columnName, old } = row
  return {
    atUtc: committedAt ?? '',
    by,
    workbook,
    sheet,
    cell,
    kind,
    slice: { entity, area, subarea, milestone },
    column: columnName,
    old: kind === 'removed' ? rowInWords(old) : old,
    new: kind === 'added' ? rowInWords(row.new) : row.new,
  }
}

/** A row as it is stored, in words: `Line: rent; Amount: 1200`. Empty cells are left out. */
function rowInWords(stored: string | null): string | null {
  if (stored === null) return null
  const values = Object.entries(JSON.parse(stored) as Record<string, string | null>)
  return values.flatMap(([column, value]) => (value === null ? [] : [`${column}: ${value}`])).join('; ')
}

export const changeHeadings = [
  'When (UTC)',
  'Who',
  'Workbook',
  'Sheet',
  'Cell',
  'Change',
  'Entity',
  'Area',
  'Subarea',
  'Milestone',
  'Column',
  'Old',
  'New',
]

export function changeFields(row: ChangeRow): readonly string[] {
  const { atUtc, by, workbook, sheet, cell, kind, slice, column, old, new: now } = shownChange(row)
  const { entity, area, subarea, milestone } = slice
  return [
    atUtc,
    by,
    workbook,
    sheet,
    cell ?? '',
    kind,
    entity,
    area,
    subarea,
    milestone,
    column ?? '',
    old ?? '',
    now ?? '',
  ]
}
