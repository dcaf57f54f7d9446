import type { SignUp } from '@tributary/contract/sign-up'
import { call } from '../../api/call.ts'
import { CallError } from '@tributary/client/call-error'
import { solveCaptcha } from '../../api/session/captcha.ts'
import { useSignInOptions } from '../../api/session/sign-in-options.ts'
import { useMutation } from '../../api/use-mutation.ts'

/** A sign-up whose address must be verified, or that can be finished at once. */
export interface PendingSignUp {
  readonly emailAddress: string
  readonly verificationReference: string
  /** Code to finish with, if an identity provider has verified the address. */
  readonly code: string | null
}

export function useSignUp(onSignedUp: (signedUp: PendingSignUp) => void) {
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

/** The server's message; without one, the text of the specification. */
export function signUpErrorMessage(cause: unknown): string {
  return cause instanceof CallError && cause.reference !== null ? cause.message : 'Something seems to have gone wrong.'
}
