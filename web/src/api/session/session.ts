/** Who is signed in. Kept in the browser's storage, so that every tab and every reload sees the same. */
import type { Session } from '@tributary/contract/sign-in'
import { useSyncExternalStore } from 'react'
import { clearStorage, readJson, readText, removeCookie, writeCookie, writeJson, writeText } from '../local-storage.ts'

export type Identity = Omit<Session, 'accessToken'>

const listeners = new Set<() => void>()
let known: { text: string | null; identity: Identity | null } = { text: null, identity: null }

export function readToken(): string | null {
  return readText('jwt')
}

/** From now on the page shows who was signed in until it is left, or somebody signs in, whatever becomes of the storage meanwhile. */
let isLeaving = false
export function beginLeaving(): void {
  readIdentity()
  isLeaving = true
}

/** The same object as long as nothing changed, so that React can compare it. */
export function readIdentity(): Identity | null {
  if (isLeaving) return known.identity
  const text = readToken() === null ? null : readText('user')
  if (text !== known.text) known = { text, identity: text === null ? null : (readJson<Identity>('user') ?? null) }
  return known.identity
}

export function useIdentity(): Identity | null {
  return useSyncExternalStore(subscribe, readIdentity)
}

export function storeSession({ accessToken, ...identity }: Session): void {
  isLeaving = false
  writeText('jwt', accessToken)
  writeJson('user', { ...identity, role: (identity.role || roleClaim(accessToken)).toLowerCase() })
  writeCookie('logged_in', 'true')
  writeCookie('logged_in_name', identity.firstName)
  announceChange()
}

/** Forgets everything that was kept; the gate then shows the sign-in page. */
export function endSession(): void {
  forgetSession()
  announceChange()
}

/** As `endSession`, for a caller that leaves the page at once. */
export function forgetSession(): void {
  clearStorage()
  removeCookie('logged_in')
}

export function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  window.addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', listener)
  }
}

function announceChange(): void {
  for (const listener of listeners) listener()
}

/** In milliseconds since 1970; never, where the token does not say. */
export function tokenEnd(token: string): number {
  const { exp } = claimsOf(token)
  return typeof exp === 'number' ? exp * 1_000 : Number.POSITIVE_INFINITY
}

function roleClaim(token: string): string {
  const { role } = claimsOf(token)
  return typeof role === 'string' ? role : ''
}

function claimsOf(token: string): { readonly role?: unknown; readonly exp?: unknown } {
  try {
    const payload = (token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/')
    return (JSON.parse(atob(payload)) as { role?: unknown; exp?: unknown } | null) ?? {}
  } catch {
    return {}
  }
}
