/** Offers passkeys in the autofill list of the username field, so that users need not know which method they use. */
import type { PasskeySignIn } from '@tributary/contract/sign-in'
import { verificationMs } from '@tributary/contract/limits'
import { useEffect, useEffectEvent } from 'react'
import { call } from '../../api/call.ts'
import { awaitAutofilledPasskey, supportsAutofill } from '../../api/session/passkeys.ts'
import type { useSignIn } from './use-sign-in.ts'

/** Requests a new challenge one minute before the server's challenge expires. */
const challengeRefreshMs = verificationMs - 60_000

/** Paused while another sign-in method is used, because a browser allows one credential request at a time. */
export function usePasskeyAutofill({ signInWith, isBusy }: ReturnType<typeof useSignIn>): void {
  const sendPasskey = useEffectEvent((picked: PasskeySignIn) => void signInWith(() => Promise.resolve(picked)))
  useEffect(() => {
    if (isBusy) return
    const leaving = new AbortController()
    // Swallows errors: autofill is optional, and the other methods still work.
    offerPasskeys(leaving.signal, sendPasskey).catch(() => undefined)
    return () => leaving.abort()
  }, [isBusy])
}

async function offerPasskeys(signal: AbortSignal, onPick: (picked: PasskeySignIn) => void): Promise<void> {
  if (!(await supportsAutofill())) return
  while (!signal.aborted) {
    const { verificationReference, options } = await call('POST /auth/passkey', { body: {}, signal })
    const isStale = AbortSignal.timeout(challengeRefreshMs)
    const passkey = await awaitAutofilledPasskey(options, AbortSignal.any([signal, isStale]))
    if (passkey !== null) return onPick({ verificationReference, passkey })
    if (!isStale.aborted) return
  }
}
