/** Validates a load as a whole and compares it with the rows in its table. */
import type { AppServices } from '../../app-services.ts'
import type { ColumnValue } from './sheet/column-values.ts'
import { decimalSize, sumOf } from './sheet/exact-decimals.ts'
import { createFirstColumnReader, readLists } from './sheet/value-lists.ts'
import { type LoadRow, readRows } from './queries.ts'
import { isMeasure } from './sheet/measure-columns.ts'
import { findLoaderNames } from './receipt-queries.ts'
import { listKnownSlices } from './slice-queries.ts'
import { readRights } from './rights/read-load-rights.ts'
import { type ChosenTypes, choiceNotices } from './sheet/sheet-columns.ts'
import { hashSeenSlices } from './slices.ts'
import { type LoadedSlice, readSlices, readTableRows } from './load-table-rows.ts'
import type { OpenTable, LoadTableReference, LoadTableServices } from './load-table.ts'
import { validateSheet, type SheetValidation, type Sheet } from './sheet/validate-sheet.ts'
import { fileExpiredFault } from './load-faults.ts'

export interface ValidatedLoad extends SheetValidation {
  readonly formerSlices: ReadonlyMap<string, LoadedSlice>
  readonly formerRows: ReadonlyMap<string, readonly (readonly ColumnValue[])[]>
  readonly totals: readonly MeasureTotal[]
  readonly seen: string
  /** Warnings that do not prevent the load. */
  readonly notices: readonly string[]
}

function roundedNotice(rounded: number): readonly string[] {
  if (rounded === 0) return []
  const numbers = rounded === 1 ? 'One number has' : `${rounded.toLocaleString('en-GB')} numbers have`
  return [
    `${numbers} more than ${decimalSize.scale} digits after the point, as calculations leave them. They are rounded there.`,
  ]
}

export interface MeasureTotal {
  readonly column: string
  readonly before: string
  readonly after: string
}

export async function planLoad(
  services: LoadTableServices,
  { of, table, load }: { readonly of: LoadTableReference; readonly table: OpenTable; readonly load: LoadRow },
): Promise<ValidatedLoad> {
  const { lists, notices } = await readLists(services, {
    of,
    columns: load.columns,
    readFirstColumn: createFirstColumnReader(services, of, table),
  })
  const { organisationId, record } = of
  const { rows, knownSlices, rights } = await services.store.within(organisationId, async (db) => ({
    rows: await readRows(db, organisationId, load),
    knownSlices: await listKnownSlices(db, organisationId, record.id),
    // Read last, so that a lock or a permission that has just been removed counts.
    rights: await readRights(db, organisationId, load.userId),
  }))
  if (load.fileId !== null && rows.length === 0) throw fileExpiredFault()
  const { columns, firstRow, firstColumn } = load
  const chosen = load.chosenTypes as ChosenTypes
  const sheet = { columns, rows, firstRow, firstColumn, chosen, defaults: load.defaults as Sheet['defaults'] }
  const judgement = validateSheet(sheet, {
    recordId: record.id,
    kind: record.kind,
    rights,
    known: table.known,
    knownSlices,
    lists,
  })
  const compared = await compareWithTable(services, { organisationId, table, coming: judgement })
  return {
    ...judgement,
    ...compared,
    notices: [...notices, ...choiceNotices(judgement.columns, chosen), ...roundedNotice(judgement.rounded)],
  }
}

type TableComparison = Omit<ValidatedLoad, keyof SheetValidation | 'notices'>

interface ComparisonRequest {
  readonly organisationId: string
  readonly table: OpenTable
  /** Rows with values in the order of `own`, by slice. */
  readonly coming: Pick<SheetValidation, 'own' | 'slices'>
}

export async function compareWithTable(
  { store }: Pick<AppServices, 'store'>,
  { organisationId, table, coming: { own, slices } }: ComparisonRequest,
): Promise<TableComparison> {
  const ids = slices.map(({ sliceId }) => sliceId)
  const there = await readSlices(table, ids)
  const names = await store.within(organisationId, (db) =>
    findLoaderNames(
      db,
      organisationId,
      [...there.values()].map(({ loadId }) => loadId),
    ),
  )
  // The table stores email addresses, for reports; the portal shows names.
  const formerSlices = new Map(
    [...there].map(([id, slice]) => [id, { ...slice, by: names.get(slice.loadId) ?? describeUnknownLoader(slice.by) }]),
  )
  const formerRows = await readTableRows(table, ids)
  const totals = own.flatMap(({ name, type }, at): readonly MeasureTotal[] => {
    if (type !== 'number' || !isMeasure(name)) return []
    const before = formerRows.values().flatMap((rows) => rows.map((values) => values[at] ?? null))
    const after = slices.values().flatMap(({ rows }) => rows.map(({ values }) => values[at] ?? null))
    return [{ column: name, before: sumOf(before), after: sumOf(after) }]
  })
  const seen = hashSeenSlices(ids.map((sliceId) => ({ sliceId, loadId: formerSlices.get(sliceId)?.loadId ?? null })))
  return { formerSlices, formerRows, totals, seen }
}

/**
 * A load that is newer than the backup the portal was restored from: its rows are in the table, but its receipt is
 * lost.
 */
function describeUnknownLoader(by: string): string {
  return `${by} (in a load whose receipt was lost when the portal was restored from a backup)`
}
