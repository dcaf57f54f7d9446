/** The result of comparing the target with the source's own report, with the same label and colour everywhere. */
import type { TieOutState } from '@tributary/contract/tie-out-state'
import { IconEqual, IconEqualNot } from '@tabler/icons-react'
import { IconAlertTriangle } from '@tabler/icons-react/visitor-icons'
import { type StatusBadgeProps, StatusBadge } from '../../ui/display/status-badge.tsx'

const tieOutBadges: Record<TieOutState, StatusBadgeProps> = {
  green: {
    label: 'Ties out',
    tone: 'ok',
    icon: IconEqual,
    tooltip: 'Every account of every month is equal to the source’s own report.',
  },
  amber: {
    label: 'Ties out with remarks',
    tone: 'warn',
    icon: IconAlertTriangle,
    tooltip: 'Something could not be compared, or differs only by what the source computes beyond its documents.',
  },
  red: {
    label: 'Does not tie out',
    tone: 'error',
    icon: IconEqualNot,
    tooltip: 'At least one account differs from the source’s own report.',
  },
}

/** For one of several companies that the latest comparison left out. */
export function NotComparedBadge() {
  return (
    <StatusBadge
      label="Not compared"
      tone="warn"
      icon={IconAlertTriangle}
      tooltip="The latest comparison left it out. Its rows are those of an earlier run."
    />
  )
}

export function TieOutBadge({ state }: { state: TieOutState }) {
  return <StatusBadge {...tieOutBadges[state]} />
}
