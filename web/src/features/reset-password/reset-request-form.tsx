/** Requests a link to set a password. The response does not reveal whether the address has an account. */
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { solveCaptcha } from '../../api/session/captcha.ts'
import { now } from '@tributary/client/server-clock'
import { useSignInOptions } from '../../api/session/sign-in-options.ts'
import { useMutation } from '../../api/use-mutation.ts'
import { validateEmailAddress } from '../../ui/forms/validate-email-address.ts'
import { TextField } from '../../ui/forms/text-fields.tsx'
import { useForm } from '../../ui/forms/use-form.ts'
import { Callout } from '../../ui/feedback/callout.tsx'
import { ResendButton } from '../../domain/sign-in/resend-code.tsx'
import { MutationError } from '../../domain/requests/mutation-error.tsx'
import { AuthForm } from '../../domain/sign-in/auth-page.tsx'

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
      <MutationError of={request} />
      {sentAt === null ? (
        <AuthForm
          onSubmit={() => form.validate() && request.mutate()}
          submitLabel="Send the link"
          isBusy={request.isPending}
        >
          <p className="muted">{text}</p>
          <TextField
            field={form.bind('emailAddress')}
            label="Email"
            type="email"
            inputMode="email"
            autoComplete="username"
            isRequired
          />
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
