import { useState } from 'react'
import { call } from '../../api/call.ts'
import type { CallReply } from '@tributary/contract/calls'
import { useMutation } from '../../api/use-mutation.ts'
import { VerificationCodeField } from '../../domain/sign-in/verification-code-field.tsx'
import { CopyButton } from '../../ui/display/copy-button.tsx'
import { useForm } from '../../ui/forms/use-form.ts'
import type { FactorDialogProps } from './factor-dialog-props.ts'
import { PasswordConfirmationDialog } from './password-confirmation-dialog.tsx'
import css from './profile.module.css'
import { MutationDialog } from '../../domain/requests/mutation-dialog.tsx'

type TotpEnrolment = CallReply<'POST /me/security/totp'>

export function TotpDialog({ hasPassword, onDone, onClose }: FactorDialogProps) {
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
}: { enrolment: TotpEnrolment } & Omit<FactorDialogProps, 'hasPassword'>) {
  const form = useForm({ code: '' })
  const field = form.bind('code')
  const confirm = useMutation({
    mutationFn: async (code: string) =>
      onDone((await call('POST /me/security/totp/confirm', { body: { code } })).recoveryCodes),
  })
  return (
    <MutationDialog
      title="Set up the authenticator app"
      mutation={confirm}
      onClose={onClose}
      onSubmit={() => form.validate() && confirm.mutate(field.value)}
      submitLabel="Confirm"
    >
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
        field={field}
        onComplete={(code) => confirm.mutate(code)}
      />
    </MutationDialog>
  )
}
