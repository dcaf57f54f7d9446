/**
 * An in-memory workbook with the subset of Excel's objects that the task pane uses, with Excel's names. Rows and
 * columns count from 0. Days are numbers with a date format, as in Excel.
 */

export type CellContent = string | number | boolean
export interface StoredCell {
  readonly value: CellContent
  readonly format: string
}
interface FillFormat {
  color: string
  pattern: string
  patternColor: string
}

/** A refusal of Excel, identified by its code. */
export class ExcelError extends Error {
  readonly code: string
  constructor(code: string) {
    super(`Excel says ${code}.`)
    this.code = code
  }
}

export class Workbook {
  readonly name: string
  readonly sheets: Worksheet[]
  active: Worksheet
  selected: Range
  readonly functions = {
    date: (year: number, month: number, day: number) => ({
      value: (Date.UTC(year, month - 1, day) - Date.UTC(1899, 11, 30)) / 86_400_000,
    }),
  }
  readonly worksheets = {
    getActiveWorksheet: () => this.active,
    getItem: (id: string) => this.find(id) ?? refuse('ItemNotFound'),
    getItemOrNullObject: (id: string) => this.find(id) ?? nothing,
  }

  constructor(name: string, sheetName: string, rows: readonly (readonly (CellContent | StoredCell)[])[]) {
    this.name = name
    this.active = new Worksheet(this, sheetName)
    this.sheets = [this.active]
    this.selected = new Range(this.active, { row: 0, column: 0, rows: 1, columns: 1 })
    for (const [row, cells] of rows.entries())
      for (const [column, cell] of cells.entries()) this.active.put(row, column, cell)
  }

  getSelectedRange(): Range {
    return this.selected
  }

  private find(idOrName: string): Worksheet | undefined {
    return this.sheets.find(({ id, name }) => id === idOrName || name === idOrName)
  }
}

/** The result of `OrNullObject` methods if nothing is found. */
export const nothing = { isNullObject: true }

export class Worksheet {
  readonly isNullObject = false
  readonly id = '{00000000-0001-0000-0000-000000000000}'
  readonly workbook: Workbook
  readonly name: string
  /** Cells by row, then by column. */
  readonly cells = new Map<number, Map<number, StoredCell>>()
  readonly fills = new Map<string, FillFormat>()
  readonly noteTexts = new Map<string, string>()
  private readonly handlers = new Set<() => void>()
  readonly onChanged = {
    add: (handler: () => void) => {
      this.handlers.add(handler)
      return { remove: () => void this.handlers.delete(handler) }
    },
  }
  readonly notes = {
    add: (address: string, content: string) => {
      if (this.noteTexts.has(address)) refuse('InvalidArgument')
      this.noteTexts.set(address, content)
      return { isNullObject: false }
    },
    getItemOrNullObject: (address: string) =>
      this.noteTexts.has(address)
        ? {
            isNullObject: false,
            content: this.noteTexts.get(address),
            delete: () => void this.noteTexts.delete(address),
          }
        : { ...nothing, delete() {} },
  }

  constructor(workbook: Workbook, name: string) {
    this.workbook = workbook
    this.name = name
  }

  put(row: number, column: number, cell: CellContent | StoredCell): void {
    const cells = this.cells.get(row) ?? new Map<number, StoredCell>()
    this.cells.set(row, cells)
    cells.set(column, typeof cell === 'object' ? cell : { value: cell, format: 'General' })
  }

  /** Types into a cell like a user, and notifies the change handlers. */
  type(address: string, value: CellContent): void {
    const { row, column } = positionOf(address)
    this.put(row, column, { value, format: this.cells.get(row)?.get(column)?.format ?? 'General' })
    for (const handler of this.handlers) handler()
  }

  activate(): void {
    this.workbook.active = this
  }

  getRange(address: string): Range {
    return new Range(this, { ...positionOf(address), rows: 1, columns: 1 })
  }

  getRangeByIndexes(row: number, column: number, rows: number, columns: number): Range {
    return new Range(this, { row, column, rows, columns })
  }

  getUsedRangeOrNullObject(): Range | typeof nothing {
    const rows = [...this.cells.keys()]
    const columns = [...this.cells.values()].flatMap((cells) => [...cells.keys()])
    if (rows.length === 0) return nothing
    const [row, column] = [Math.min(...rows), Math.min(...new Set(columns))]
    return new Range(this, {
      row,
      column,
      rows: Math.max(...rows) - row + 1,
      columns: Math.max(...new Set(columns)) - column + 1,
    })
  }
}

interface RangePosition {
  readonly row: number
  readonly column: number
  readonly rows: number
  readonly columns: number
}

export class Range {
  readonly isNullObject = false
  readonly sheet: Worksheet
  readonly position: RangePosition
  readonly format: { readonly fill: CellFill }

  constructor(sheet: Worksheet, place: RangePosition) {
    this.sheet = sheet
    this.position = place
    this.format = { fill: new CellFill(sheet, addressOf(place.row, place.column)) }
  }

  get rowIndex(): number {
    return this.position.row
  }
  get columnIndex(): number {
    return this.position.column
  }
  get rowCount(): number {
    return this.position.rows
  }
  get columnCount(): number {
    return this.position.columns
  }
  get values(): readonly (readonly CellContent[])[] {
    return this.each((cell) => cell?.value ?? '')
  }
  get numberFormat(): readonly (readonly string[])[] {
    return this.each((cell) => cell?.format ?? 'General')
  }
  get valueTypes(): readonly (readonly string[])[] {
    return this.each((cell) => typeOf(cell?.value))
  }

  getIntersectionOrNullObject(other: Range | typeof nothing): Range | typeof nothing {
    if (!(other instanceof Range)) return nothing
    const [row, column] = [
      Math.max(this.position.row, other.position.row),
      Math.max(this.position.column, other.position.column),
    ]
    const rows = Math.min(this.position.row + this.position.rows, other.position.row + other.position.rows) - row
    const columns =
      Math.min(this.position.column + this.position.columns, other.position.column + other.position.columns) - column
    return rows > 0 && columns > 0 ? new Range(this.sheet, { row, column, rows, columns }) : nothing
  }

  select(): void {
    this.sheet.workbook.selected = this
  }

  private each<T>(read: (cell: StoredCell | undefined) => T): readonly (readonly T[])[] {
    const { row, column, rows, columns } = this.position
    return Array.from({ length: rows }, (_, down) => {
      const cells = this.sheet.cells.get(row + down)
      return Array.from({ length: columns }, (__, across) => read(cells?.get(column + across)))
    })
  }
}

function typeOf(value: CellContent | undefined): string {
  if (value === undefined || value === '') return 'Empty'
  if (typeof value === 'string')
    return /^#(?:REF!|N\/A|DIV\/0!|NAME\?|NULL!|NUM!|VALUE!)$/u.test(value) ? 'Error' : 'String'
  return typeof value === 'number' ? 'Double' : 'Boolean'
}

const plain: Readonly<FillFormat> = { color: '#FFFFFF', pattern: 'None', patternColor: '' }

class CellFill {
  private readonly sheet: Worksheet
  private readonly address: string
  constructor(sheet: Worksheet, address: string) {
    this.sheet = sheet
    this.address = address
  }

  get color(): string {
    return this.read().color
  }
  set color(color: string) {
    this.write({ color, ...(this.read().pattern === 'None' && { pattern: 'Solid' }) })
  }
  get pattern(): string {
    return this.read().pattern
  }
  set pattern(pattern: string) {
    this.write({ pattern })
  }
  get patternColor(): string {
    return this.read().patternColor
  }
  set patternColor(patternColor: string) {
    this.write({ patternColor })
  }
  clear(): void {
    this.sheet.fills.delete(this.address)
  }
  private read(): Readonly<FillFormat> {
    return this.sheet.fills.get(this.address) ?? plain
  }
  private write(change: Partial<FillFormat>): void {
    this.sheet.fills.set(this.address, { ...this.read(), ...change })
  }
}

/** Formats a position as an address such as `C17`. */
export function addressOf(row: number, column: number): string {
  let letters = ''
  for (let rest = column + 1; rest > 0; rest = Math.floor((rest - 1) / 26))
    letters = String.fromCharCode(65 + ((rest - 1) % 26)) + letters
  return `${letters}${row + 1}`
}

function positionOf(address: string): { readonly row: number; readonly column: number } {
  const [, letters, row] = /^([A-Z]{1,3})(\d{1,7})$/u.exec(address) ?? refuse('InvalidArgument')
  const column = [...(letters ?? '')].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0)
  return { row: Number(row) - 1, column: column - 1 }
}

function refuse(code: string): never {
  throw new ExcelError(code)
}
