/** Re-authentication before a sensitive change. */
import { Button } from '@mantine/core'
import type { WantedProof } from '@tributary/client/create-client'
import type { ProofQuestion } from '@tributary/contract/re-authentication'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { CallError } from '@tributary/client/call-error'
import { requestPasskey, supportsPasskeys } from '../../api/session/passkeys.ts'
import { resolveReAuthentication } from '../../api/session/re-authentication.ts'
import { useMutation } from '../../api/use-mutation.ts'
import { VerificationCodeChallenge } from '../../domain/sign-in/verification-code-challenge.tsx'
import { CancelButton, Dialog } from '../../ui/dialogs/dialog.tsx'
import { MutationError } from '../../domain/requests/mutation-error.tsx'
import { QueryPlaceholder } from '../../domain/requests/query-placeholder.tsx'
import { PasswordField } from '../../ui/forms/text-fields.tsx'
import { useForm } from '../../ui/forms/use-form.ts'
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx'

const title = 'Is it still you?'

interface ReAuthenticationDialogProps {
  wanted: WantedProof
  onClose: () => void
}

export function ReAuthenticationDialog({ wanted, onClose }: ReAuthenticationDialogProps) {
  const challenge = useQuery({
    queryKey: ['proof', wanted],
    queryFn: () => call('POST /me/proof/question', { body: { secondFactor: wanted === 'secondFactor' } }),
    // Each challenge is valid once, and one that sends an email must not be repeated automatically.
    gcTime: 0,
    staleTime: Infinity,
    retry: false,
  })
  if (challenge.data !== undefined)
    return <ReAuthenticationForm wanted={wanted} question={challenge.data} onClose={onClose} />
  return (
    <Dialog title={title} onClose={onClose} footer={<CancelButton />}>
      <QueryPlaceholder of={challenge}>
        <output className="muted">One moment…</output>
      </QueryPlaceholder>
    </Dialog>
  )
}

function ReAuthenticationForm({
  wanted,
  question,
  onClose,
}: ReAuthenticationDialogProps & { question: ProofQuestion }) {
  const { hasPassword, passkeyOptions } = question
  const { form, submit, submitPasskey } = useReAuthentication(question)
  const field = form.bind('typed')
  return (
    <FormDialog
      title={title}
      isBusy={submit.isPending}
      onClose={onClose}
      onSubmit={() => form.validate() && submit.mutate()}
      submitLabel="Continue"
    >
      <MutationError of={[submit, submitPasskey]} />
      <p className="muted">
        {wanted === 'secondFactor'
          ? 'This needs your second factor, even if you gave it when you signed in.'
          : 'You signed in a while ago, and this change matters.'}{' '}
        {hasPassword ? 'Enter your password to continue.' : ''}
      </p>
      {hasPassword ? (
        <PasswordField field={field} label="Your password" autoComplete="current-password" hasFocus isRequired />
      ) : (
        <VerificationCodeChallenge
          reference={question.verificationReference ?? ''}
          sentTo={question.verificationSentTo}
          field={field}
          onComplete={() => submit.mutate()}
        />
      )}
      {passkeyOptions !== null && supportsPasskeys() ? (
        <Button variant="default" loading={submitPasskey.isPending} onClick={() => submitPasskey.mutate()}>
          Use a passkey instead
        </Button>
      ) : null}
    </FormDialog>
  )
}

function useReAuthentication({ hasPassword, verificationReference, passkeyOptions }: ProofQuestion) {
  const form = useForm({ typed: '' })
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
  return { form, submit, submitPasskey }
}

const wrongSecretCodes = new Set(['passwordNeeded', 'codeNotRight'])
