/** Requests a sign-in link. The response does not reveal whether the address has an account. */
import { Button } from '@mantine/core'
import { call } from '../../api/call.ts'
import { messageOf } from '@tributary/client/call-error'
import { solveCaptcha } from '../../api/session/captcha.ts'
import { useSignInOptions } from '../../api/session/sign-in-options.ts'
import { useMutation } from '../../api/use-mutation.ts'
import { AuthForm } from '../../domain/sign-in/auth-form.tsx'
import { AuthPage } from '../../domain/sign-in/auth-page.tsx'
import frame from '../../domain/sign-in/auth-page.module.css'
import { validateEmailAddress } from '../../ui/forms/validate-email-address.ts'
import { ErrorBanner } from '../../ui/feedback/error-banner.tsx'
import { TextField } from '../../ui/forms/text-fields.tsx'
import { useForm } from '../../ui/forms/use-form.ts'
import { Callout } from '../../ui/feedback/callout.tsx'

interface SignInLinkRequestProps {
  title: string
  emailAddress: string
  onBack: () => void
}

export function SignInLinkRequest({ title, emailAddress, onBack }: SignInLinkRequestProps) {
  const form = useForm({ emailAddress }, { emailAddress: { check: validateEmailAddress } })
  const { captcha } = useSignInOptions()
  const request = useMutation({
    mutationFn: async () => {
      const recaptchaToken = await solveCaptcha(captcha)
      return call('POST /auth/link', {
        body: { emailAddress: String(form.values['emailAddress']).trim(), recaptchaToken },
      })
    },
  })

  return (
    <AuthPage title={title}>
      <ErrorBanner message={request.error && messageOf(request.error)} onDismiss={request.reset} />
      {request.data === undefined ? (
        <AuthForm onSubmit={() => form.validate() && request.mutate()}>
          <TextField
            field={form.bind('emailAddress')}
            label="E-mail address"
            type="email"
            inputMode="email"
            autoComplete="username"
            isRequired
          />
          <Button type="submit" size="md" fullWidth loading={request.isPending}>
            Send the link
          </Button>
        </AuthForm>
      ) : (
        <Callout tone="ok">
          <p>{request.data.message}</p>
          <p>Open it in this browser within 15 minutes: it then signs you in automatically.</p>
        </Callout>
      )}
      <p className={frame.after}>
        <button type="button" className={frame.textButton} onClick={onBack}>
          Back to sign in
        </button>
      </p>
    </AuthPage>
  )
}
