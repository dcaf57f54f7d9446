/** Labels of loads. */
import type { CellKind, ColumnType } from '@tributary/contract/column-types'
import type { Load, LoadSlice, LoadTargetTable } from '@tributary/contract/loads'
import type { LoadKind } from '@tributary/contract/load-columns'
import { IconArrowBackUp, IconLoader } from '@tabler/icons-react'
import { IconCircleCheck, IconCircleDashed, IconX } from '@tabler/icons-react/visitor-icons'
import { formatCount } from '../../ui/tables/data-table.tsx'
import type { StatusBadgeProps } from '../../ui/display/status-badge.tsx'

export const loadStatusBadges: Readonly<Record<Load['Status'], StatusBadgeProps>> = {
  RECEIVING: { label: 'NOT LOADED YET', tone: 'info', icon: IconCircleDashed },
  COMMITTING: { label: 'LOADING', tone: 'info', icon: IconLoader, isPulsing: true },
  LOADED: { label: 'LOADED', tone: 'ok', icon: IconCircleCheck },
  UNDONE: { label: 'UNDONE', tone: 'warn', icon: IconArrowBackUp },
  CANCELLED: { label: 'CANCELLED', tone: 'quiet', icon: IconX },
  FAILED: { label: 'FAILED', tone: 'error', icon: IconX },
}

export const typeDescriptions = {
  text: 'text',
  number: 'number',
  date: 'date',
  moment: 'date and time',
  truth: 'true or false',
} as const

/** Labels of the types in choices. */
export const typeLabels: Readonly<Record<ColumnType, string>> = {
  text: 'Text',
  number: 'Number',
  date: 'Date',
  moment: 'Date and time',
  truth: 'True or false',
}

const kindLabels: Readonly<Record<CellKind, readonly [one: string, many: string]>> = {
  text: ['text', 'texts'],
  number: ['number', 'numbers'],
  date: ['date', 'dates'],
  moment: ['date with a time', 'dates with a time'],
  truth: ['TRUE or FALSE', 'TRUE or FALSE'],
  error: ['error of the sheet', 'errors of the sheet'],
}

/** Formats '1,999 numbers, 1 text', the most frequent kind first. */
export function summariseKinds(kinds: readonly LoadKind[]): string {
  const sorted = kinds.toSorted((one, other) => other.Cells - one.Cells)
  return sorted.map(({ Kind, Cells }) => `${formatCount(Cells)} ${kindLabels[Kind][Cells === 1 ? 0 : 1]}`).join(', ')
}

const digits = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 20 })

/** Formats an exact decimal without losing a digit: '-1234.50' becomes '−1,234.5'. */
export function formatAmount(exact: string): string {
  return digits.format(exact as Intl.StringNumericLiteral).replace('-', '−')
}

export function formatRowCount(rows: number): string {
  return `${formatCount(rows)} ${rows === 1 ? 'row' : 'rows'}`
}

/** A helper table has a single slice without names. */
export function describeSlice({
  Entity,
  Area,
  Subarea,
  Milestone,
}: Pick<LoadSlice, 'Entity' | 'Area' | 'Subarea' | 'Milestone'>): string {
  const names = [Entity, Area, Subarea, Milestone].filter((name) => name !== '')
  return names.length === 0 ? 'The whole table' : names.join(' / ')
}

/** Why nothing can be loaded into the table; null if it can. */
export function refusalReason({ Kind, MayWrite, Milestones }: LoadTargetTable): string | null {
  if (MayWrite && (Kind === 'helperTable' || Milestones.some((milestone) => milestone.MayWrite))) return null
  if (Kind === 'version' && Milestones.length === 0) return 'no milestone of it is assigned to you'
  return Kind === 'version' ? 'it is locked, or all its milestones are' : 'it is locked'
}
