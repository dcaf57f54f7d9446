/** Verifies the address with the code of the email, as an alternative to its link. */
import { useNavigate } from 'react-router'
import { call } from '../../api/call.ts'
import { CallError } from '@tributary/client/call-error'
import { useMutation } from '../../api/use-mutation.ts'
import { paths } from '../../paths.ts'
import { VerificationCodeField } from '../../domain/sign-in/verification-code-field.tsx'
import { ErrorBanner } from '../../ui/feedback/error-banner.tsx'
import { useForm } from '../../ui/forms/use-form.ts'
import { ResendCode } from '../../domain/sign-in/resend-code.tsx'
import type { PendingSignUp } from './use-sign-up.ts'
import { AuthForm, AuthPage, BackToSignIn, TextButton } from '../../domain/sign-in/auth-page.tsx'

export function EmailVerification({ signedUp, onBack }: { signedUp: PendingSignUp; onBack: () => void }) {
  const { verificationReference: reference, emailAddress } = signedUp
  const navigate = useNavigate()
  const form = useForm({ code: '' })
  const field = form.bind('code')
  const verify = useMutation({
    mutationFn: async (code: string) => {
      const reply = await call('POST /verify', { body: { reference, code, context: 'registration' } })
      if (!('code' in reply) || reply.code === null)
        throw new Error('The reply contains no code to finish the sign-up with.')
      await navigate(paths.finalise(reply.code))
    },
  })

  return (
    <AuthPage title="Check your mail">
      <p className="muted">
        We sent a code and a link to <strong>{emailAddress}</strong>. Enter the six digits here, or open the link.
      </p>
      <ErrorBanner message={verify.error && verificationErrorMessage(verify.error)} onDismiss={verify.reset} />
      <AuthForm
        onSubmit={() => form.validate() && verify.mutate(field.value)}
        submitLabel="Confirm my address"
        isBusy={verify.isPending}
      >
        <VerificationCodeField field={field} onComplete={(code) => verify.mutate(code)} />
      </AuthForm>
      <ResendCode reference={reference} wasSent />
      <BackToSignIn>
        <TextButton onClick={onBack}>Use another address</TextButton>
        {' · '}
      </BackToSignIn>
    </AuthPage>
  )
}

function verificationErrorMessage(cause: unknown): string {
  return cause instanceof CallError && cause.statusCode === 401
    ? 'Verification failed.'
    : 'An unkown error has occured.'
}
