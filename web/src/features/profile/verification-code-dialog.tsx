import { VerificationCodeChallenge } from '../../domain/sign-in/verification-code-challenge.tsx'
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx'
import { ErrorBanner } from '../../ui/feedback/error-banner.tsx'
import { useForm } from '../../ui/forms/use-form.ts'
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
  const form = useForm({ code: '' })
  const field = form.bind('code')
  return (
    <FormDialog
      title={title}
      isBusy={isBusy}
      onClose={onClose}
      onSubmit={() => form.validate() && onCode(field.value)}
      submitLabel={confirm}
    >
      <ErrorBanner message={error} onDismiss={onDismissError} />
      <VerificationCodeChallenge {...challenge} field={field} onComplete={onCode} />
    </FormDialog>
  )
}
