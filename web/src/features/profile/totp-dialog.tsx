import { Button } from '@mantine/core'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { messageOf } from '@tributary/client/call-error'
import type { CallReply } from '@tributary/contract/calls'
import { useMutation } from '../../api/use-mutation.ts'
import { VerificationCodeField } from '../../domain/sign-in/verification-code-field.tsx'
import { CopyButton } from '../../ui/display/copy-button.tsx'
import { CancelButton, Dialog } from '../../ui/dialogs/dialog.tsx'
import { ErrorBanner } from '../../ui/feedback/error-banner.tsx'
import { useForm } from '../../ui/forms/use-form.ts'
import { PasswordConfirmationDialog } from './password-confirmation-dialog.tsx'
import css from './profile.module.css'

type TotpEnrolment = CallReply<'POST /me/security/totp'>

interface TotpDialogProps {
  hasPassword: boolean
  onDone: (recoveryCodes: readonly string[]) => Promise<void>
  onClose: () => void
}

export function TotpDialog({ hasPassword, onDone, onClose }: TotpDialogProps) {
  const [enrolment, setEnrolment] = useState<TotpEnrolment | null>(null)
  if (enrolment !== null) return <TotpEnrolmentDialog enrolment={enrolment} onDone={onDone} onClose={onClose} />
  return (
    <PasswordConfirmationDialog
      title="Set up the authenticator app"
      confirm="Continue"
      hasPassword={hasPassword}
      onConfirm={async ({ body }) => setEnrolment(await call('POST /me/security/totp', { body }))}
      onClose={onClose}
    >
      Have your phone at hand, with an app such as Microsoft Authenticator, Google Authenticator or a password manager.
    </PasswordConfirmationDialog>
  )
}

function TotpEnrolmentDialog({
  enrolment,
  onDone,
  onClose,
}: { enrolment: TotpEnrolment } & Omit<TotpDialogProps, 'hasPassword'>) {
  const form = useForm({ code: '' }, {})
  const field = form.bind('code')
  const confirm = useMutation({
    mutationFn: async (code: string) =>
      onDone((await call('POST /me/security/totp/confirm', { body: { code } })).recoveryCodes),
  })
  return (
    <Dialog
      kind="modal"
      title="Set up the authenticator app"
      isBusy={confirm.isPending}
      onClose={onClose}
      onSubmit={() => form.validate() && confirm.mutate(field.value)}
      footer={
        <>
          <CancelButton />
          <Button type="submit" loading={confirm.isPending}>
            Confirm
          </Button>
        </>
      }
    >
      <ErrorBanner message={confirm.error && messageOf(confirm.error)} onDismiss={confirm.reset} />
      <div className={css.enrol}>
        <img className={css.qr} src={enrolment.qr} alt="The secret as a QR code, for the app to scan" />
        <div>
          <p className="muted">Scan this with the app, or enter the secret by hand:</p>
          <p className={css.secret}>
            <code>{enrolment.secret}</code>
            <CopyButton text={enrolment.secret} what="secret" />
          </p>
        </div>
      </div>
      <VerificationCodeField
        label="Code that the app shows"
        value={field.value}
        error={field.error}
        onChange={field.onChange}
        onComplete={(code) => confirm.mutate(code)}
      />
    </Dialog>
  )
}
