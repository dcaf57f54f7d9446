/** Labels of the states of connectors. */
import type { ConnectorState } from '@tributary/contract/overview'
import { IconCheck, IconClockExclamation, IconPlugOff, IconProgress } from '@tabler/icons-react'
import { IconAlertTriangle, IconCircle, IconX } from '@tabler/icons-react/visitor-icons'
import type { StatusBadgeProps } from '../../ui/display/status-badge.tsx'

export const stateBadges: Readonly<Record<ConnectorState, StatusBadgeProps>> = {
  forbidden: { label: 'Sign-in refused', tone: 'error', icon: IconX },
  targetDown: { label: 'Target unreachable', tone: 'error', icon: IconX },
  failed: { label: 'Failed', tone: 'error', icon: IconX },
  tieOut: { label: 'Does not tie out', tone: 'error', icon: IconX },
  differences: { label: 'Rows differ', tone: 'error', icon: IconX },
  changes: { label: 'Change to review', tone: 'warn', icon: IconAlertTriangle },
  stalled: { label: 'Taking long', tone: 'warn', icon: IconClockExclamation },
  late: { label: 'Late', tone: 'warn', icon: IconClockExclamation },
  running: { label: 'Running', tone: 'info', icon: IconProgress, isPulsing: true },
  never: { label: 'Never started', tone: 'quiet', icon: IconCircle },
  fresh: { label: 'Up to date', tone: 'ok', icon: IconCheck },
  awaitsApproval: { label: 'Waits for approval', tone: 'warn', icon: IconClockExclamation },
  disconnected: { label: 'Disconnected', tone: 'quiet', icon: IconPlugOff },
}
