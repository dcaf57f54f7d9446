/** Requests a link to set a password. The response does not reveal whether the address has an account. */
import { Button } from '@mantine/core'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { messageOf } from '@tributary/client/call-error'
import { solveCaptcha } from '../../api/session/captcha.ts'
import { now } from '@tributary/client/server-clock'
import { useSignInOptions } from '../../api/session/sign-in-options.ts'
import { useMutation } from '../../api/use-mutation.ts'
import { AuthForm } from '../../domain/sign-in/auth-form.tsx'
import { validateEmailAddress } from '../../ui/forms/validate-email-address.ts'
import { ErrorBanner } from '../../ui/feedback/error-banner.tsx'
import { TextField } from '../../ui/forms/text-fields.tsx'
import { useForm } from '../../ui/forms/use-form.ts'
import { Callout } from '../../ui/feedback/callout.tsx'
import { ResendButton } from '../../domain/sign-in/resend-code.tsx'

export function ResetRequestForm({ text }: { text: string }) {
  const { captcha } = useSignInOptions()
  const form = useForm({ emailAddress: '' }, { emailAddress: { check: validateEmailAddress } })
  const [sentAt, setSentAt] = useState<number | null>(null)
  const request = useMutation({
    mutationFn: async () => {
      const recaptchaToken = await solveCaptcha(captcha)
      const emailAddress = String(form.values['emailAddress']).trim()
      await call('POST /reset-password/request', { body: { emailAddress, recaptchaToken } })
    },
    onSuccess: () => setSentAt(now()),
  })

  return (
    <>
      <ErrorBanner message={request.error && messageOf(request.error)} onDismiss={request.reset} />
      {sentAt === null ? (
        <AuthForm onSubmit={() => form.validate() && request.mutate()}>
          <p className="muted">{text}</p>
          <TextField
            field={form.bind('emailAddress')}
            label="Email"
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
        <>
          <div aria-live="polite">
            <Callout tone="ok" title="A link was sent.">
              <p>If {form.values['emailAddress']} has an account here, a link to set a new password is on its way.</p>
              <p>If nothing arrives within 15 minutes, please check your spam folder.</p>
            </Callout>
          </div>
          <div className="small subtle">
            <ResendButton
              sentAt={sentAt}
              isBusy={request.isPending}
              label="Send the link again"
              onSend={() => request.mutate()}
            />
          </div>
        </>
      )}
    </>
  )
}
