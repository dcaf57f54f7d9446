import { Button } from '@mantine/core'
import { VerificationCodeField } from '../../domain/sign-in/verification-code-field.tsx'
import { CancelButton, Dialog } from '../../ui/dialogs/dialog.tsx'
import { ErrorBanner } from '../../ui/feedback/error-banner.tsx'
import { useForm } from '../../ui/forms/use-form.ts'
import { ResendCode } from '../../domain/sign-in/resend-code.tsx'
import type { CodeChallenge } from './use-mfa-switch.ts'

interface VerificationCodeDialogProps {
  title: string
  confirm: string
  challenge: CodeChallenge
  isBusy: boolean
  error: string | null
  onDismissError: () => void
  onCode: (code: string) => void
  onClose: () => void
}

export function VerificationCodeDialog({
  title,
  confirm,
  challenge,
  isBusy,
  error,
  onDismissError,
  onCode,
  onClose,
}: VerificationCodeDialogProps) {
  const form = useForm({ code: '' }, {})
  const field = form.bind('code')
  return (
    <Dialog
      kind="modal"
      title={title}
      isBusy={isBusy}
      onClose={onClose}
      onSubmit={() => form.validate() && onCode(field.value)}
      footer={
        <>
          <CancelButton />
          <Button type="submit" loading={isBusy}>
            {confirm}
          </Button>
        </>
      }
    >
      <ErrorBanner message={error} onDismiss={onDismissError} />
      <p className="muted">
        {challenge.sentTo === null
          ? 'Enter the six digits that your authenticator app shows now, or have a code sent by e-mail.'
          : `We sent a code to ${challenge.sentTo}. Enter its six digits here.`}
      </p>
      <VerificationCodeField
        label="Verification code"
        value={field.value}
        error={field.error}
        onChange={field.onChange}
        onComplete={onCode}
      />
      <ResendCode reference={challenge.reference} wasSent={challenge.sentTo !== null} />
    </Dialog>
  )
}
