import type {
  PasswordSignIn,
  SignIn,
  SignInOptions,
  SignInReply,
  VerificationMethod,
} from '@tributary/contract/sign-in'
import { useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { call } from '../../api/call.ts'
import { CallError, somethingWrong } from '@tributary/client/call-error'
import { solveCaptcha } from '../../api/session/captcha.ts'
import { storeSession } from '../../api/session/session.ts'
import { useSignInOptions } from '../../api/session/sign-in-options.ts'
import { paths } from '../../paths.ts'
import { useAddress } from '../../ui/hooks/search-params.ts'

const checkBoth = 'Please check your email address and password.'

/** What the page that asks for the code needs, beside the reference in its address. */
export interface CodeAsked {
  readonly methods: readonly VerificationMethod[]
  readonly sentTo: string | null
}

/** Signing in stores the session, and the page then leaves by itself; or it leads to where the code is asked for. */
export function useSignIn() {
  const params = useAddress()
  const navigate = useNavigate()
  const { captcha } = useSignInOptions()
  const [isBusy, setBusy] = useState(false)
  // A second click may come before the page is drawn as busy.
  const isUnderWay = useRef(false)
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
    if (isUnderWay.current) return
    isUnderWay.current = true
    setBusy(true)
    setError(null)
    try {
      const body = await get()
      if (body !== null) await accept(await send(body, captcha))
    } catch (cause) {
      setError(sentence(cause))
    } finally {
      isUnderWay.current = false
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

/** While many sign-ins fail, the server wants to know that a person is here; the browser proves it unseen. */
async function send(body: SignIn, captcha: SignInOptions['captcha']): Promise<SignInReply> {
  try {
    return await call('POST /auth/signin', { body })
  } catch (cause) {
    if (!(cause instanceof CallError) || cause.code !== 'captchaNeeded') throw cause
    return call('POST /auth/signin', {
      body: { ...(body as PasswordSignIn), recaptchaToken: await solveCaptcha(captcha) },
    })
  }
}

/** Beyond a wrong password and a fault of ours: when the next attempt is allowed, what became of a link, and what keeps the server from working. */
const saidByServer = new Set(['tooMany', 'linkSpent', 'maintained', 'captchaFailed', 'storeFull', 'unavailable'])

function sentence(cause: unknown): string {
  if (!(cause instanceof CallError)) return somethingWrong
  if (cause.statusCode === 401 || cause.statusCode === 404) return checkBoth
  return saidByServer.has(cause.code) ? cause.message : somethingWrong
}
