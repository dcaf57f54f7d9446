/** Labels of loads. */
import type { CellKind, ColumnType } from '@tributary/contract/column-types'
import type { Load, LoadTargetTable } from '@tributary/contract/loads'
import type { LoadKind } from '@tributary/contract/load-columns'
import { IconArrowBackUp, IconLoader } from '@tabler/icons-react'
import { IconCircleCheck, IconCircleDashed, IconX } from '@tabler/icons-react/visitor-icons'
import type { StatusBadgeProps } from '../../ui/display/status-badge.tsx'
import { formatCount } from '../../ui/formats.ts'

export const loadStatusBadges: Readonly<Record<Load['Status'], StatusBadgeProps>> = {
  RECEIVING: { label: 'NOT LOADED YET', tone: 'info', icon: IconCircleDashed },
  COMMITTING: { label: 'LOADING', tone: 'info', icon: IconLoader, isPulsing: true },
  LOADED: { label: 'LOADED', tone: 'ok', icon: IconCircleCheck },
  UNDONE: { label: 'UNDONE', tone: 'warn', icon: IconArrowBackUp },
  CANCELLED: { label: 'CANCELLED', tone: 'quiet', icon: IconX },
  FAILED: { label: 'FAILED', tone: 'error', icon: IconX },
}

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

/** Why nothing can be loaded into the table; null if it can. */
export function refusalReason({ Kind, MayWrite, Milestones }: LoadTargetTable): string | null {
  if (MayWrite && (Kind === 'helperTable' || Milestones.some((milestone) => milestone.MayWrite))) return null
  if (Kind === 'version' && Milestones.length === 0) return 'no milestone of it is assigned to you'
  return Kind === 'version' ? 'it is locked, or all its milestones are' : 'it is locked'
}
