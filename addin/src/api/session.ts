/**
 * The signed-in user, in memory and in the storage of this window, so that a reload keeps the session. No other window
 * sees it.
 */
import type { SessionReply } from '@tributary/contract/sign-in'
import { Subscribers } from '@tributary/client/subscribers'
import { useSyncExternalStore } from 'react'

const key = 'tributary-session'
const subscribers = new Subscribers()
let session: SessionReply | null = readStoredSession()

export function currentSession(): SessionReply | null {
  return session
}

export function useSession(): SessionReply | null {
  return useSyncExternalStore(subscribers.subscribe, currentSession)
}

export function storeSession(next: SessionReply): void {
  session = next
  withStorage((storage) => storage.setItem(key, JSON.stringify(next)))
  subscribers.notify()
}

export function endSession(): void {
  session = null
  withStorage((storage) => storage.removeItem(key))
  subscribers.notify()
}

/** Validates a session from the sign-in window or the storage. Returns null for anything else. */
export function parseSession(text: string | null): SessionReply | null {
  try {
    const value: unknown = JSON.parse(text ?? 'null')
    if (typeof value !== 'object' || value === null) return null
    const { accessToken, email, firstName } = value as Partial<Record<keyof SessionReply, unknown>>
    return [accessToken, email, firstName].every((field) => typeof field === 'string') ? (value as SessionReply) : null
  } catch {
    return null
  }
}

function readStoredSession(): SessionReply | null {
  return parseSession(withStorage((storage) => storage.getItem(key)))
}

/** A browser may deny storage to a frame; then the session lives in memory only. */
function withStorage<T>(use: (storage: Storage) => T): T | null {
  try {
    return use(sessionStorage)
  } catch {
    return null
  }
}
