import type { SignIn } from '@tributary/contract/sign-in'
import { useRef, useState } from 'react'
import { call } from '../../api/call.ts'
import { CallError } from '@tributary/client/call-error'
import { requestPasskey } from '../../api/session/passkeys.ts'
import { storeSession } from '../../api/session/session.ts'

const verificationFailed = 'Verification failed.'
const unknownError = 'An unkown error has occured.'

/** Confirms a sign-in. Stores the session, after which the page redirects. */
export function useVerification(verificationReference: string, verificationTrustDevice: boolean) {
  const [isBusy, setBusy] = useState(false)
  // Guards against a second click before the busy state is rendered.
  const isInFlight = useRef(false)
  const [error, setError] = useState<string | null>(null)
  /** The server's message about when to retry. */
  const [advice, setAdvice] = useState<string | null>(null)

  async function attempt(get: () => Promise<SignIn | null>) {
    if (isInFlight.current) return
    isInFlight.current = true
    setBusy(true)
    setError(null)
    setAdvice(null)
    try {
      const body = await get()
      if (body === null) return
      const reply = await call('POST /auth/signin', { body })
      if ('accessToken' in reply && reply.accessToken) storeSession(reply)
      else setError(verificationFailed)
    } catch (cause) {
      const isKnown = cause instanceof CallError
      setError(isKnown && cause.statusCode === 401 ? verificationFailed : unknownError)
      setAdvice(isKnown && cause.statusCode === 429 ? cause.message : null)
    } finally {
      isInFlight.current = false
      setBusy(false)
    }
  }

  return {
    isBusy,
    error,
    advice,
    dismissError: () => setError(null),
    confirm: (code: string) =>
      attempt(() => Promise.resolve({ verificationReference, verificationCode: code.trim(), verificationTrustDevice })),
    confirmByPasskey: () =>
      attempt(async () => {
        const { options } = await call('POST /auth/passkey', { body: { verificationReference } })
        const passkey = await requestPasskey(options)
        return passkey === null ? null : { verificationReference, passkey, verificationTrustDevice }
      }),
  }
}
