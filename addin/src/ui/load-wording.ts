/** Texts and number formats for loads. */
import type { Load, LoadTargetTable } from '@tributary/contract/loads'
import { columnTypeWords } from '@tributary/contract/load-wording'

export const typeWords = { ...columnTypeWords, empty: 'empty so far' } as const

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

export function formatRowCount(rows: number): string {
  return `${formatCount(rows)} ${rows === 1 ? 'row' : 'rows'}`
}

/** Formats an exact decimal without losing a digit: '-1234.50' as '−1,234.5'. */
export function formatAmount(decimal: string): string {
  return exactFormat.format(decimal as Intl.StringNumericLiteral).replace('-', '−')
}

export function formatColumns(columns: number): string {
  return `${formatCount(columns)} ${columns === 1 ? 'column' : 'columns'}`
}

export function formatTime(utc: string): string {
  return timeFormat.format(new Date(utc))
}

/** Why nothing can be loaded into the table, or null. */
export function findWriteObstacle({ Kind, MayWrite }: LoadTargetTable): string | null {
  if (MayWrite) return null
  return Kind === 'version' ? 'it is locked, or all its milestones are' : 'it is locked'
}
