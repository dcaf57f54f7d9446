/** Calls to the server: `call('GET /organisations')`. */
import { createClient } from '@tributary/client/create-client'
import { createTokenRenewal, type SessionStore } from '@tributary/client/token-renewal'
import { currentSession, storeSession } from './session.ts'

const timeoutMs = 30_000
/** A check reads the whole table, after it has waited up to a minute for the table lock. */
const longTimeoutMs = 300_000
const isLong = /\/(?:check|commit|undo)$/

/** A session that has ended stays: what the user entered is kept until they sign in again. */
const session: SessionStore = {
  readToken: () => currentSession()?.accessToken ?? null,
  // Excel on the web shows the pane in a frame of another site, to which browsers send no cookies of this one.
  mayRenew: () => window.self === window.top,
  store(renewed) {
    // The cookie may belong to another user, who uses the portal in the same browser.
    if (renewed.email !== currentSession()?.email) return false
    storeSession(renewed)
    return true
  },
}

export const { call } = createClient({
  session,
  renewal: createTokenRenewal(session),
  timeoutMs: (path) => (isLong.test(path) ? longTimeoutMs : timeoutMs),
})
