/** Writes values as cells of a worksheet, by the kind of their column. */
import type { DataCell } from '@tributary/contract/data'
import { columnName } from '@tributary/contract/sheet-preview'
import type { ValueKind } from '../../../access/query/table-model.ts'
import type { ExportedColumn } from './exported-table.ts'
import { spreadsheetText } from '../../../kernel/text/spreadsheet-text.ts'

export interface SheetCellWriter {
  /** In characters. */
  readonly width: number
  heading(name: string): string
  cell(value: DataCell, row: number): string
}

const styles = { heading: 1, day: 2, moment: 3, time: 4, text: 5 } as const

/** `text`: Excel keeps it as text when a person edits the cell (`quotePrefix`). */
export const sheetStyles =
  '<numFmts count="2"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/><numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/></numFmts>' +
  '<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts>' +
  '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>' +
  '<borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs>' +
  '<cellXfs count="6"><xf xfId="0"/><xf fontId="1" xfId="0" applyFont="1"/><xf numFmtId="164" xfId="0" applyNumberFormat="1"/>' +
  '<xf numFmtId="165" xfId="0" applyNumberFormat="1"/><xf numFmtId="21" xfId="0" applyNumberFormat="1"/><xf xfId="0" quotePrefix="1"/></cellXfs>'

export function sheetCellWriter({ kind }: ExportedColumn, at: number): SheetCellWriter {
  const letters = columnName(at + 1)
  const write = writers[kind] ?? ((value: string, where: string) => textCell(value, where))
  return {
    width: kind === 'guid' ? 38 : kind === 'text' ? 24 : 18,
    heading: (name) => textCell(name, `${letters}1`, styles.heading),
    cell: (value, row) => (value === null ? '' : write(String(value), `${letters}${row}`)),
  }
}

type CellWriter = (value: string, where: string) => string

const writers: Readonly<Partial<Record<ValueKind, CellWriter>>> = {
  integer: numberCell,
  decimal: numberCell,
  double: numberCell,
  boolean: (value, where) => `<c r="${where}" t="b"><v>${value === 'true' ? 1 : 0}</v></c>`,
  date: (value, where) => serialCell(value, where, { at: Date.parse(value), style: styles.day }),
  localTimestamp: momentCell,
  instant: momentCell,
  time: (value, where) =>
    serialCell(value, where, { at: Date.parse(`1970-01-01T${value}Z`), style: styles.time, isTime: true }),
}

/** Excel calculates with 15 digits. A number with more would lose some, so it is written as text. */
const digitsMax = 15

function numberCell(value: string, where: string): string {
  const isNumber = /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/u.test(value)
  return isNumber && countDigits(value) <= digitsMax ? `<c r="${where}"><v>${value}</v></c>` : textCell(value, where)
}

/** Without zeros at the beginning and at the end. */
function countDigits(value: string): number {
  const [mantissa = ''] = value.split('e')
  const digits = mantissa.replaceAll('-', '').replaceAll('.', '')
  let [start, end] = [0, digits.length]
  while (digits[start] === '0') start += 1
  while (end > start && digits[end - 1] === '0') end -= 1
  return end - start
}

/** In UTC. */
function momentCell(value: string, where: string): string {
  return serialCell(value, where, { at: Date.parse(value), style: styles.moment })
}

const dayMs = 86_400_000
/** 1 January 1970 as a serial number. */
const epoch = 25_569
/** 1 March 1900. Excel counts a day before it that never was. */
const firstSerial = 61

interface SerialValue {
  /** In ms since 1970. */
  readonly at: number
  readonly style: number
  readonly isTime?: boolean
}

function serialCell(value: string, where: string, { at, style, isTime = false }: SerialValue): string {
  const serial = at / dayMs + (isTime ? 0 : epoch)
  if (Number.isNaN(serial) || (!isTime && serial < firstSerial)) return textCell(value, where)
  return `<c r="${where}" s="${style}"><v>${serial}</v></c>`
}

const textMax = 32_767

function textCell(value: string, where: string, style: number = isFormulaLike(value) ? styles.text : 0): string {
  const shown = value.length > textMax ? shortened(value) : value
  return `<c r="${where}" t="inlineStr"${style === 0 ? '' : ` s="${style}"`}><is><t xml:space="preserve">${spreadsheetText(shown)}</t></is></c>`
}

/** Excel refuses a workbook with a longer text. */
function shortened(value: string): string {
  const note = `… (cut: ${value.length} characters)`
  return value.slice(0, textMax - note.length).toWellFormed() + note
}

function isFormulaLike(value: string): boolean {
  return /^[\s=+\-@\uFF1D\uFF0B\uFF0D\uFF20]/u.test(value)
}
