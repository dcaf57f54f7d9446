/** Exchanging the refresh cookie for a new access token: once, by one tab for all. */
import type { Session } from '@tributary/contract/sign-in'
import { CallError } from '../call-error.ts'
import { readToken, storeSession } from './session.ts'

const lock = 'tributary-session'

/**
 * A token that is newer than `stale`, or null when the session is over. Tabs wait for each other: the one that comes first
 * renews, the others find its token. Throws a CallError when the server cannot be reached, which ends no session.
 */
export function renewToken(stale: string | null): Promise<string | null> {
  return alone(async () => {
    const current = readToken()
    if (current === null) return null
    if (current !== stale) return current
    return (await exchange({}))?.accessToken ?? null
  })
}

/** A session that speaks for another organisation, or null when the session is over. */
export function renewFor(organisationId: string): Promise<Session | null> {
  return alone(() => exchange({ organisationId }))
}

let last: Promise<unknown> = Promise.resolve()

/** One at a time among all tabs. Over plain http a browser has no locks; then only this tab's calls wait for each other. */
function alone<T>(work: () => Promise<T>): Promise<T> {
  const locks = navigator.locks as LockManager | null | undefined
  if (locks) return locks.request(lock, work)
  const mine = last.then(work)
  last = mine.catch(() => undefined)
  return mine
}

async function exchange(body: { organisationId?: string }): Promise<Session | null> {
  const response = await fetch('/api/auth/refresh', {
    method: 'POST',
    credentials: 'include',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }).catch(() => {
    throw CallError.unreachable()
  })
  if (response.status === 401) return null
  if (!response.ok) throw await CallError.from(response)
  const session = (await response.json()) as Session
  storeSession(session)
  return session
}
