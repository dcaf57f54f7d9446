import { IconArchive } from '@tabler/icons-react'
import { IconCircleCheck, IconLock } from '@tabler/icons-react/visitor-icons'
import type { StatusBadgeProps } from '../../ui/display/status-badge.tsx'

/** A missing status is shown as ACTIVE. */
export function recordStatusBadge(status: string | undefined): StatusBadgeProps {
  const label = (status === undefined || status === '' ? 'active' : status).toUpperCase()
  if (label === 'LOCKED') return { label, tone: 'warn', icon: IconLock }
  if (label === 'ARCHIVED') return { label, tone: 'quiet', icon: IconArchive }
  return { label, tone: 'ok', icon: IconCircleCheck }
}
