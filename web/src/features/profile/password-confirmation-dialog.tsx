/** Confirms a change of sign-in methods with the password, in case the browser was left unlocked. */
import type { ReactNode } from 'react'
import { CallError } from '@tributary/client/call-error'
import { useMutation } from '../../api/use-mutation.ts'
import { PasswordField, TextField } from '../../ui/forms/text-fields.tsx'
import { type FormState, useForm } from '../../ui/forms/use-form.ts'
import { MutationDialog } from '../../domain/requests/mutation-dialog.tsx'

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
  isDanger = false,
  hasPassword,
  naming,
  children,
  onConfirm,
  onClose,
}: PasswordConfirmationDialogProps) {
  const form = useForm({ ...(naming && { name: naming.initial }), ...(hasPassword && { password: '' }) })
  const change = useMutation({
    mutationFn: () => onConfirm(toConfirmation(form, hasPassword)),
    onError: (cause) =>
      cause instanceof CallError && cause.code === 'passwordNeeded' && form.showErrors({ password: 'not right' }),
  })
  return (
    <MutationDialog
      title={title}
      mutation={change}
      onClose={onClose}
      onSubmit={() => form.validate() && change.mutate()}
      submitLabel={confirm}
      isDanger={isDanger}
    >
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
    </MutationDialog>
  )
}

function toConfirmation({ values }: FormState, hasPassword: boolean): PasswordConfirmation {
  return {
    body: hasPassword ? { password: String(values['password']) } : {},
    name: String(values['name'] ?? '').trim(),
  }
}
