/** Texts and number formats for loads. */
import type { Load, LoadSlice, LoadTargetTable } from '@tributary/contract/loads'

export const typeWords = {
  text: 'text',
  number: 'number',
  date: 'date',
  moment: 'date and time',
  truth: 'true or false',
  empty: 'empty so far',
} as const

export const statusWords: Readonly<Record<Load['Status'], string>> = {
  RECEIVING: 'Not loaded yet',
  COMMITTING: 'Loading',
  LOADED: 'Loaded',
  UNDONE: 'Undone',
  CANCELLED: 'Cancelled',
  FAILED: 'Failed',
}

const wholeFormat = new Intl.NumberFormat('en-GB')
const exactFormat = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 20 })
const timeFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' })

export function formatCount(count: number): string {
  return wholeFormat.format(count)
}

/** Formats an exact decimal without losing a digit: '-1234.50' as '−1,234.5'. */
export function formatAmount(decimal: string): string {
  return exactFormat.format(decimal as Intl.StringNumericLiteral).replace('-', '−')
}

export function formatRows(rows: number): string {
  return `${formatCount(rows)} ${rows === 1 ? 'row' : 'rows'}`
}

export function formatColumns(columns: number): string {
  return `${formatCount(columns)} ${columns === 1 ? 'column' : 'columns'}`
}

export function formatTime(utc: string): string {
  return timeFormat.format(new Date(utc))
}

/** A load into a helper table has one slice, without names. */
export function formatSlice({
  Entity,
  Area,
  Subarea,
  Milestone,
}: Pick<LoadSlice, 'Entity' | 'Area' | 'Subarea' | 'Milestone'>): string {
  const names = [Entity, Area, Subarea, Milestone].filter((name) => name !== '')
  return names.length === 0 ? 'The whole table' : names.join(' / ')
}

/** Why nothing can be loaded into the table, or null. */
export function findWriteObstacle({ Kind, MayWrite }: LoadTargetTable): string | null {
  if (MayWrite) return null
  return Kind === 'version' ? 'it is locked, or all its milestones are' : 'it is locked'
}

/** Excel's name of a column: 0 is A, 26 is AA. */
export function formatColumnName(column: number): string {
  const before = Math.floor(column / 26)
  return `${before === 0 ? '' : formatColumnName(before - 1)}${String.fromCodePoint(65 + (column % 26))}`
}
