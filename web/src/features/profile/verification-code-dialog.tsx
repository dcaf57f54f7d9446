import { Button } from '@mantine/core'
import { CodeField } from '../../domain/sign-in/verification-code-field.tsx'
import { CancelButton, Dialog } from '../../ui/dialogs/dialog.tsx'
import { ErrorBanner } from '../../ui/feedback/error-banner.tsx'
import { useForm } from '../../ui/forms/form.ts'
import { ResendCode } from '../../domain/sign-in/resend-code.tsx'
import type { CodeWanted } from './use-mfa-switch.ts'

interface CodeDialogProps {
  title: string
  confirm: string
  asked: CodeWanted
  isBusy: boolean
  error: string | null
  onDismissError: () => void
  onCode: (code: string) => void
  onClose: () => void
}

export function CodeDialog({ title, confirm, asked, isBusy, error, onDismissError, onCode, onClose }: CodeDialogProps) {
  const form = useForm({ code: '' }, {})
  const field = form.text('code')
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
        {asked.sentTo === null
          ? 'Enter the six digits that your authenticator app shows now, or have a code sent by e-mail.'
          : `We sent a code to ${asked.sentTo}. Enter its six digits here.`}
      </p>
      <CodeField
        label="Verification code"
        value={field.value}
        error={field.error}
        onChange={field.onChange}
        onComplete={onCode}
      />
      <ResendCode reference={asked.reference} wasSent={asked.sentTo !== null} />
    </Dialog>
  )
}
