/** Parses fields. Only unambiguous text becomes a number, a date or a boolean; the rest stays text. */
import type { SheetCell } from '@tributary/contract/cells'
import { plainNumber } from '../exact-number.ts'
import { isoDate } from '../iso-date.ts'

/** The decimal mark of a file; `unknown` without evidence, `both` if its fields contradict each other. */
export type DecimalMark = 'point' | 'comma' | 'unknown' | 'both'

/** Digits with one or more marks; a number with a leading zero is a code. */
const markedForm = /^-?(?:0|[1-9]\d*)(?:[.,]\d+)+$/u
const wholeForm = /^-?(?:0|[1-9]\d*)$/u
/** Integer digits that a table column holds. Longer numbers are codes and stay text. */
const wholeDigitsMax = 18
/** Longer fields are not quantities. */
const fieldDigitsMax = 38
/** Excel's precision: a column of longer numbers is likely to hold codes. */
const excelDigitsMax = 15

export function isWhole(field: string): boolean {
  return wholeForm.test(field.trim())
}

/** Detects columns of codes: some values exceed a number's digits, and most exceed Excel's precision. */
export class CodeColumns {
  readonly #counts = new Map<number, { whole: number; long: number; tooLong: number }>()

  add(column: number, text: string): void {
    if (text.length === 0 || !wholeForm.test(text)) return
    const counts = this.#counts.get(column) ?? { whole: 0, long: 0, tooLong: 0 }
    this.#counts.set(column, counts)
    counts.whole += 1
    if (text.length > excelDigitsMax) counts.long += 1
    if (text.length > wholeDigitsMax) counts.tooLong += 1
  }

  found(): ReadonlySet<number> {
    const columns = this.#counts.entries().filter(([, { whole, long, tooLong }]) => tooLong > 0 && long * 2 > whole)
    return new Set(columns.map(([column]) => column))
  }
}

/** The decimal mark that a field proves. `1,234` and `1.234` are ambiguous. */
export function detectDecimalMark(field: string): 'point' | 'comma' | null {
  if (!markedForm.test(field)) return null
  if (isGrouped(field, ',')) return 'point'
  if (isGrouped(field, '.')) return 'comma'
  const [whole = '', fraction = '', more] = field.replace('-', '').split(/[.,]/u)
  const isAmbiguous = fraction.length === 3 && whole.length <= 3 && whole !== '0'
  if (more !== undefined || isAmbiguous) return null
  return field.includes('.') ? 'point' : 'comma'
}

export function isUndecided(field: string): boolean {
  return markedForm.test(field) && detectDecimalMark(field) === null
}

/** Several groups of three, or one with a fraction: `1,234,567` or `1,234.5`. */
function isGrouped(field: string, group: ',' | '.'): boolean {
  return group === ','
    ? /^-?\d{1,3}(?:(?:,\d{3})+\.\d+|(?:,\d{3}){2,})$/u.test(field)
    : /^-?\d{1,3}(?:(?:\.\d{3})+,\d+|(?:\.\d{3}){2,})$/u.test(field)
}

export function parseCsvCell(field: string, mark: DecimalMark): SheetCell {
  if (field === '') return null
  // Fast path: most fields are names.
  if (!/^\s*[-#\dtf]/iu.test(field)) return field
  const text = field.trim()
  const number = parseNumber(text, mark)
  if (number !== null) return { n: number }
  if (/^(?:true|false)$/iu.test(text)) return text.length === 4
  if (sheetErrors.has(text)) return { e: text }
  return isoDate(text) ?? field
}

const sheetErrors = new Set(['#REF!', '#DIV/0!', '#N/A', '#NAME?', '#NULL!', '#NUM!', '#VALUE!', '#SPILL!', '#CALC!'])

/** Integers, decimals, and numbers in groups of three. */
const numberForms: Readonly<Record<DecimalMark, RegExp>> = {
  point: /^-?(?:(?:0|[1-9]\d*)(?:\.\d+)?|[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?)$/u,
  comma: /^-?(?:(?:0|[1-9]\d*)(?:,\d+)?|[1-9]\d{0,2}(?:\.\d{3})+(?:,\d+)?)$/u,
  unknown: wholeForm,
  both: wholeForm,
}

function parseNumber(text: string, mark: DecimalMark): string | null {
  if (!numberForms[mark].test(text)) return null
  const [whole = ''] = text.split(mark === 'comma' ? ',' : '.')
  if (text.length > fieldDigitsMax || whole.replaceAll(/[^\d]/gu, '').length > wholeDigitsMax) return null
  return plainNumber(mark === 'comma' ? text.replaceAll('.', '').replace(',', '.') : text.replaceAll(',', ''))
}
