/** How loads are told. */
import type { Load, LoadSlice, LoadTable } from '@tributary/contract/loads'

export const kindWords = {
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

const whole = new Intl.NumberFormat('en-GB')
const digits = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 20 })
const moment = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' })

export function count(number: number): string {
  return whole.format(number)
}

/** An exact decimal in text, of which no digit is lost: '-1234.50' as '−1,234.5'. */
export function amount(exact: string): string {
  return digits.format(exact as Intl.StringNumericLiteral).replace('-', '−')
}

export function rowsWord(rows: number): string {
  return `${count(rows)} ${rows === 1 ? 'row' : 'rows'}`
}

export function columnsWord(columns: number): string {
  return `${count(columns)} ${columns === 1 ? 'column' : 'columns'}`
}

export function timeWord(utc: string): string {
  return moment.format(new Date(utc))
}

/** A helper table is one slice without names. */
export function sliceName({
  Entity,
  Area,
  Subarea,
  Milestone,
}: Pick<LoadSlice, 'Entity' | 'Area' | 'Subarea' | 'Milestone'>): string {
  const names = [Entity, Area, Subarea, Milestone].filter((name) => name !== '')
  return names.length === 0 ? 'The whole table' : names.join(' / ')
}

/** Why nothing can be loaded into it; null where something can. */
export function whyNot({ Kind, MayWrite }: LoadTable): string | null {
  if (MayWrite) return null
  return Kind === 'version' ? 'it is locked, or all its milestones are' : 'it is locked'
}

/** Columns as Excel names them: 0 is A, 26 is AA. */
export function columnLetters(column: number): string {
  const before = Math.floor(column / 26)
  return `${before === 0 ? '' : columnLetters(before - 1)}${String.fromCodePoint(65 + (column % 26))}`
}
