/** Asking for a sign-in link. The answer is the same whether or not the address is known. */
import { Button } from '@mantine/core'
import { call } from '../../api/call.ts'
import { messageOf } from '../../api/call-error.ts'
import { solveCaptcha } from '../../api/captcha.ts'
import { useSignInOptions } from '../../api/sign-in-options.ts'
import { useMutation } from '../../api/use-mutation.ts'
import { AuthForm } from '../../ui/auth-form.tsx'
import { AuthFrame } from '../../ui/auth-frame.tsx'
import frame from '../../ui/auth-frame.module.css'
import { emailRule } from '../../ui/email-rule.ts'
import { ErrorBanner } from '../../ui/error-banner.tsx'
import { TextField } from '../../ui/fields.tsx'
import { useForm } from '../../ui/form.ts'
import { Note } from '../../ui/note.tsx'

export function LinkRequest({ emailAddress, onBack }: { emailAddress: string; onBack: () => void }) {
  const form = useForm({ emailAddress }, { emailAddress: { check: emailRule } })
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
    <AuthFrame title="Email me a sign-in link">
      <ErrorBanner message={request.error && messageOf(request.error)} onDismiss={request.reset} />
      {request.data === undefined ? (
        <AuthForm onSubmit={() => form.validate() && request.mutate()}>
          <TextField
            field={form.text('emailAddress')}
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
        <Note tone="ok">
          <p>{request.data.message}</p>
          <p>Open it in this browser within 15 minutes: it then signs you in by itself.</p>
        </Note>
      )}
      <p className={frame.after}>
        <button type="button" className={frame.textButton} onClick={onBack}>
          Back to sign in
        </button>
      </p>
    </AuthFrame>
  )
}
