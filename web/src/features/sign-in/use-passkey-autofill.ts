/** The browser offers passkeys in the list of names that it has kept, so that nobody has to know which way they sign in. */
import { verificationMs } from '@tributary/contract/limits'
import { useEffect, useEffectEvent } from 'react'
import { call } from '../../api/call.ts'
import { awaitAutofilledPasskey, supportsAutofill } from '../../api/session/passkeys.ts'
import type { useSignIn } from './use-sign-in.ts'

/** Before the server has forgotten its question, another one is asked for. */
const freshMs = verificationMs - 60_000

/** Rests while another way to sign in is tried: a browser asks for one thing at a time. */
export function usePasskeyAutofill({ signInWith, isBusy }: ReturnType<typeof useSignIn>): void {
  const sendPasskey = useEffectEvent((picked: Picked) => void signInWith(() => Promise.resolve(picked)))
  useEffect(() => {
    if (isBusy) return
    const leaving = new AbortController()
    // It is an offer only: where it fails the other ways are there.
    offer(leaving.signal, sendPasskey).catch(() => undefined)
    return () => leaving.abort()
  }, [isBusy])
}

interface Picked {
  readonly verificationReference: string
  readonly passkey: Record<string, unknown>
}

async function offer(signal: AbortSignal, onPick: (picked: Picked) => void): Promise<void> {
  if (!(await supportsAutofill())) return
  while (!signal.aborted) {
    const { verificationReference, options } = await call('POST /auth/passkey', { body: {}, signal })
    const isStale = AbortSignal.timeout(freshMs)
    const passkey = await awaitAutofilledPasskey(options, AbortSignal.any([signal, isStale]))
    if (passkey !== null) return onPick({ verificationReference, passkey })
    if (!isStale.aborted) return
  }
}
