/** The signed-in user, in the browser's storage, so that all tabs and reloads share one session. */
import type { SessionReply } from '@tributary/contract/sign-in'
import { readRoleClaim } from '@tributary/client/access-token'
import { Subscribers } from '@tributary/client/subscribers'
import { useSyncExternalStore } from 'react'
import { clearStorage, readJson, readText, removeCookie, writeCookie, writeJson, writeText } from '../local-storage.ts'

export type SignedInUser = Omit<SessionReply, 'accessToken' | 'preferences'>

const subscribers = new Subscribers()
let cached: { text: string | null; identity: SignedInUser | null } = { text: null, identity: null }

export function readToken(): string | null {
  return readText('jwt')
}

let isLeaving = false
/**
 * From now on the page shows the same user until it is left or a user signs in, even if the storage changes meanwhile.
 */
export function beginLeaving(): void {
  readIdentity()
  isLeaving = true
}

/** Returns the same object as long as nothing changed, as `useSyncExternalStore` requires. */
export function readIdentity(): SignedInUser | null {
  if (isLeaving) return cached.identity
  const text = readToken() === null ? null : readText('user')
  if (text !== cached.text) cached = { text, identity: text === null ? null : (readJson<SignedInUser>('user') ?? null) }
  return cached.identity
}

export function useIdentity(): SignedInUser | null {
  return useSyncExternalStore(subscribe, readIdentity)
}

export function storeSession({ accessToken, preferences, ...identity }: SessionReply): void {
  isLeaving = false
  writeText('jwt', accessToken)
  writeJson('user', { ...identity, role: (identity.role || readRoleClaim(accessToken)).toLowerCase() })
  writeJson('preferences', preferences)
  writeCookie('logged_in', 'true')
  writeCookie('logged_in_name', identity.firstName)
  subscribers.notify()
}

/** Clears everything that is stored; the gate then shows the sign-in page. */
export function endSession(): void {
  forgetSession()
  subscribers.notify()
}

/** As `endSession`, without a redraw: the caller leaves the page at once. */
export function forgetSession(): void {
  clearStorage()
  removeCookie('logged_in')
}

/** Calls the listener after each change, in this tab or another one. Returns a function that unsubscribes. */
export function subscribe(listener: () => void): () => void {
  const unsubscribe = subscribers.subscribe(listener)
  window.addEventListener('storage', listener)
  return () => {
    unsubscribe()
    window.removeEventListener('storage', listener)
  }
}
