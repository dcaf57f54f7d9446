import type { SignUp } from '@tributary/contract/sign-up'
import { call } from '../../api/call.ts'
import { CallError } from '@tributary/client/call-error'
import { solveCaptcha } from '../../api/session/captcha.ts'
import { useSignInOptions } from '../../api/session/sign-in-options.ts'
import { useMutation } from '../../api/use-mutation.ts'

/** A sign-up that waits for the proof of its address, or can be finished at once. */
export interface SignedUp {
  readonly emailAddress: string
  readonly verificationReference: string
  /** What finishing takes, where an external provider has proven the address. */
  readonly code: string | null
}

export function useSignUp(onSignedUp: (signedUp: SignedUp) => void) {
  const { captcha } = useSignInOptions()
  return useMutation({
    mutationFn: async (body: Omit<SignUp, 'recaptchaToken'>) => {
      const recaptchaToken = await solveCaptcha(captcha)
      const { verificationReference, code } = await call('POST /registration/account', {
        body: { ...body, recaptchaToken },
      })
      return { emailAddress: body.account.emailAddress, verificationReference, code }
    },
    onSuccess: onSignedUp,
  })
}

/** The server's sentence; where it gave none, the specification's. */
export function signUpSentence(cause: unknown): string {
  return cause instanceof CallError && cause.reference !== null ? cause.message : 'Something seems to have gone wrong.'
}

/** `account.emailAddress` of a refusal is the form's field `emailAddress`. */
export function fieldsOf(cause: unknown): Readonly<Record<string, string>> {
  if (!(cause instanceof CallError)) return {}
  return Object.fromEntries(Object.entries(cause.fields).map(([path, what]) => [path.split('.').at(-1) ?? path, what]))
}
