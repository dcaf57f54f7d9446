import { IconArchive, IconCircleCheck, IconLock } from '@tabler/icons-react'
import type { BadgeLook } from '../../ui/display/status-badge.tsx'

/** A missing status displays as ACTIVE. */
export function statusLook(status: string | undefined): BadgeLook {
  const word = (status === undefined || status === '' ? 'active' : status).toUpperCase()
  if (word === 'LOCKED') return { word, tone: 'warn', icon: IconLock }
  if (word === 'ARCHIVED') return { word, tone: 'quiet', icon: IconArchive }
  return { word, tone: 'ok', icon: IconCircleCheck }
}
