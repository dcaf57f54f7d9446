/** Re-authentication before a sensitive change. */
import { Button } from '@mantine/core'
import type { ProofQuestion } from '@tributary/contract/re-authentication'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { CallError, messageOf } from '@tributary/client/call-error'
import { requestPasskey, supportsPasskeys } from '../../api/session/passkeys.ts'
import { resolveReAuthentication } from '../../api/session/re-authentication.ts'
import { useMutation } from '../../api/use-mutation.ts'
import { VerificationCodeField } from '../../domain/sign-in/verification-code-field.tsx'
import { CancelButton, Dialog } from '../../ui/dialogs/dialog.tsx'
import { LoadFailure } from '../../ui/feedback/empty-state.tsx'
import { ErrorBanner } from '../../ui/feedback/error-banner.tsx'
import { PasswordField } from '../../ui/forms/text-fields.tsx'
import { useForm } from '../../ui/forms/use-form.ts'
import { ResendCode } from '../../domain/sign-in/resend-code.tsx'

const title = 'Is it still you?'

export function ReAuthenticationDialog({ onClose }: { onClose: () => void }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['proof'],
    queryFn: () => call('POST /me/proof/question'),
    // Each challenge is valid once, and one that sends an email must not be repeated automatically.
    gcTime: 0,
    staleTime: Infinity,
    retry: false,
  })
  if (data !== undefined) return <ReAuthenticationForm question={data} onClose={onClose} />
  return (
    <Dialog kind="modal" title={title} onClose={onClose} footer={<CancelButton />}>
      {error === null ? (
        <output className="muted">One moment…</output>
      ) : (
        <LoadFailure message={messageOf(error)} onRetry={() => void refetch()} />
      )}
    </Dialog>
  )
}

function ReAuthenticationForm({ question, onClose }: { question: ProofQuestion; onClose: () => void }) {
  const { hasPassword, passkeyOptions } = question
  const { form, submit, submitPasskey, error, dismiss } = useReAuthentication(question)
  const field = form.bind('typed')
  return (
    <Dialog
      kind="modal"
      title={title}
      isBusy={submit.isPending}
      onClose={onClose}
      onSubmit={() => form.validate() && submit.mutate()}
      footer={
        <>
          <CancelButton />
          <Button type="submit" loading={submit.isPending}>
            Continue
          </Button>
        </>
      }
    >
      <ErrorBanner message={error} onDismiss={dismiss} />
      <p className="muted">
        You signed in a while ago, and this change matters. {hasPassword ? 'Enter your password to continue.' : ''}
      </p>
      {hasPassword ? (
        <PasswordField field={field} label="Your password" autoComplete="current-password" hasFocus isRequired />
      ) : (
        <CodeEntry question={question} field={field} onComplete={() => submit.mutate()} />
      )}
      {passkeyOptions !== null && supportsPasskeys() ? (
        <Button variant="default" loading={submitPasskey.isPending} onClick={() => submitPasskey.mutate()}>
          Use a passkey instead
        </Button>
      ) : null}
    </Dialog>
  )
}

function useReAuthentication({ hasPassword, verificationReference, passkeyOptions }: ProofQuestion) {
  const form = useForm({ typed: '' }, {})
  const reference = verificationReference ?? ''
  const submit = useMutation({
    mutationFn: () => {
      const typed = String(form.values['typed'])
      const body = hasPassword ? { password: typed } : { verificationReference: reference, verificationCode: typed }
      return call('POST /me/proof', { body })
    },
    onSuccess: () => resolveReAuthentication(true),
    onError: (cause) =>
      cause instanceof CallError && wrongSecretCodes.has(cause.code) && form.showErrors({ typed: 'not right' }),
  })
  const submitPasskey = useMutation({
    mutationFn: async () => {
      const passkey = await requestPasskey(passkeyOptions ?? {})
      if (passkey === null) return
      await call('POST /me/proof', { body: { verificationReference: reference, passkey } })
      resolveReAuthentication(true)
    },
  })
  const error = submit.error ?? submitPasskey.error
  const dismiss = () => {
    submit.reset()
    submitPasskey.reset()
  }
  return { form, submit, submitPasskey, error: error && messageOf(error), dismiss }
}

const wrongSecretCodes = new Set(['passwordNeeded', 'codeNotRight'])

interface CodeEntryProps {
  question: ProofQuestion
  field: ReturnType<ReturnType<typeof useForm>['bind']>
  onComplete: () => void
}

function CodeEntry({
  question: { verificationReference, verificationSentTo: sentTo },
  field,
  onComplete,
}: CodeEntryProps) {
  return (
    <>
      <p className="muted">
        {sentTo === null
          ? 'Enter the six digits that your authenticator app shows now, or have a code sent by e-mail.'
          : `We sent a code to ${sentTo}. Enter its six digits here.`}
      </p>
      <VerificationCodeField
        label="Verification code"
        value={field.value}
        error={field.error}
        onChange={field.onChange}
        onComplete={onComplete}
      />
      <ResendCode reference={verificationReference ?? ''} wasSent={sentTo !== null} />
    </>
  )
}
