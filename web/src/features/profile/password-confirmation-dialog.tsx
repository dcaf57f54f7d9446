/** A change of how one signs in: asks for the password, so that nobody at an unlocked browser makes it. */
import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { CallError, messageOf } from '@tributary/client/call-error'
import { useMutation } from '../../api/use-mutation.ts'
import { CancelButton, Dialog } from '../../ui/dialogs/dialog.tsx'
import { ErrorBanner } from '../../ui/feedback/error-banner.tsx'
import { PasswordField, TextField } from '../../ui/forms/text-fields.tsx'
import { type Form, useForm } from '../../ui/forms/form.ts'

export interface Confirmed {
  /** Left out by those who have none. */
  readonly body: { readonly password?: string }
  readonly name: string
}

interface ConfirmDialogProps {
  title: string
  confirm: string
  isDanger?: boolean
  hasPassword: boolean
  /** A name to be given, too: what it is a name of, and what it is at first. */
  naming?: { readonly label: string; readonly initial: string }
  children: ReactNode
  onConfirm: (confirmed: Confirmed) => Promise<unknown>
  onClose: () => void
}

export function ConfirmDialog({
  title,
  confirm,
  isDanger,
  hasPassword,
  naming,
  children,
  onConfirm,
  onClose,
}: ConfirmDialogProps) {
  const form = useForm({ ...(naming && { name: naming.initial }), ...(hasPassword && { password: '' }) }, {})
  const change = useMutation({
    mutationFn: () => onConfirm(confirmedBy(form, hasPassword)),
    onError: (cause) =>
      cause instanceof CallError && cause.code === 'passwordNeeded' && form.fail({ password: 'not right' }),
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
      {naming === undefined ? null : <TextField field={form.text('name')} label={naming.label} hasFocus isRequired />}
      {hasPassword ? (
        <PasswordField
          field={form.text('password')}
          label="Your password"
          autoComplete="current-password"
          hasFocus={naming === undefined}
          isRequired
        />
      ) : null}
    </Dialog>
  )
}

function confirmedBy({ values }: Form, hasPassword: boolean): Confirmed {
  return {
    body: hasPassword ? { password: String(values['password']) } : {},
    name: String(values['name'] ?? '').trim(),
  }
}
