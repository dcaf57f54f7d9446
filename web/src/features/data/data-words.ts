/** Words and figures of the explorer. */
import type {
  DataCell,
  DataColumn,
  DataColumnKind,
  DataFilter,
  DataTable,
  DataTableSummary,
} from '@tributary/contract/data'
import type { DataFilterOperator } from '@tributary/contract/limits'
import { formatCount, formatDay, formatDecimal, formatMoment, formatRowCount } from '../../ui/formats.ts'

export function describeRows({ Rows, IsEstimate }: Pick<DataTableSummary, 'Rows' | 'IsEstimate'>): string {
  if (Rows === null) return 'not counted'
  return IsEstimate ? `about ${formatRowCount(roundEstimate(Rows))}` : formatRowCount(Rows)
}

/** Two digits: an estimate does not know more. */
function roundEstimate(rows: number): number {
  return Number(rows.toPrecision(2))
}

export function formatRowsCell({ Rows, IsEstimate }: Pick<DataTableSummary, 'Rows' | 'IsEstimate'>): string {
  if (Rows === null) return '–'
  return IsEstimate ? `≈ ${formatCount(roundEstimate(Rows))}` : formatCount(Rows)
}

/** A cell as a person reads it, without losing a digit. The exact value is `exactText`. */
export function formatCell(value: DataCell, { Kind }: Pick<DataColumn, 'Kind'>): string {
  if (value === null) return '–'
  const text = String(value)
  switch (Kind) {
    case 'decimal':
      return isPlainNumber(text) ? formatDecimal(text, hasCents(text) ? 2 : 0) : text
    case 'date':
      return isCommonDate(text) ? formatDay(text, 'date') : text
    case 'instant':
      return isCommonDate(text) ? formatMoment(text, 'dateTime') : text
    case 'localTimestamp':
      return isCommonDate(text) ? formatMoment(text, 'dateTime', 'UTC') : text
    default:
      return text
  }
}

/** For the clipboard and the tooltip. */
export function exactText(value: DataCell): string {
  return value === null ? '' : String(value)
}

/** As many digits as `formatDecimal` writes. */
function isPlainNumber(text: string): boolean {
  return /^-?\d+(?:\.\d{1,20}0*)?$/u.test(text)
}

function hasCents(text: string): boolean {
  return /\.\d/u.test(text)
}

/** Dates that were clamped to the ends of the calendar stay as they are. */
function isCommonDate(text: string): boolean {
  return /^[1-8]\d{3}-\d\d-\d\d/u.test(text)
}

export function isNumberKind(kind: DataColumnKind): boolean {
  return kind === 'integer' || kind === 'decimal' || kind === 'double'
}

const dated: readonly DataColumnKind[] = ['date', 'localTimestamp', 'instant']

/** How a column may be filtered, the most useful first. */
export function operatorsOf({ Kind }: Pick<DataColumn, 'Kind'>): readonly DataFilterOperator[] {
  const filled = ['empty', 'notEmpty'] as const
  if (dated.includes(Kind)) return ['between', 'today', 'thisMonth', 'lastMonth', 'thisYear', 'lastYear', ...filled]
  if (isNumberKind(Kind) || Kind === 'time') return ['between', 'oneOf', 'noneOf', ...filled]
  if (Kind === 'boolean' || Kind === 'guid') return ['oneOf', 'noneOf', ...filled]
  return Kind === 'bytes' ? filled : ['contains', 'startsWith', 'oneOf', 'noneOf', ...filled]
}

export const operatorWords: Readonly<Record<DataFilterOperator, string>> = {
  contains: 'contains',
  startsWith: 'begins with',
  oneOf: 'is',
  noneOf: 'is not',
  between: 'is between',
  empty: 'is empty',
  notEmpty: 'is not empty',
  today: 'is today',
  thisMonth: 'is in this month',
  lastMonth: 'is in the last month',
  thisYear: 'is in this year',
  lastYear: 'is in the last year',
}

/** `total is from 10 to 20`. */
export function describeFilter({ column, operator, values = [] }: DataFilter): string {
  const words = `${column} ${operatorWords[operator]}`
  if (operator === 'between') {
    const [from = '', to = ''] = values.map(formatFilterValue)
    if (to === '') return `${column} is ${from} or more`
    return from === '' ? `${column} is ${to} or less` : `${column} is from ${from} to ${to}`
  }
  return values.length === 0 ? words : `${words} ${values.map(formatFilterValue).join(' or ')}`
}

function formatFilterValue(value: string): string {
  return /^[1-8]\d{3}-\d\d-\d\d$/u.test(value) ? formatDay(value, 'date') : value
}

/** Whether the rows in this order come at once. */
export function isFastOrder({ Columns }: DataTable, sort: string | null): boolean {
  return sort === null || Columns.some(({ Name, IsIndexed }) => Name === sort && IsIndexed)
}
