import type { SignIn } from '@tributary/contract/session'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { CallError, somethingWrong } from '../../api/call-error.ts'
import { storeSession } from '../../api/session.ts'

const checkBoth = 'Please check your email address and password.'

/** Signing in stores the session; the page then leaves by itself. */
export function useSignIn() {
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<string | null>(null)

  async function signIn(body: SignIn) {
    setBusy(true)
    setError(null)
    try {
      const session = await call('POST /auth/signin', { body })
      if (session.accessToken) storeSession(session)
      else setError(checkBoth)
    } catch (cause) {
      setError(sentence(cause))
    } finally {
      setBusy(false)
    }
  }
  return { signIn, isBusy, error, dismissError: () => setError(null) }
}

function sentence(cause: unknown): string {
  if (!(cause instanceof CallError)) return somethingWrong
  if (cause.statusCode === 401 || cause.statusCode === 404) return checkBoth
  // The server says when the next attempt is allowed.
  return cause.statusCode === 429 ? cause.message : somethingWrong
}
