/** Ranges of keys, in an order that both databases and this process share: numbers by value, everything else by the bytes of its text in UTF-8. */
import type { ComparedColumn, ComparedTable, Side } from './compared-table.ts'
import { formOf } from './compared-table.ts'

/** The texts of the key columns. */
export type RowKey = readonly string[]

/** `from` is included, `to` is not; null: no limit. */
export interface KeyRange {
  readonly from: RowKey | null
  readonly to: RowKey | null
}

export const wholeTable: KeyRange = { from: null, to: null }

/** Condition for the rows of a range; null for all. */
export function rangeCondition(compared: ComparedTable, side: Side, { from, to }: KeyRange): string | null {
  const conditions = [
    ...(from === null ? [] : [`NOT (${isBefore(compared, side, from)})`]),
    ...(to === null ? [] : [`(${isBefore(compared, side, to)})`]),
  ]
  return conditions.length === 0 ? null : conditions.join(' AND ')
}

/** Index of the range that a row belongs to, between ordered boundaries: a search tree of CASE expressions. */
export function rangeIndex(compared: ComparedTable, side: Side, boundaries: readonly RowKey[]): string {
  const search = (low: number, high: number): string => {
    if (low === high) return String(low)
    const middle = Math.floor((low + high) / 2)
    const isLeft = isBefore(compared, side, boundaries[middle] ?? [])
    return `CASE WHEN ${isLeft} THEN ${search(low, middle)} ELSE ${search(middle + 1, high)} END`
  }
  return search(0, boundaries.length)
}

/** The ranges between ordered boundaries within a range. */
export function splitRange({ from, to }: KeyRange, boundaries: readonly RowKey[]): readonly KeyRange[] {
  return [from, ...boundaries].map((start, at) => ({ from: start, to: boundaries[at] ?? to }))
}

/** Whether the key of a row comes before this one. */
function isBefore(compared: ComparedTable, side: Side, key: RowKey, at = 0): string {
  const column = compared.key[at]
  if (column === undefined) return '1 = 0'
  const { words } = compared[side]
  const isNumber = isNumeric(column)
  const value = isNumber ? column[side].value : words.ordered(formOf(column, side).sql)
  const text = key[at] ?? ''
  const constant = isNumber ? text : words.orderedConstant(text)
  const isLess = `${value} < ${constant}`
  return at === compared.key.length - 1
    ? isLess
    : `${isLess} OR (${value} = ${constant} AND (${isBefore(compared, side, key, at + 1)}))`
}

function isNumeric({ type }: ComparedColumn): boolean {
  return type.kind === 'integer' || type.kind === 'decimal'
}

const number = /^-?\d+(?:\.\d+)?$/u

/** Whether a key can be a boundary: a number that only one database knows cannot. */
export function isBoundary({ key: columns }: Pick<ComparedTable, 'key'>, key: RowKey): boolean {
  return columns.every((column, at) => !isNumeric(column) || number.test(key[at] ?? ''))
}

/** Evenly distributed boundaries from a sample of keys. @param count the most */
export function chooseBoundaries(
  compared: Pick<ComparedTable, 'key'>,
  sample: readonly RowKey[],
  count: number,
): readonly RowKey[] {
  const ordered = sample
    .filter((key) => isBoundary(compared, key))
    .toSorted((left, right) => compareKeys(compared, left, right))
  const chosen = Array.from(
    { length: count },
    (_, at) => ordered[Math.floor(((at + 1) * ordered.length) / (count + 1))],
  )
  const seen = new Set<string>()
  return chosen.flatMap((key) => {
    if (key === undefined || seen.has(JSON.stringify(key))) return []
    seen.add(JSON.stringify(key))
    return [key]
  })
}

export function compareKeys({ key: columns }: Pick<ComparedTable, 'key'>, left: RowKey, right: RowKey): number {
  for (const [at, column] of columns.entries()) {
    const [a, b] = [left[at] ?? '', right[at] ?? '']
    const order = isNumeric(column) ? compareNumbers(a, b) : Buffer.compare(Buffer.from(a), Buffer.from(b))
    if (order !== 0) return order
  }
  return 0
}

function compareNumbers(left: string, right: string): number {
  const digits = Math.max(fractionOf(left).length, fractionOf(right).length)
  const [a, b] = [scaled(left, digits), scaled(right, digits)]
  return a < b ? -1 : a > b ? 1 : 0
}

function fractionOf(text: string): string {
  return text.split('.')[1] ?? ''
}

function scaled(text: string, digits: number): bigint {
  return BigInt(`${text.split('.')[0] ?? ''}${fractionOf(text).padEnd(digits, '0')}`)
}
