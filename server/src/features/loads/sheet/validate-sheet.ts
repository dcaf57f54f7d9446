/** Judges a sheet as a whole: what its rows would become, and every cell that stands in the way. Pure. */
import { kindOf } from '@tributary/contract/column-kinds'
import type { SheetCell } from '@tributary/contract/cells'
import { plainName } from '@tributary/contract/sheet-headings'
import { cellAddress } from '../../../planning/sheet-files/sheet.ts'
import type { AllowedValues } from './allowed-values.ts'
import { type OwnColumn, type Value, valueOf } from './column-values.ts'
import { isRounded } from './exact-decimals.ts'
import type { SheetRow } from './cell-differences.ts'
import { type Headings, missingParts, readHeadings } from './match-headings.ts'
import type { LoadRights } from '../rights/load-rights.ts'
import { type ChosenTypes, type SheetColumn, shownCell, typeColumns } from './sheet-columns.ts'
import {
  type KnownSlice,
  sliceFinder,
  sliceIdOf,
  type SliceIds,
  type SliceNames,
  type SlicePart,
  sliceParts,
  wholeTable,
} from '../slices.ts'

export interface Sheet {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly SheetCell[])[]
  /** Where the heading stands. */
  readonly firstRow: number
  readonly firstColumn: number
  readonly defaults: Partial<Record<SlicePart, string>>
  readonly chosen: ChosenTypes
}

export interface Judging {
  readonly recordId: string
  readonly kind: 'version' | 'helperTable'
  readonly rights: LoadRights
  /** The own columns that the table has. */
  readonly known: readonly OwnColumn[]
  /** The slices of the table that were loaded before. */
  readonly knownSlices: readonly KnownSlice[]
  /** By the plain name of a column. */
  readonly lists: ReadonlyMap<string, AllowedValues>
}

interface CellError {
  readonly cell: string | null
  readonly column: string | null
  readonly value: string | null
  readonly message: string
}

export interface JudgedSlice {
  readonly sliceId: string
  readonly names: SliceNames
  /** Null for a helper table. */
  readonly ids: SliceIds | null
  /** Their values stand in the order of `own`. */
  readonly rows: SheetRow[]
}

export interface Judgement {
  /** The columns of the sheet that go into the table. */
  readonly columns: readonly SheetColumn[]
  /** All own columns of the table, as they would be. */
  readonly own: readonly OwnColumn[]
  readonly rows: number
  readonly slices: readonly JudgedSlice[]
  readonly errors: readonly CellError[]
  readonly errorCount: number
  /** Numbers with more digits after the point than the table keeps. */
  readonly rounded: number
}

/** The first ones are told, the others counted. */
const errorsMax = 1_000

export function judge(sheet: Sheet, judging: Judging): Judgement {
  const errors = new Errors(sheet)
  const headings = readHeadings({
    columns: sheet.columns,
    kind: judging.kind,
    known: judging.known.map(({ name }) => name),
    isEmpty: (at) => sheet.rows.every((row) => kindOf(row[at] ?? null) === null),
  })
  for (const { at, message } of headings.faults) errors.atHeading(at, message)
  if (judging.kind === 'helperTable' && judging.rights.helperTable(judging.recordId)?.mayWrite !== true)
    errors.ofAll(`This helper table is locked, archived or not yours to write. ${judging.rights.advice.access}`)
  if (judging.kind === 'version') for (const message of missingParts(headings, sheet.defaults)) errors.ofAll(message)
  const columns = typeColumns({ ...sheet, firstRow: sheet.firstRow + 1, headings, known: judging.known })
  const own = ownAfter(judging.known, columns)
  const slices = new Map<string, JudgedSlice>()
  const sliceOf = slicer(sheet, headings, { judging, errors })
  const valuesOf = reader({ columns, own, judging, errors })
  let rows = 0
  for (const [index, cells] of sheet.rows.entries()) {
    if (!cells.some((cell) => kindOf(cell) !== null)) continue
    rows++
    errors.beyondHeadings(index, cells)
    const values = valuesOf(index, cells)
    const slice = sliceOf(index, cells)
    if (slice === undefined) continue
    const found = slices.get(slice.sliceId) ?? { ...slice, rows: [] }
    slices.set(slice.sliceId, found)
    found.rows.push({ values, row: errors.rowOf(index) })
  }
  if (rows === 0) errors.ofAll('The sheet has no rows below its heading. There is nothing to load.')
  return {
    columns,
    own,
    rows,
    slices: [...slices.values()],
    errors: errors.kept,
    errorCount: errors.count,
    rounded: countRounded(sheet, columns),
  }
}

/** Columns that the sheet lacks stay, empty in its rows. */
function ownAfter(known: readonly OwnColumn[], columns: readonly SheetColumn[]): readonly OwnColumn[] {
  const after = known.map((column) => columns.find(({ name }) => name === column.name) ?? column)
  return [...after, ...columns.filter(({ isNew }) => isNew)].map(({ name, type }) => ({ name, type }))
}

interface Reading {
  readonly columns: readonly SheetColumn[]
  readonly own: readonly OwnColumn[]
  readonly judging: Judging
  readonly errors: Errors
}

function reader({
  columns,
  own,
  judging,
  errors,
}: Reading): (index: number, cells: readonly SheetCell[]) => readonly Value[] {
  const places = own.map(({ name, type }) => {
    const column = columns.find((each) => each.name === name)
    return { type, at: column?.at, origin: column?.origin, list: judging.lists.get(plainName(name)) }
  })
  return (index, cells) =>
    places.map(({ type, at, origin, list }) => {
      if (at === undefined) return null
      const told = valueOf(cells[at] ?? null, type, origin)
      if ('fault' in told) errors.add({ index, at, cells, message: told.fault })
      else if (told.value === null || list === undefined || list.values.has(plainName(told.value))) return told.value
      else
        errors.add({
          index,
          at,
          cells,
          message: `It is not in ${list.title}. Choose a value that is, or add it there first.`,
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

type Sliced = Pick<JudgedSlice, 'sliceId' | 'names' | 'ids'>

/** A combination is judged once, and its faults are told at each of its cells. */
function slicer({ defaults }: Sheet, { parts }: Headings, { judging, errors }: Pick<Reading, 'judging' | 'errors'>) {
  const judged = new Map<string, Sliced | { readonly faults: Partial<Record<SlicePart, string>> }>()
  const idOf = sliceFinder(judging.recordId, judging.knownSlices)
  const decide = (names: SliceNames) => {
    if (judging.kind === 'helperTable')
      return { names: wholeTable, ids: null, sliceId: sliceIdOf(judging.recordId, wholeTable) }
    const decided = judging.rights.slice(judging.recordId, names)
    return 'faults' in decided ? decided : { ...decided, sliceId: idOf(decided) }
  }
  const told = new Set<string>()
  return (index: number, cells: readonly SheetCell[]): Sliced | undefined => {
    const written = sliceParts.map((part): [SlicePart, string] => {
      const at = parts.get(part)
      return [part, at === undefined ? (defaults[part] ?? '') : textOf(cells[at] ?? null)]
    })
    const key = JSON.stringify(written)
    const found = judged.get(key) ?? decide(Object.fromEntries(written) as SliceNames)
    judged.set(key, found)
    if (!('faults' in found)) return found
    for (const [part, message] of Object.entries(found.faults) as [SlicePart, string][]) {
      const at = parts.get(part)
      if (at !== undefined) errors.add({ index, at, cells, message })
      // What was chosen for all rows is wrong once, not in each; where it is missing, that has been said.
      else if ((defaults[part] ?? '') !== '' && !told.has(message)) errors.ofAll(message)
      told.add(message)
    }
    return undefined
  }
}

function textOf(cell: SheetCell): string {
  const told = valueOf(cell, 'text')
  return 'fault' in told ? '' : (told.value ?? '').normalize('NFC').trim()
}

class Errors {
  readonly kept: CellError[] = []
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
    this.#keep({ cell, column: this.#sheet.columns[at] ?? null, value: shownOrNull(cells[at] ?? null), message })
  }

  atHeading(at: number, message: string): void {
    const cell = cellAddress(this.#sheet.firstRow, this.#sheet.firstColumn + at)
    this.#keep({ cell, column: this.#sheet.columns[at] ?? null, value: null, message })
  }

  ofAll(message: string): void {
    this.#keep({ cell: null, column: null, value: null, message })
  }

  beyondHeadings(index: number, cells: readonly SheetCell[]): void {
    const { length } = this.#sheet.columns
    const at = cells.findIndex((cell, place) => place >= length && kindOf(cell) !== null)
    if (at !== -1)
      this.add({
        index,
        at,
        cells,
        message: 'The cell stands beside the last heading. Give its column a heading, or empty it.',
      })
  }

  #keep(error: CellError): void {
    this.count++
    if (this.kept.length < errorsMax) this.kept.push(error)
  }
}

function shownOrNull(cell: SheetCell): string | null {
  return cell === null ? null : shownCell(cell)
}
