/** Why sessions end, and their idle and absolute timeouts. */
import {
  providerSessionAbsoluteMs,
  providerSessionIdleMs,
  sessionAbsoluteMs,
  sessionIdleMs,
} from '@tributary/contract/limits'
import type { SessionFacts } from './session-queries.ts'

/** As the store keeps it. */
export type SessionEndReason =
  | 'signed out'
  | 'signed out elsewhere'
  | 'too many'
  | 'idle'
  | 'too old'
  | 'refresh token reused'
  | 'second factor'
  | 'locked'
  | 'archived'
  | 'new password'
  | 'new role'
  | 'removed'
  | 'ended by an administrator'

/** Sessions of the provider expire sooner, because they see every organisation. */
export function findExpiry(
  { createdAt, providerRole }: Pick<SessionFacts, 'createdAt' | 'providerRole'>,
  lastActiveAt: number,
  now: number,
): 'idle' | 'too old' | null {
  const isProvider = providerRole !== null
  if (now - Date.parse(createdAt) > (isProvider ? providerSessionAbsoluteMs : sessionAbsoluteMs)) return 'too old'
  return now - lastActiveAt > (isProvider ? providerSessionIdleMs : sessionIdleMs) ? 'idle' : null
}
