import { call } from '../../api/call.ts'
import { createPasskey } from '../../api/session/passkeys.ts'
import type { FactorDialogProps } from './factor-dialog-props.ts'
import { PasswordConfirmationDialog } from './password-confirmation-dialog.tsx'

export function PasskeyDialog({ hasPassword, onDone, onClose }: FactorDialogProps) {
  return (
    <PasswordConfirmationDialog
      title="Add a passkey"
      confirm="Continue"
      hasPassword={hasPassword}
      naming={{ label: 'Name of the passkey', initial: 'This device' }}
      onConfirm={async ({ body, name }) => {
        const { reference, options } = await call('POST /me/security/passkeys/options', { body })
        const passkey = await createPasskey(options)
        if (passkey === null) return
        const { recoveryCodes } = await call('POST /me/security/passkeys', { body: { reference, name, passkey } })
        await onDone(recoveryCodes)
      }}
      onClose={onClose}
    >
      Your browser then asks where to keep it: on this device, on your phone or on a security key.
    </PasswordConfirmationDialog>
  )
}
