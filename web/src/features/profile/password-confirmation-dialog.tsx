/** Confirms a change of sign-in methods with the password, in case the browser was left unlocked. */
import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { CallError, messageOf } from '@tributary/client/call-error'
import { useMutation } from '../../api/use-mutation.ts'
import { CancelButton, Dialog } from '../../ui/dialogs/dialog.tsx'
import { ErrorBanner } from '../../ui/feedback/error-banner.tsx'
import { PasswordField, TextField } from '../../ui/forms/text-fields.tsx'
import { type FormState, useForm } from '../../ui/forms/use-form.ts'

export interface PasswordConfirmation {
  /** Without a password for accounts that have none. */
  readonly body: { readonly password?: string }
  readonly name: string
}

interface PasswordConfirmationDialogProps {
  title: string
  confirm: string
  isDanger?: boolean
  hasPassword: boolean
  /** Adds a name field, with its label and initial value. */
  naming?: { readonly label: string; readonly initial: string }
  children: ReactNode
  onConfirm: (confirmed: PasswordConfirmation) => Promise<unknown>
  onClose: () => void
}

export function PasswordConfirmationDialog({
  title,
  confirm,
  isDanger,
  hasPassword,
  naming,
  children,
  onConfirm,
  onClose,
}: PasswordConfirmationDialogProps) {
  const form = useForm({ ...(naming && { name: naming.initial }), ...(hasPassword && { password: '' }) }, {})
  const change = useMutation({
    mutationFn: () => onConfirm(toConfirmation(form, hasPassword)),
    onError: (cause) =>
      cause instanceof CallError && cause.code === 'passwordNeeded' && form.showErrors({ password: 'not right' }),
  })
  return (
    <Dialog
      kind="modal"
      title={title}
      isBusy={change.isPending}
      onClose={onClose}
      onSubmit={() => form.validate() && change.mutate()}
      footer={
        <>
          <CancelButton />
          <Button type="submit" {...(isDanger === true ? { color: 'red' } : {})} loading={change.isPending}>
            {confirm}
          </Button>
        </>
      }
    >
      <ErrorBanner message={change.error && messageOf(change.error)} onDismiss={change.reset} />
      <div className="muted">{children}</div>
      {naming === undefined ? null : <TextField field={form.bind('name')} label={naming.label} hasFocus isRequired />}
      {hasPassword ? (
        <PasswordField
          field={form.bind('password')}
          label="Your password"
          autoComplete="current-password"
          hasFocus={naming === undefined}
          isRequired
        />
      ) : null}
    </Dialog>
  )
}

function toConfirmation({ values }: FormState, hasPassword: boolean): PasswordConfirmation {
  return {
    body: hasPassword ? { password: String(values['password']) } : {},
    name: String(values['name'] ?? '').trim(),
  }
}
