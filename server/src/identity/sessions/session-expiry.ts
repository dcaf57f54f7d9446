/** When a session runs out by itself. */
import {
  providerSessionAbsoluteMs,
  providerSessionIdleMs,
  sessionAbsoluteMs,
  sessionIdleMs,
} from '@tributary/contract/limits'
import type { SessionFacts } from './session-queries.ts'

/** Who sees every organisation is let go sooner. */
export function findExpiry(
  { createdAt, providerRole }: Pick<SessionFacts, 'createdAt' | 'providerRole'>,
  lastActiveAt: number,
  now: number,
): 'idle' | 'too old' | null {
  const isProvider = providerRole !== null
  if (now - Date.parse(createdAt) > (isProvider ? providerSessionAbsoluteMs : sessionAbsoluteMs)) return 'too old'
  return now - lastActiveAt > (isProvider ? providerSessionIdleMs : sessionIdleMs) ? 'idle' : null
}
