import type { SignIn } from '@tributary/contract/sign-in'
import { useRef, useState } from 'react'
import { call } from '../../api/call.ts'
import { CallError } from '@tributary/client/call-error'
import { requestPasskey } from '../../api/session/passkeys.ts'
import { storeSession } from '../../api/session/session.ts'

const failed = 'Verification failed.'
const unknown = 'An unkown error has occured.'

/** Confirming a sign-in stores the session, and the page then leaves by itself. */
export function useVerification(verificationReference: string, verificationTrustDevice: boolean) {
  const [isBusy, setBusy] = useState(false)
  // A second click may come before the page is drawn as busy.
  const isUnderWay = useRef(false)
  const [error, setError] = useState<string | null>(null)
  /** What the server says of when to try again. */
  const [advice, setAdvice] = useState<string | null>(null)

  async function attempt(get: () => Promise<SignIn | null>) {
    if (isUnderWay.current) return
    isUnderWay.current = true
    setBusy(true)
    setError(null)
    setAdvice(null)
    try {
      const body = await get()
      if (body === null) return
      const reply = await call('POST /auth/signin', { body })
      if ('accessToken' in reply && reply.accessToken) storeSession(reply)
      else setError(failed)
    } catch (cause) {
      const isKnown = cause instanceof CallError
      setError(isKnown && cause.statusCode === 401 ? failed : unknown)
      setAdvice(isKnown && cause.statusCode === 429 ? cause.message : null)
    } finally {
      isUnderWay.current = false
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
