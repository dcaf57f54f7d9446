/** Renewal of the access token in the storage that all tabs share. */
import { createTokenRenewal, type SessionStore } from '@tributary/client/token-renewal'
import { endSession, readToken, storeSession } from './session.ts'

export const sessionStore: SessionStore = {
  readToken,
  store(session) {
    storeSession(session)
    return true
  },
  end: endSession,
}

export const renewal = createTokenRenewal(sessionStore)
export const { renewTokenFor } = renewal
