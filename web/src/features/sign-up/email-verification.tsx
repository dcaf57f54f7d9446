/** Verifies the address with the code of the email, as an alternative to its link. */
import { Button } from '@mantine/core'
import { Link, useNavigate } from 'react-router'
import { call } from '../../api/call.ts'
import { CallError } from '@tributary/client/call-error'
import { useMutation } from '../../api/use-mutation.ts'
import { paths } from '../../paths.ts'
import { AuthForm } from '../../domain/sign-in/auth-form.tsx'
import { AuthPage } from '../../domain/sign-in/auth-page.tsx'
import frame from '../../domain/sign-in/auth-page.module.css'
import { VerificationCodeField } from '../../domain/sign-in/verification-code-field.tsx'
import { ErrorBanner } from '../../ui/feedback/error-banner.tsx'
import { useForm } from '../../ui/forms/use-form.ts'
import { ResendCode } from '../../domain/sign-in/resend-code.tsx'
import type { PendingSignUp } from './use-sign-up.ts'

export function EmailVerification({ signedUp, onBack }: { signedUp: PendingSignUp; onBack: () => void }) {
  const { verificationReference: reference, emailAddress } = signedUp
  const navigate = useNavigate()
  const form = useForm({ code: '' }, {})
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
      <AuthForm onSubmit={() => form.validate() && verify.mutate(field.value)}>
        <VerificationCodeField
          label="Verification code"
          value={field.value}
          error={field.error}
          onChange={field.onChange}
          onComplete={(code) => verify.mutate(code)}
        />
        <Button type="submit" size="md" fullWidth loading={verify.isPending}>
          Confirm my address
        </Button>
      </AuthForm>
      <ResendCode reference={reference} wasSent />
      <p className={frame.after}>
        <button type="button" className={frame.textButton} onClick={onBack}>
          Use another address
        </button>
        {' · '}
        <Link to={paths.signIn}>Back to sign in</Link>
      </p>
    </AuthPage>
  )
}

function verificationErrorMessage(cause: unknown): string {
  return cause instanceof CallError && cause.statusCode === 401
    ? 'Verification failed.'
    : 'An unkown error has occured.'
}
