/** Exchanges the refresh cookie for a new access token: one tab at a time, for all tabs. */
import type { SessionReply } from '@tributary/contract/sign-in'
import { CallError } from './call-error.ts'

/** Where an application keeps its session. */
export interface SessionStore {
  /** Null if no user is signed in. */
  readToken(): string | null
  /** False where the browser sends no refresh cookie. By default it does. */
  mayRenew?(): boolean
  /** Stores a renewed session. Returns false if it must not replace the current one, which then counts as ended. */
  store(session: SessionReply): boolean
  /** Called when the session has ended and cannot be renewed. */
  end?(): void
}

export interface TokenRenewal {
  /**
   * Returns a token newer than `stale`, or null if the session has ended. Tabs wait for each other: the first one
   * renews, the others find its token. Throws a CallError if the server cannot be reached, which ends no session.
   */
  renewToken(stale: string): Promise<string | null>
  /** Switches the session to another organisation. Returns null if the session has ended. */
  renewTokenFor(organisationId: string): Promise<SessionReply | null>
}

export function createTokenRenewal(store: SessionStore): TokenRenewal {
  const renew = async (body: RefreshBody) => {
    const session = await refreshSession(body)
    return session !== null && store.store(session) ? session : null
  }
  return {
    async renewToken(stale) {
      if (store.readToken() === stale && store.mayRenew?.() === false) return null
      return withRenewalLock(async () => {
        const current = store.readToken()
        if (current !== stale) return current
        return (await renew({}))?.accessToken ?? null
      })
    },
    renewTokenFor: (organisationId) => withRenewalLock(() => renew({ organisationId })),
  }
}

const lockName = 'tributary-session'
let previous: Promise<unknown> = Promise.resolve()

/** A mutex for all tabs. Over plain HTTP browsers have no locks; then it holds only within this tab. */
function withRenewalLock<T>(work: () => Promise<T>): Promise<T> {
  const locks = navigator.locks as LockManager | null | undefined
  if (locks) return locks.request(lockName, work)
  const result = previous.then(work)
  previous = result.catch(() => undefined)
  return result
}

interface RefreshBody {
  readonly organisationId?: string
}

/** A request that hangs would hold the lock for all tabs. */
const timeoutMs = 30_000

/**
 * Returns the session of the refresh cookie, or null without one. Throws a CallError if the server cannot be reached.
 */
export async function refreshSession(body: RefreshBody = {}): Promise<SessionReply | null> {
  const timeout = AbortSignal.timeout(timeoutMs)
  try {
    const response = await fetch('/api/auth/refresh', {
      method: 'POST',
      headers: { accept: 'application/json', 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: timeout,
    })
    if (response.status === 401) return null
    if (!response.ok) throw await CallError.from(response)
    return (await response.json()) as SessionReply
  } catch (error) {
    if (error instanceof CallError) throw error
    throw timeout.aborted ? CallError.timedOut(timeoutMs) : CallError.unreachable()
  }
}
