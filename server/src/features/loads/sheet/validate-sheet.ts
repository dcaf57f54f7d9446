/** Validates a sheet as a whole: the slices and rows that it would load, and every invalid cell. Pure. */
import { kindOf } from '@tributary/contract/column-kinds'
import type { SheetCell } from '@tributary/contract/cells'
import { plainName } from '@tributary/contract/sheet-headings'
import { cellAddress } from '../../../planning/sheet-files/sheet.ts'
import type { AllowedValues } from './allowed-values.ts'
import { type OwnColumn, type ColumnValue, parseCell } from './column-values.ts'
import { isRounded } from './exact-decimals.ts'
import type { SheetRow } from './cell-differences.ts'
import { type MatchedHeadings, missingParts, matchHeadings } from './match-headings.ts'
import type { LoadRights } from '../rights/load-rights.ts'
import { type ChosenTypes, type SheetColumn, formatCell, inferColumnTypes } from './sheet-columns.ts'
import {
  type KnownSlice,
  createSliceIdResolver,
  computeSliceId,
  type SliceIds,
  type SliceNames,
  type SlicePart,
  sliceParts,
  wholeTable,
} from '../slices.ts'

export interface Sheet {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly SheetCell[])[]
  /** Row of the headings, from 1. */
  readonly firstRow: number
  readonly firstColumn: number
  readonly defaults: Partial<Record<SlicePart, string>>
  readonly chosen: ChosenTypes
}

export interface ValidationContext {
  readonly recordId: string
  readonly kind: 'version' | 'helperTable'
  readonly rights: LoadRights
  /** The existing own columns of the table. */
  readonly known: readonly OwnColumn[]
  /** Slices that were loaded before. */
  readonly knownSlices: readonly KnownSlice[]
  /** Allowed values by plain column name. */
  readonly lists: ReadonlyMap<string, AllowedValues>
}

interface CellError {
  readonly cell: string | null
  readonly column: string | null
  readonly value: string | null
  readonly message: string
}

export interface ValidatedSlice {
  readonly sliceId: string
  readonly names: SliceNames
  /** Null for a helper table. */
  readonly ids: SliceIds | null
  /** Values are in the order of `own`. */
  readonly rows: SheetRow[]
}

export interface SheetValidation {
  /** Sheet columns that go into the table. */
  readonly columns: readonly SheetColumn[]
  /** All own columns of the table after the load. */
  readonly own: readonly OwnColumn[]
  readonly rows: number
  readonly slices: readonly ValidatedSlice[]
  readonly errors: readonly CellError[]
  readonly errorCount: number
  /** Count of numbers with more fraction digits than the table stores. */
  readonly rounded: number
}

/** Errors that are returned in detail; the others are only counted. */
const errorsMax = 1_000

export function validateSheet(sheet: Sheet, context: ValidationContext): SheetValidation {
  const errors = new ErrorCollector(sheet)
  const headings = matchHeadings({
    columns: sheet.columns,
    kind: context.kind,
    known: context.known.map(({ name }) => name),
    isEmpty: (at) => sheet.rows.every((row) => kindOf(row[at] ?? null) === null),
  })
  for (const { at, message } of headings.faults) errors.addAtHeading(at, message)
  if (context.kind === 'helperTable' && context.rights.helperTable(context.recordId)?.mayWrite !== true)
    errors.addForSheet(`This helper table is locked, archived or not yours to write. ${context.rights.advice.access}`)
  if (context.kind === 'version')
    for (const message of missingParts(headings, sheet.defaults)) errors.addForSheet(message)
  const columns = inferColumnTypes({ ...sheet, firstRow: sheet.firstRow + 1, headings, known: context.known })
  const own = mergeColumns(context.known, columns)
  const slices = new Map<string, ValidatedSlice>()
  const sliceOf = createSliceResolver(sheet, headings, { context, errors })
  const valuesOf = createRowReader({ columns, own, context, errors })
  let rows = 0
  for (const [index, cells] of sheet.rows.entries()) {
    if (!cells.some((cell) => kindOf(cell) !== null)) continue
    rows++
    errors.checkBeyondHeadings(index, cells)
    const values = valuesOf(index, cells)
    const slice = sliceOf(index, cells)
    if (slice === undefined) continue
    const found = slices.get(slice.sliceId) ?? { ...slice, rows: [] }
    slices.set(slice.sliceId, found)
    found.rows.push({ values, row: errors.rowOf(index) })
  }
  if (rows === 0) errors.addForSheet('The sheet has no rows below its heading. There is nothing to load.')
  return {
    columns,
    own,
    rows,
    slices: [...slices.values()],
    errors: errors.reported,
    errorCount: errors.count,
    rounded: countRounded(sheet, columns),
  }
}

/** Keeps columns that are not in the sheet; its rows are empty there. */
function mergeColumns(known: readonly OwnColumn[], columns: readonly SheetColumn[]): readonly OwnColumn[] {
  const after = known.map((column) => columns.find(({ name }) => name === column.name) ?? column)
  return [...after, ...columns.filter(({ isNew }) => isNew)].map(({ name, type }) => ({ name, type }))
}

interface RowReaderInput {
  readonly columns: readonly SheetColumn[]
  readonly own: readonly OwnColumn[]
  readonly context: ValidationContext
  readonly errors: ErrorCollector
}

function createRowReader({
  columns,
  own,
  context,
  errors,
}: RowReaderInput): (index: number, cells: readonly SheetCell[]) => readonly ColumnValue[] {
  const fields = own.map(({ name, type }) => {
    const column = columns.find((each) => each.name === name)
    return { type, at: column?.at, origin: column?.origin, list: context.lists.get(plainName(name)) }
  })
  return (index, cells) =>
    fields.map(({ type, at, origin, list }) => {
      if (at === undefined) return null
      const parsed = parseCell(cells[at] ?? null, type, origin)
      if ('fault' in parsed) errors.add({ index, at, cells, message: parsed.fault })
      else if (parsed.value === null || list === undefined || list.values.has(plainName(parsed.value)))
        return parsed.value
      else
        errors.add({
          index,
          at,
          cells,
          message: `The value is not in ${list.title}. Choose a value from it, or add the value there first.`,
        })
      return null
    })
}

function countRounded({ rows }: Sheet, columns: readonly SheetColumn[]): number {
  const numbers = columns.filter(({ type }) => type === 'number')
  const isOne = (cell: SheetCell | undefined) =>
    typeof cell === 'object' && cell !== null && 'n' in cell && isRounded(cell.n)
  return rows.reduce((sum, row) => sum + numbers.filter(({ at }) => isOne(row[at])).length, 0)
}

type ResolvedSlice = Pick<ValidatedSlice, 'sliceId' | 'names' | 'ids'>

/** Resolves each combination of names once (memoised) and reports its faults at each of its cells. */
function createSliceResolver(
  { defaults }: Sheet,
  { parts }: MatchedHeadings,
  { context, errors }: Pick<RowReaderInput, 'context' | 'errors'>,
) {
  const resolved = new Map<string, ResolvedSlice | { readonly faults: Partial<Record<SlicePart, string>> }>()
  const idOf = createSliceIdResolver(context.recordId, context.knownSlices)
  const resolve = (names: SliceNames) => {
    if (context.kind === 'helperTable')
      return { names: wholeTable, ids: null, sliceId: computeSliceId(context.recordId, wholeTable) }
    const allowed = context.rights.slice(context.recordId, names)
    return 'faults' in allowed ? allowed : { ...allowed, sliceId: idOf(allowed) }
  }
  const reported = new Set<string>()
  return (index: number, cells: readonly SheetCell[]): ResolvedSlice | undefined => {
    const written = sliceParts.map((part): [SlicePart, string] => {
      const at = parts.get(part)
      return [part, at === undefined ? (defaults[part] ?? '') : textOf(cells[at] ?? null)]
    })
    const key = JSON.stringify(written)
    const found = resolved.get(key) ?? resolve(Object.fromEntries(written) as SliceNames)
    resolved.set(key, found)
    if (!('faults' in found)) return found
    for (const [part, message] of Object.entries(found.faults) as [SlicePart, string][]) {
      const at = parts.get(part)
      if (at !== undefined) errors.add({ index, at, cells, message })
      // A default for all rows is reported once, not for each row. A missing default is already reported.
      else if ((defaults[part] ?? '') !== '' && !reported.has(message)) errors.addForSheet(message)
      reported.add(message)
    }
    return undefined
  }
}

function textOf(cell: SheetCell): string {
  const parsed = parseCell(cell, 'text')
  return 'fault' in parsed ? '' : (parsed.value ?? '').normalize('NFC').trim()
}

class ErrorCollector {
  readonly reported: CellError[] = []
  count = 0
  readonly #sheet: Sheet

  constructor(sheet: Sheet) {
    this.#sheet = sheet
  }

  rowOf(index: number): number {
    return this.#sheet.firstRow + 1 + index
  }

  add({
    index,
    at,
    cells,
    message,
  }: {
    index: number
    at: number
    cells: readonly SheetCell[]
    message: string
  }): void {
    const cell = cellAddress(this.rowOf(index), this.#sheet.firstColumn + at)
    this.#add({ cell, column: this.#sheet.columns[at] ?? null, value: shownOrNull(cells[at] ?? null), message })
  }

  addAtHeading(at: number, message: string): void {
    const cell = cellAddress(this.#sheet.firstRow, this.#sheet.firstColumn + at)
    this.#add({ cell, column: this.#sheet.columns[at] ?? null, value: null, message })
  }

  addForSheet(message: string): void {
    this.#add({ cell: null, column: null, value: null, message })
  }

  checkBeyondHeadings(index: number, cells: readonly SheetCell[]): void {
    const { length } = this.#sheet.columns
    const at = cells.findIndex((cell, place) => place >= length && kindOf(cell) !== null)
    if (at !== -1)
      this.add({
        index,
        at,
        cells,
        message: 'The cell is to the right of the last heading. Add a heading to its column, or clear the cell.',
      })
  }

  #add(error: CellError): void {
    this.count++
    if (this.reported.length < errorsMax) this.reported.push(error)
  }
}

function shownOrNull(cell: SheetCell): string | null {
  return cell === null ? null : formatCell(cell)
}
