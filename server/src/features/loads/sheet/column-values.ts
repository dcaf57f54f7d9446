/** Types of a table's own columns, and conversion of cells to values of these types. Pure. */
import { kindOf, type KindCount } from '@tributary/contract/column-kinds'
import type { ColumnType } from '@tributary/contract/column-types'
import type { SheetCell } from '@tributary/contract/cells'
import type { Column, LogicalType } from '@tributary/engine/ports/model'
import { decimalSize, plainNumber } from './exact-decimals.ts'

export interface OwnColumn {
  readonly name: string
  readonly type: ColumnType
}

/** A value in the text format of the target, also used for comparisons; null if empty. */
export type ColumnValue = string | null
export type ParsedCell = { readonly value: ColumnValue } | { readonly fault: string }

const dayLength = '2026-01-31'.length

/** The type of an existing column after a load: `date` becomes `moment` if a cell has a time; other types stay. */
export function widenType(there: ColumnType, coming: readonly KindCount[]): ColumnType {
  return there === 'date' && coming.some(({ kind }) => kind === 'moment') ? 'moment' : there
}

const logicalTypes = {
  text: { kind: 'text' },
  number: { kind: 'decimal', ...decimalSize },
  date: { kind: 'date' },
  moment: { kind: 'localTimestamp', digits: 3 },
  truth: { kind: 'boolean' },
} as const satisfies Record<ColumnType, LogicalType>

export function engineColumn({ name, type }: OwnColumn): Column {
  return { name, type: logicalTypes[type], nullable: true }
}

const typeNames = {
  text: 'text',
  number: 'numbers',
  date: 'dates',
  moment: 'dates with a time',
  truth: 'TRUE or FALSE',
} as const
const cellDescriptions = {
  text: 'text',
  number: 'a number',
  date: 'a date',
  moment: 'a date with a time',
  truth: 'TRUE or FALSE',
  error: 'an error',
} as const

/** Where a column's type comes from: the table, the majority of cells of a new column, or the user's choice. */
export type TypeOrigin = 'table' | 'majority' | 'choice'

const typeViolationMessages = {
  table: (type: ColumnType, is: string) =>
    `The column holds ${typeNames[type]}, and this is ${is}. Correct the cell, or name the column differently.`,
  majority: (type: ColumnType, is: string) =>
    `Most cells of this new column hold ${typeNames[type]}, and this is ${is}. Correct the cell, or choose Text for the column.`,
  choice: (type: ColumnType, is: string) =>
    `You chose ${typeNames[type]} for this new column, and this is ${is}. Correct the cell, or choose Text for the column.`,
} as const satisfies Record<TypeOrigin, unknown>

/** The value of a cell in a column of this type, or a message about what is wrong with it. */
export function parseCell(cell: SheetCell, type: ColumnType, origin: TypeOrigin = 'table'): ParsedCell {
  const kind = kindOf(cell)
  if (cell === null || kind === null) return { value: null }
  if (typeof cell === 'object' && 'e' in cell)
    return { fault: `The cell holds the error ${cell.e}. Correct the formula, or empty the cell.` }
  const parsed = parseTypedCell(cell)
  if ('fault' in parsed || kind === type || type === 'text') return parsed
  if (kind === 'date' && type === 'moment') return { value: `${parsed.value} 00:00:00` }
  return { fault: typeViolationMessages[origin](type, cellDescriptions[kind]) }
}

function parseTypedCell(cell: string | boolean | { readonly n: string } | { readonly d: string }): ParsedCell {
  if (typeof cell === 'string') return { value: cell }
  if (typeof cell === 'boolean') return { value: cell ? 't' : 'f' }
  return 'n' in cell ? parseNumber(cell.n) : parseTimestamp(cell.d)
}

function parseNumber(written: string): ParsedCell {
  const value = plainNumber(written)
  if (value !== undefined) return { value }
  return { fault: 'The number has more than 18 digits before the point. Correct it in the sheet.' }
}

function parseTimestamp(written: string): ParsedCell {
  const day = written.slice(0, dayLength)
  const [time = ''] = /T(.+)$/u.exec(written)?.slice(1) ?? []
  if (!isDay(day) || !isTime(time))
    return { fault: `${written} is not a date between the years 1000 and 9999. Correct the cell.` }
  return { value: time === '' ? day : `${day} ${plainTime(time)}` }
}

function isDay(day: string): boolean {
  const found = new Date(`${day}T00:00:00Z`)
  return day >= '1000' && !Number.isNaN(found.getTime()) && found.toISOString().startsWith(day)
}

function isTime(time: string): boolean {
  return time === '' || /^(?:[01]\d|2[0-3])(?::[0-5]\d){2}(?:\.\d+)?$/u.test(time)
}

/** Removes trailing zeros, so that equal times are equal texts. */
function plainTime(time: string): string {
  return time.includes('.') ? time.replace(/\.?0+$/u, '') : time
}

/** Converts a value read from the target to the text format in which it was sent. */
export function parseTargetValue(value: ColumnValue, type: ColumnType): ColumnValue {
  if (value === null || type === 'text') return value
  if (type === 'number') return plainNumber(value) ?? value
  if (type === 'truth') return ['t', 'true', '1'].includes(value.toLowerCase()) ? 't' : 'f'
  const [day = '', time = '00:00:00'] = value.split(/[ T]/u)
  return type === 'date' ? day : `${day} ${plainTime(time)}`
}

/** Formats a value as the sheet shows it. */
export function toSheetText(value: ColumnValue, type: ColumnType): ColumnValue {
  if (value === null || type !== 'truth') return value
  return value === 't' ? 'TRUE' : 'FALSE'
}

/** Adapts a value that was read before its column became `moment`. */
export function widenValue(value: ColumnValue, type: ColumnType): ColumnValue {
  return value !== null && type === 'moment' && value.length === dayLength ? `${value} 00:00:00` : value
}
