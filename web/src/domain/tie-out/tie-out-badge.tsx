/** What comparing the target with the source's own report came to: the same words and colours wherever it is told. */
import type { TieOutState } from '@tributary/contract/tie-out-state'
import { IconAlertTriangle, IconEqual, IconEqualNot } from '@tabler/icons-react'
import { type BadgeLook, StatusBadge } from '../../ui/display/status-badge.tsx'

const tieOutLooks: Record<TieOutState, BadgeLook> = {
  green: {
    word: 'Ties out',
    tone: 'ok',
    icon: IconEqual,
    hint: 'Every account of every month is equal to the source’s own report.',
  },
  amber: {
    word: 'Ties out with remarks',
    tone: 'warn',
    icon: IconAlertTriangle,
    hint: 'Something could not be compared, or differs only by what the source computes beyond its documents.',
  },
  red: {
    word: 'Does not tie out',
    tone: 'error',
    icon: IconEqualNot,
    hint: 'At least one account differs from the source’s own report.',
  },
}

export function TieOutChip({ state }: { state: TieOutState }) {
  return <StatusBadge {...tieOutLooks[state]} />
}
