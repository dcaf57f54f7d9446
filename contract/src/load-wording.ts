/** How portal and task pane write what a load holds. Pure, and free of zod, because browsers import it. */
import type { LoadSlice } from './loads.ts'

export const columnTypeWords = {
  text: 'text',
  number: 'number',
  date: 'date',
  moment: 'date and time',
  truth: 'true or false',
} as const

const wholeFormat = new Intl.NumberFormat('en-GB')
const exactFormat = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 20 })

export function formatRowCount(rows: number): string {
  return `${wholeFormat.format(rows)} ${rows === 1 ? 'row' : 'rows'}`
}

/** Formats an exact decimal without losing a digit: '-1234.50' as '−1,234.5'. */
export function formatAmount(decimal: string): string {
  return exactFormat.format(decimal as Intl.StringNumericLiteral).replace('-', '−')
}

/** A load into a helper table has one slice, without names. */
export function describeSlice({
  Entity,
  Area,
  Subarea,
  Milestone,
}: Pick<LoadSlice, 'Entity' | 'Area' | 'Subarea' | 'Milestone'>): string {
  const names = [Entity, Area, Subarea, Milestone].filter((name) => name !== '')
  return names.length === 0 ? 'The whole table' : names.join(' / ')
}
