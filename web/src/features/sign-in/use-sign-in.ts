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
import { useUrlParams } from '../../ui/hooks/search-params.ts'

const wrongCredentials = 'Please check your email address and password.'

/** Navigation state for the verification page, in addition to the reference in the URL. */
export interface VerificationRequest {
  readonly methods: readonly VerificationMethod[]
  readonly sentTo: string | null
}

/** Signs in. Stores the session, after which the page redirects, or navigates to the verification page. */
export function useSignIn() {
  const params = useUrlParams()
  const navigate = useNavigate()
  const { captcha } = useSignInOptions()
  const [isBusy, setBusy] = useState(false)
  // Guards against a second click before the busy state is rendered.
  const isInFlight = useRef(false)
  const [error, setError] = useState<string | null>(null)
  /** Account of a sign-in link that must be confirmed by a click. */
  const [emailToConfirm, setEmailToConfirm] = useState<string | null>(null)

  async function accept(reply: SignInReply) {
    if ('confirmationRequired' in reply) return setEmailToConfirm(reply.emailAddress)
    if ('verificationRequired' in reply) {
      const state: VerificationRequest = { methods: reply.verificationMethods, sentTo: reply.verificationSentTo }
      return navigate(paths.confirm(reply.verificationReference, params.get('returnUrl')), { state })
    }
    if (reply.accessToken) storeSession(reply)
    else setError(wrongCredentials)
  }

  /** `get` resolves to the request body, or to null if the user cancelled. */
  async function signInWith(get: () => Promise<SignIn | null>) {
    if (isInFlight.current) return
    isInFlight.current = true
    setBusy(true)
    setError(null)
    try {
      const body = await get()
      if (body !== null) await accept(await sendSignIn(body, captcha))
    } catch (cause) {
      setError(signInErrorMessage(cause))
    } finally {
      isInFlight.current = false
      setBusy(false)
    }
  }

  return {
    signIn: (body: SignIn) => signInWith(() => Promise.resolve(body)),
    signInWith,
    isBusy,
    error,
    emailToConfirm,
    dismissError: () => setError(null),
  }
}

/**
 * Sends the request. While many sign-ins fail, the server requires a captcha; then it is solved invisibly and the
 * request repeated.
 */
async function sendSignIn(body: SignIn, captcha: SignInOptions['captcha']): Promise<SignInReply> {
  try {
    return await call('POST /auth/signin', { body })
  } catch (cause) {
    if (!(cause instanceof CallError) || cause.code !== 'captchaNeeded') throw cause
    return call('POST /auth/signin', {
      body: { ...(body as PasswordSignIn), recaptchaToken: await solveCaptcha(captcha) },
    })
  }
}

/**
 * Error codes whose message is shown: when to retry, an expired link, or a server that cannot work. All others get a
 * generic text.
 */
const codesWithMessage = new Set(['tooMany', 'linkSpent', 'maintained', 'captchaFailed', 'storeFull', 'unavailable'])

function signInErrorMessage(cause: unknown): string {
  if (!(cause instanceof CallError)) return somethingWrong
  if (cause.statusCode === 401 || cause.statusCode === 404) return wrongCredentials
  return codesWithMessage.has(cause.code) ? cause.message : somethingWrong
}
