/** The types of a table's own columns, and cells as the values of such a column. Pure. */
import { kindOf, type KindCount } from '@tributary/contract/column-kinds'
import type { ColumnType } from '@tributary/contract/column-types'
import type { SheetCell } from '@tributary/contract/cells'
import type { Column, LogicalType } from '@tributary/engine/ports/model'
import { decimalSize, plainNumber } from './exact-decimals.ts'

export interface OwnColumn {
  readonly name: string
  readonly type: ColumnType
}

/** A value as it travels to the target and is compared: null for nothing. */
export type Value = string | null
export type Told = { readonly value: Value } | { readonly fault: string }

const dayLength = '2026-01-31'.length

/** The type that a column of the table has after a load: dates become dates with a time where one comes; all else keeps its type. */
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

const wanted = {
  text: 'text',
  number: 'numbers',
  date: 'dates',
  moment: 'dates with a time',
  truth: 'TRUE or FALSE',
} as const
const found = {
  text: 'text',
  number: 'a number',
  date: 'a date',
  moment: 'a date with a time',
  truth: 'TRUE or FALSE',
  error: 'an error',
} as const

/** Why a column has its type: the table has it, most cells of a new column have it, or the person chose it. */
export type TypeOrigin = 'table' | 'majority' | 'choice'

const misfitWords = {
  table: (type: ColumnType, is: string) =>
    `The column holds ${wanted[type]}, and this is ${is}. Correct the cell, or name the column differently.`,
  majority: (type: ColumnType, is: string) =>
    `Most cells of this new column hold ${wanted[type]}, and this is ${is}. Correct the cell, or choose Text for the column.`,
  choice: (type: ColumnType, is: string) =>
    `You chose ${wanted[type]} for this new column, and this is ${is}. Correct the cell, or choose Text for the column.`,
} as const satisfies Record<TypeOrigin, unknown>

/** The value of a cell in a column of this type, or a sentence about what is wrong with it. */
export function valueOf(cell: SheetCell, type: ColumnType, origin: TypeOrigin = 'table'): Told {
  const kind = kindOf(cell)
  if (cell === null || kind === null) return { value: null }
  if (typeof cell === 'object' && 'e' in cell)
    return { fault: `The cell holds the error ${cell.e}. Correct the formula, or empty the cell.` }
  const said = sayCell(cell)
  if ('fault' in said || kind === type || type === 'text') return said
  if (kind === 'date' && type === 'moment') return { value: `${said.value} 00:00:00` }
  return { fault: misfitWords[origin](type, found[kind]) }
}

function sayCell(cell: string | boolean | { readonly n: string } | { readonly d: string }): Told {
  if (typeof cell === 'string') return { value: cell }
  if (typeof cell === 'boolean') return { value: cell ? 't' : 'f' }
  return 'n' in cell ? sayNumber(cell.n) : sayStamp(cell.d)
}

function sayNumber(written: string): Told {
  const value = plainNumber(written)
  if (value !== undefined) return { value }
  return { fault: 'The number has more than 18 digits before the point. Correct it in the sheet.' }
}

function sayStamp(written: string): Told {
  const day = written.slice(0, dayLength)
  const [time = ''] = /T(.+)$/u.exec(written)?.slice(1) ?? []
  if (!isDay(day) || !isTime(time))
    return { fault: `${written} is no date between the years 1000 and 9999. Correct the cell.` }
  return { value: time === '' ? day : `${day} ${plainTime(time)}` }
}

function isDay(day: string): boolean {
  const found = new Date(`${day}T00:00:00Z`)
  return day >= '1000' && !Number.isNaN(found.getTime()) && found.toISOString().startsWith(day)
}

function isTime(time: string): boolean {
  return time === '' || /^(?:[01]\d|2[0-3])(?::[0-5]\d){2}(?:\.\d+)?$/u.test(time)
}

/** Without a zero too many, so that equal times are equal texts. */
function plainTime(time: string): string {
  return time.includes('.') ? time.replace(/\.?0+$/u, '') : time
}

/** What a target answers, in the text that we sent. */
export function readBack(value: Value, type: ColumnType): Value {
  if (value === null || type === 'text') return value
  if (type === 'number') return plainNumber(value) ?? value
  if (type === 'truth') return ['t', 'true', '1'].includes(value.toLowerCase()) ? 't' : 'f'
  const [day = '', time = '00:00:00'] = value.split(/[ T]/u)
  return type === 'date' ? day : `${day} ${plainTime(time)}`
}

/** A value as the sheet shows it. */
export function asShown(value: Value, type: ColumnType): Value {
  if (value === null || type !== 'truth') return value
  return value === 't' ? 'TRUE' : 'FALSE'
}

/** A value that was read when its column was of another type. */
export function asType(value: Value, type: ColumnType): Value {
  return value !== null && type === 'moment' && value.length === dayLength ? `${value} 00:00:00` : value
}
