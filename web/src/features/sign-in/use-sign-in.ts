import type { SignIn, SignInReply, VerificationMethod } from '@tributary/contract/session'
import { useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { call } from '../../api/call.ts'
import { CallError, somethingWrong } from '../../api/call-error.ts'
import { storeSession } from '../../api/session.ts'
import { paths } from '../../paths.ts'

const checkBoth = 'Please check your email address and password.'

/** What the page that asks for the code needs, beside the reference in its address. */
export interface CodeAsked {
  readonly methods: readonly VerificationMethod[]
  readonly sentTo: string | null
}

/** Signing in stores the session, and the page then leaves by itself; or it leads to where the code is asked for. */
export function useSignIn() {
  const [params] = useSearchParams()
  const navigate = useNavigate()
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<string | null>(null)
  /** Whom a sign-in link would sign in, where that needs a click. */
  const [asWhom, setAsWhom] = useState<string | null>(null)

  async function accept(reply: SignInReply) {
    if ('confirmationRequired' in reply) return setAsWhom(reply.emailAddress)
    if ('verificationRequired' in reply) {
      const state: CodeAsked = { methods: reply.verificationMethods, sentTo: reply.verificationSentTo }
      return navigate(paths.confirm(reply.verificationReference, params.get('returnUrl')), { state })
    }
    if (reply.accessToken) storeSession(reply)
    else setError(checkBoth)
  }

  /** @param get the body, or null where the person has changed their mind. */
  async function signInWith(get: () => Promise<SignIn | null>) {
    setBusy(true)
    setError(null)
    try {
      const body = await get()
      if (body !== null) await accept(await call('POST /auth/signin', { body }))
    } catch (cause) {
      setError(sentence(cause))
    } finally {
      setBusy(false)
    }
  }

  return {
    signIn: (body: SignIn) => signInWith(() => Promise.resolve(body)),
    signInWith,
    isBusy,
    error,
    asWhom,
    fail: setError,
    dismissError: () => setError(null),
  }
}

/** Beyond a wrong password and a fault of ours: when the next attempt is allowed, and what became of a link. */
const saidByServer = new Set(['tooMany', 'linkSpent', 'maintained'])

function sentence(cause: unknown): string {
  if (!(cause instanceof CallError)) return somethingWrong
  if (cause.statusCode === 401 || cause.statusCode === 404) return checkBoth
  return saidByServer.has(cause.code) ? cause.message : somethingWrong
}
