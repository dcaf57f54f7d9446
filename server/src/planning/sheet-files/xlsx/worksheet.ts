/** Reads the cells of one sheet from its XML. A formula has the value that the spreadsheet last calculated. */
import type { SheetCell } from '@tributary/contract/cells'
import { serialDate } from '@tributary/contract/excel-dates'
import { typedNumber } from '../exact-number.ts'
import { isoDate } from '../iso-date.ts'
import { RichText, unescaped } from './rich-text.ts'
import { rowsMax, sheetWidthMax } from '../sheet-limits.ts'
import type { SheetWriter } from '../sheet-writer.ts'
import { cellAddress } from '../sheet.ts'
import { damagedFile, UnreadableFile } from '../unreadable-file.ts'
import type { WorkbookParts } from './workbook-parts.ts'
import type { XmlHandler } from './xml.ts'

/** A cell's raw content before conversion. */
interface RawCell {
  readonly type: string
  readonly style: number
  value: string
  hasFormula: boolean
}

export class Worksheet implements XmlHandler {
  readonly #workbook: WorkbookParts
  readonly #writer: SheetWriter
  readonly #inline = new RichText()
  #row = 0
  #column = 0
  #cell: RawCell | undefined
  #isInValue = false
  #isInline = false
  #mergedRanges = 0
  #formulasWithoutValue = 0

  constructor(workbook: WorkbookParts, writer: SheetWriter) {
    this.#workbook = workbook
    this.#writer = writer
  }

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    if (name === 'c') this.#beginCell(attributes)
    else if (name === 'row') this.#beginRow(attributes['r'])
    else if (name === 'mergeCell') this.#mergedRanges += 1
    else if (this.#cell !== undefined) this.#openInCell(name, this.#cell)
  }

  text(text: string): void {
    if (this.#isInValue && this.#cell !== undefined) this.#cell.value += text
    else if (this.#isInline) this.#inline.add(text)
  }

  close(name: string): void {
    if (name === 'v') this.#isInValue = false
    else if (name === 'c') this.#endCell()
    else if (this.#isInline) this.#inline.close(name)
  }

  notices(): string[] {
    return [
      this.#mergedRanges > 0 && 'It has merged cells: only the first cell of each holds the value.',
      this.#formulasWithoutValue > 0 &&
        `Formulas without a result were read as empty (${this.#formulasWithoutValue.toLocaleString('en')}). Open the file in Excel and save it, so that they are calculated.`,
    ].filter((notice) => notice !== false)
  }

  #beginRow(number: string | undefined): void {
    this.#row = number === undefined ? this.#row + 1 : Number(number)
    this.#column = 0
    if (!(Number.isInteger(this.#row) && this.#row >= 1 && this.#row <= rowsMax))
      throw damagedFile('a row number is out of range')
  }

  #beginCell({ r, t = 'n', s = '0' }: Readonly<Record<string, string>>): void {
    this.#column = r === undefined ? this.#column + 1 : this.#columnOf(r)
    if (this.#column > sheetWidthMax) throw damagedFile('a column is out of range')
    this.#cell = { type: t, style: Number(s), value: '', hasFormula: false }
  }

  #openInCell(name: string, cell: RawCell): void {
    if (name === 'v') this.#isInValue = true
    else if (name === 'f') cell.hasFormula = true
    else if (name === 'is') this.#isInline = true
    else if (this.#isInline) this.#inline.open(name)
  }

  #endCell(): void {
    const cell = this.#cell
    if (cell === undefined) return
    if (this.#isInline) cell.value = this.#inline.take()
    if (cell.value === '' && cell.hasFormula && cell.type !== 'str') this.#formulasWithoutValue += 1
    if (cell.value !== '') this.#writer.add(this.#row, this.#column, this.#convert(cell))
    this.#cell = undefined
    this.#isInline = false
    this.#isInValue = false
  }

  #convert({ type, style, value }: RawCell): SheetCell {
    switch (type) {
      case 's':
        return this.#workbook.texts.get(Number(value)) || null
      case 'str':
        return unescaped(value)
      case 'inlineStr':
        return value
      case 'b':
        return value === '1' || value === 'true'
      case 'e':
        return { e: value.slice(0, 50) }
      case 'd':
        return isoDate(value) ?? value
      default:
        return this.#number(value, style)
    }
  }

  #number(value: string, style: number): SheetCell {
    const number = typedNumber(value.trim())
    if (number === null)
      throw new UnreadableFile(
        `${cellAddress(this.#row, this.#column)} must be a number. Enter it again and save the file.`,
      )
    const format = this.#workbook.formats[style] ?? 'none'
    return format === 'none' ? { n: number } : serialDate(number, format, this.#workbook.is1904)
  }

  /** The row of the address must match the current row. */
  #columnOf(address: string): number {
    let column = 0
    let at = 0
    for (; at < 3; at++) {
      const letter = address.charCodeAt(at) - 64
      if (!(letter >= 1 && letter <= 26)) break
      column = column * 26 + letter
    }
    if (column === 0 || Number(address.slice(at)) !== this.#row) throw damagedFile('a cell has an invalid address')
    return column
  }
}
