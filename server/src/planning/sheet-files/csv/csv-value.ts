/** What the text of a field means. Only what can mean one thing becomes a number, a date or a truth; the rest stays text. */
import type { SheetCell } from '@tributary/contract/cells'
import { plainNumber } from '../exact-number.ts'
import { isoDate } from '../iso-date.ts'

/** The decimal mark of a file; `unknown` where nothing tells, `both` where its fields contradict each other. */
export type DecimalMark = 'point' | 'comma' | 'unknown' | 'both'

/** Digits with one or more marks; what begins with a needless zero is a code. */
const markedForm = /^-?(?:0|[1-9]\d*)(?:[.,]\d+)+$/u
const wholeForm = /^-?(?:0|[1-9]\d*)$/u
/** A column of the table holds no number with more digits before the point. Longer ones are codes, and stay text. */
const wholeDigitsMax = 18
/** Longer fields are no quantities. */
const fieldDigitsMax = 38
/** Excel keeps no more of a number, so a column of longer ones is likely to hold codes. */
const excelDigitsMax = 15

export function isWhole(field: string): boolean {
  return wholeForm.test(field.trim())
}

/** Finds the columns of codes: some have too many digits for a number, and most have more than a number of Excel. */
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

/** Which mark a field speaks for. `1,234` and `1.234` say nothing: they are a thousand or one and a bit. */
export function markIn(field: string): 'point' | 'comma' | null {
  if (!markedForm.test(field)) return null
  if (isGrouped(field, ',')) return 'point'
  if (isGrouped(field, '.')) return 'comma'
  const [whole = '', fraction = '', more] = field.replace('-', '').split(/[.,]/u)
  const isAmbiguous = fraction.length === 3 && whole.length <= 3 && whole !== '0'
  if (more !== undefined || isAmbiguous) return null
  return field.includes('.') ? 'point' : 'comma'
}

export function isUndecided(field: string): boolean {
  return markedForm.test(field) && markIn(field) === null
}

/** Groups of three, several of them or with a fraction after them: `1,234,567` or `1,234.5`. */
function isGrouped(field: string, group: ',' | '.'): boolean {
  return group === ','
    ? /^-?\d{1,3}(?:(?:,\d{3})+\.\d+|(?:,\d{3}){2,})$/u.test(field)
    : /^-?\d{1,3}(?:(?:\.\d{3})+,\d+|(?:\.\d{3}){2,})$/u.test(field)
}

export function csvCell(field: string, mark: DecimalMark): SheetCell {
  if (field === '') return null
  // Names, by far the most, are none of what follows.
  if (!/^\s*[-#\dtf]/iu.test(field)) return field
  const text = field.trim()
  const number = numberOf(text, mark)
  if (number !== null) return { n: number }
  if (/^(?:true|false)$/iu.test(text)) return text.length === 4
  if (sheetErrors.has(text)) return { e: text }
  return isoDate(text) ?? field
}

const sheetErrors = new Set(['#REF!', '#DIV/0!', '#N/A', '#NAME?', '#NULL!', '#NUM!', '#VALUE!', '#SPILL!', '#CALC!'])

/** Whole, with decimals, or in groups of three. */
const numberForms: Readonly<Record<DecimalMark, RegExp>> = {
  point: /^-?(?:(?:0|[1-9]\d*)(?:\.\d+)?|[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?)$/u,
  comma: /^-?(?:(?:0|[1-9]\d*)(?:,\d+)?|[1-9]\d{0,2}(?:\.\d{3})+(?:,\d+)?)$/u,
  unknown: wholeForm,
  both: wholeForm,
}

function numberOf(text: string, mark: DecimalMark): string | null {
  if (!numberForms[mark].test(text)) return null
  const [whole = ''] = text.split(mark === 'comma' ? ',' : '.')
  if (text.length > fieldDigitsMax || whole.replaceAll(/[^\d]/gu, '').length > wholeDigitsMax) return null
  return plainNumber(mark === 'comma' ? text.replaceAll('.', '').replace(',', '.') : text.replaceAll(',', ''))
}
