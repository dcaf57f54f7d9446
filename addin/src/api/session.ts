/** Who is signed in. In memory, and in this window's storage, so that a reload of the pane loses nothing; no other window sees it. */
import type { Session } from '@tributary/contract/sign-in'
import { useSyncExternalStore } from 'react'

const key = 'tributary-session'
const listeners = new Set<() => void>()
let session: Session | null = read()

export function currentSession(): Session | null {
  return session
}

export function useSession(): Session | null {
  return useSyncExternalStore(subscribe, currentSession)
}

export function storeSession(next: Session): void {
  session = next
  inStorage((storage) => storage.setItem(key, JSON.stringify(next)))
  announce()
}

export function endSession(): void {
  session = null
  inStorage((storage) => storage.removeItem(key))
  announce()
}

/** What the dialog or the storage gives may be anything. */
export function asSession(value: unknown): Session | null {
  if (typeof value !== 'object' || value === null) return null
  const { accessToken, email, firstName } = value as Partial<Record<keyof Session, unknown>>
  return [accessToken, email, firstName].every((part) => typeof part === 'string') ? (value as Session) : null
}

function read(): Session | null {
  const text = inStorage((storage) => storage.getItem(key))
  try {
    return asSession(JSON.parse(text ?? 'null'))
  } catch {
    return null
  }
}

/** A browser may refuse storage to a frame; then memory alone must do. */
function inStorage<T>(use: (storage: Storage) => T): T | null {
  try {
    return use(sessionStorage)
  } catch {
    return null
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function announce(): void {
  for (const listener of listeners) listener()
}
