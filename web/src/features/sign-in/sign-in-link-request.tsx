/** Requests a sign-in link. The response does not reveal whether the address has an account. */
import { call } from '../../api/call.ts'
import { solveCaptcha } from '../../api/session/captcha.ts'
import { useSignInOptions } from '../../api/session/sign-in-options.ts'
import { useMutation } from '../../api/use-mutation.ts'
import { validateEmailAddress } from '../../ui/forms/validate-email-address.ts'
import { TextField } from '../../ui/forms/text-fields.tsx'
import { useForm } from '../../ui/forms/use-form.ts'
import { Callout } from '../../ui/feedback/callout.tsx'
import { MutationError } from '../../domain/requests/mutation-error.tsx'
import { AuthFooter, AuthForm, AuthPage, TextButton } from '../../domain/sign-in/auth-page.tsx'

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
      <MutationError of={request} />
      {request.data === undefined ? (
        <AuthForm
          onSubmit={() => form.validate() && request.mutate()}
          submitLabel="Send the link"
          isBusy={request.isPending}
        >
          <TextField
            field={form.bind('emailAddress')}
            label="E-mail address"
            type="email"
            inputMode="email"
            autoComplete="username"
            isRequired
          />
        </AuthForm>
      ) : (
        <Callout tone="ok">
          <p>{request.data.message}</p>
          <p>Open it in this browser within 15 minutes: it then signs you in automatically.</p>
        </Callout>
      )}
      <AuthFooter>
        <TextButton onClick={onBack}>Back to sign in</TextButton>
      </AuthFooter>
    </AuthPage>
  )
}
