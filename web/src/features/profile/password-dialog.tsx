import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { CallError, messageOf } from '@tributary/client/call-error'
import { useSignInOptions } from '../../api/session/sign-in-options.ts'
import { useMutation } from '../../api/use-mutation.ts'
import { showToast } from '../../ui/feedback/toasts.tsx'
import { CancelButton, Dialog } from '../../ui/dialogs/dialog.tsx'
import { ErrorBanner } from '../../ui/feedback/error-banner.tsx'
import { PasswordField } from '../../ui/forms/text-fields.tsx'
import { useForm } from '../../ui/forms/use-form.ts'
import { NewPasswordFields, newPasswordRules, newPasswordValues } from '../../domain/sign-in/new-password-fields.tsx'
import { sessionList, useRefreshSecurity } from './api.ts'

export function PasswordDialog({ hasPassword, onClose }: { hasPassword: boolean; onClose: () => void }) {
  const { passwordMin } = useSignInOptions()
  const client = useQueryClient()
  const refresh = useRefreshSecurity()
  const form = useForm({ ...(hasPassword && { currentPassword: '' }), ...newPasswordValues }, newPasswordRules)
  const value = (name: string) => String(form.values[name])
  const change = useMutation({
    mutationFn: () =>
      call('POST /me/password', {
        body: { password: value('password'), ...(hasPassword && { currentPassword: value('currentPassword') }) },
      }),
    onSuccess: async () => {
      onClose()
      showToast('Your password was changed')
      await Promise.all([refresh(), client.invalidateQueries({ queryKey: sessionList.queryKey })])
    },
    onError: (cause) => {
      if (!(cause instanceof CallError)) return
      form.showErrors(cause.code === 'passwordNeeded' ? { currentPassword: 'not right' } : cause.fields)
    },
  })
  return (
    <Dialog
      kind="modal"
      title={hasPassword ? 'Change your password' : 'Set a password'}
      onClose={onClose}
      isDirty={form.isDirty}
      isBusy={change.isPending}
      onSubmit={() => form.validate() && change.mutate()}
      footer={
        <>
          <CancelButton />
          <Button type="submit" loading={change.isPending}>
            Save
          </Button>
        </>
      }
    >
      <ErrorBanner message={change.error && messageOf(change.error)} onDismiss={change.reset} />
      {hasPassword ? (
        <PasswordField
          field={form.bind('currentPassword')}
          label="Current password"
          autoComplete="current-password"
          hasFocus
          isRequired
        />
      ) : null}
      <NewPasswordFields form={form} min={passwordMin} />
    </Dialog>
  )
}
