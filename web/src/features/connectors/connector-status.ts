/** Labels, icons and colours of a connector's status. */
import type { Connector } from '@tributary/contract/connectors'
import {
  IconCheck,
  IconClockExclamation,
  IconHelp,
  IconPlug,
  IconPlugOff,
  IconProgress,
  IconTrash,
} from '@tabler/icons-react'
import { IconCircle, IconX } from '@tabler/icons-react/visitor-icons'
import { approvalNotice, type ConnectorActivity } from '../../domain/connectors/connector-state.ts'
import type { StatusBadgeProps } from '../../ui/display/status-badge.tsx'

export const forbiddenHint = 'This connector may have been disconnected.'
export const stalledHint = 'This connector seems to be taking longer than expected.'

export function connectorStatusBadge(connector: Connector): StatusBadgeProps {
  const { Status, Log } = connector
  if (Status === 'DISCONNECTED') return { label: 'disconnected', tone: 'quiet', icon: IconPlugOff }
  if (Status === 'DELETED') return { label: 'deleted', tone: 'quiet', icon: IconTrash }
  if (approvalNotice(connector) !== null)
    return { label: 'waits for approval', tone: 'warn', icon: IconClockExclamation }
  if (Log?.Forbidden === true) return { label: 'unkown', tone: 'warn', icon: IconHelp, tooltip: forbiddenHint }
  return { label: 'connected', tone: 'ok', icon: IconPlug }
}

/** `spoken` is the meaning of the icon, for screen readers. */
export const activityBadges: Record<
  ConnectorActivity,
  Pick<StatusBadgeProps, 'tone' | 'icon' | 'isPulsing'> & { spoken?: string }
> = {
  never: { tone: 'quiet', icon: IconCircle },
  running: { tone: 'info', icon: IconProgress, isPulsing: true },
  stalled: { tone: 'warn', icon: IconClockExclamation, spoken: 'Stalled' },
  failed: { tone: 'error', icon: IconX, spoken: 'Failed' },
  completed: { tone: 'ok', icon: IconCheck },
}
