/** Judges a sheet as a whole: what its rows would become, and every cell that stands in the way. Pure. */
import type { Cell } from '@tributary/contract/loads'
import { cellAddress } from '../../platform/sheets/sheet.ts'
import { type ColumnType, joinTypes, type OwnColumn, typeOf, type Value, valueOf, widenType } from './columns.ts'
import { isRounded } from './decimals.ts'
import type { SheetRow } from './differences.ts'
import { type Headings, missingParts, readHeadings } from './headings.ts'
import { type LoadRights, plainName } from './rights.ts'
import {
  type KnownSlice,
  sliceFinder,
  sliceIdOf,
  type SliceIds,
  type SliceNames,
  type SlicePart,
  sliceParts,
  wholeTable,
} from './slices.ts'

export interface Sheet {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly Cell[])[]
  /** Where the heading stands. */
  readonly firstRow: number
  readonly firstColumn: number
  readonly defaults: Partial<Record<SlicePart, string>>
}

/** What a column may hold: `title` names the list for people, `values` are plain names. */
export interface AllowedValues {
  readonly title: string
  readonly values: ReadonlySet<string>
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

interface JudgedColumn extends OwnColumn {
  readonly isNew: boolean
  readonly isWidened: boolean
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
  readonly columns: readonly JudgedColumn[]
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
    isEmpty: (at) => sheet.rows.every((row) => typeOf(row[at] ?? null) === null),
  })
  for (const { at, message } of headings.faults) errors.atHeading(at, message)
  if (judging.kind === 'helperTable' && judging.rights.helperTable(judging.recordId)?.mayWrite !== true)
    errors.ofAll(`This helper table is locked, archived or not yours to write. ${judging.rights.advice.access}`)
  if (judging.kind === 'version') for (const message of missingParts(headings, sheet.defaults)) errors.ofAll(message)
  const columns = typed(sheet, headings, judging.known)
  const own = ownAfter(judging.known, columns)
  const slices = new Map<string, JudgedSlice>()
  const sliceOf = slicer(sheet, headings, { judging, errors })
  const valuesOf = reader({ headings, columns, own, judging, errors })
  let rows = 0
  for (const [index, cells] of sheet.rows.entries()) {
    if (!cells.some((cell) => typeOf(cell) !== null)) continue
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
    rounded: countRounded(sheet, headings, columns),
  }
}

/** Columns that hold nothing and are not in the table yet wait until they do. */
function typed({ rows }: Sheet, headings: Headings, known: readonly OwnColumn[]): readonly JudgedColumn[] {
  return headings.own.flatMap(({ name, at }): readonly JudgedColumn[] => {
    const there = known.find((column) => column.name === name)
    let coming: ColumnType | null = null
    for (const row of rows) coming = joinTypes(coming, typeOf(row[at] ?? null))
    if (there === undefined) return coming === null ? [] : [{ name, type: coming, isNew: true, isWidened: false }]
    const type = widenType(there.type, coming)
    return [{ name, type, isNew: false, isWidened: type !== there.type }]
  })
}

/** Columns that the sheet lacks stay, empty in its rows. */
function ownAfter(known: readonly OwnColumn[], columns: readonly JudgedColumn[]): readonly OwnColumn[] {
  const after = known.map((column) => columns.find(({ name }) => name === column.name) ?? column)
  return [...after, ...columns.filter(({ isNew }) => isNew)].map(({ name, type }) => ({ name, type }))
}

interface Reading {
  readonly headings: Headings
  readonly columns: readonly JudgedColumn[]
  readonly own: readonly OwnColumn[]
  readonly judging: Judging
  readonly errors: Errors
}

function reader({ headings, columns, own, judging, errors }: Reading): (index: number, cells: readonly Cell[]) => readonly Value[] {
  const places = own.map(({ name, type }) => {
    const isThere = columns.some((column) => column.name === name)
    const at = headings.own.find((each) => each.name === name)?.at
    return { name, type, at: isThere ? at : undefined, list: judging.lists.get(plainName(name)) }
  })
  return (index, cells) =>
    places.map(({ type, at, list }) => {
      if (at === undefined) return null
      const told = valueOf(cells[at] ?? null, type)
      if ('fault' in told) errors.add({ index, at, cells, message: told.fault })
      else if (told.value === null || list === undefined || list.values.has(plainName(told.value))) return told.value
      else errors.add({ index, at, cells, message: `It is not in ${list.title}. Choose a value that is, or add it there first.` })
      return null
    })
}

function countRounded({ rows }: Sheet, headings: Headings, columns: readonly JudgedColumn[]): number {
  const numbers = headings.own.filter(({ name }) => columns.some((column) => column.name === name && column.type === 'number'))
  const isOne = (cell: Cell | undefined) => typeof cell === 'object' && cell !== null && 'n' in cell && isRounded(cell.n)
  return rows.reduce((sum, row) => sum + numbers.filter(({ at }) => isOne(row[at])).length, 0)
}

type Sliced = Pick<JudgedSlice, 'sliceId' | 'names' | 'ids'>

/** A combination is judged once, and its faults are told at each of its cells. */
function slicer({ defaults }: Sheet, { parts }: Headings, { judging, errors }: Pick<Reading, 'judging' | 'errors'>) {
  const judged = new Map<string, Sliced | { readonly faults: Partial<Record<SlicePart, string>> }>()
  const idOf = sliceFinder(judging.recordId, judging.knownSlices)
  const decide = (names: SliceNames) => {
    if (judging.kind === 'helperTable') return { names: wholeTable, ids: null, sliceId: sliceIdOf(judging.recordId, wholeTable) }
    const decided = judging.rights.slice(judging.recordId, names)
    return 'faults' in decided ? decided : { ...decided, sliceId: idOf(decided) }
  }
  const told = new Set<string>()
  return (index: number, cells: readonly Cell[]): Sliced | undefined => {
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

function textOf(cell: Cell): string {
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

  add({ index, at, cells, message }: { index: number; at: number; cells: readonly Cell[]; message: string }): void {
    const cell = cellAddress(this.rowOf(index), this.#sheet.firstColumn + at)
    this.#keep({ cell, column: this.#sheet.columns[at] ?? null, value: shown(cells[at] ?? null), message })
  }

  atHeading(at: number, message: string): void {
    const cell = cellAddress(this.#sheet.firstRow, this.#sheet.firstColumn + at)
    this.#keep({ cell, column: this.#sheet.columns[at] ?? null, value: null, message })
  }

  ofAll(message: string): void {
    this.#keep({ cell: null, column: null, value: null, message })
  }

  beyondHeadings(index: number, cells: readonly Cell[]): void {
    const { length } = this.#sheet.columns
    const at = cells.findIndex((cell, place) => place >= length && typeOf(cell) !== null)
    if (at !== -1)
      this.add({ index, at, cells, message: 'The cell stands beside the last heading. Give its column a heading, or empty it.' })
  }

  #keep(error: CellError): void {
    this.count++
    if (this.kept.length < errorsMax) this.kept.push(error)
  }
}

const shownMax = 100

/** As the sheet shows it. */
function cellText(cell: NonNullable<Cell>): string {
  if (typeof cell === 'string') return cell
  if (typeof cell === 'boolean') return cell ? 'TRUE' : 'FALSE'
  if ('n' in cell) return cell.n
  return 'd' in cell ? cell.d.replace('T', ' ') : cell.e
}

function shown(cell: Cell): string | null {
  if (cell === null) return null
  const text = cellText(cell)
  return text.length > shownMax ? `${text.slice(0, shownMax).toWellFormed()}…` : text
}
