import { call } from '../../api/call.ts'
import { CallError } from '@tributary/client/call-error'
import { useSignInOptions } from '../../api/session/sign-in-options.ts'
import { useInvalidate } from '../../api/use-invalidate.ts'
import { useMutation } from '../../api/use-mutation.ts'
import { showToast } from '../../ui/feedback/toasts.tsx'
import { PasswordField } from '../../ui/forms/text-fields.tsx'
import { useForm } from '../../ui/forms/use-form.ts'
import { NewPasswordFields, newPasswordRules, newPasswordValues } from '../../domain/sign-in/new-password-fields.tsx'
import { securityDetails, sessionList } from './api.ts'
import { MutationDialog } from '../../domain/requests/mutation-dialog.tsx'

export function PasswordDialog({ hasPassword, onClose }: { hasPassword: boolean; onClose: () => void }) {
  const { passwordMin } = useSignInOptions()
  const invalidate = useInvalidate()
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
      await invalidate(securityDetails, sessionList)
    },
    onError: (cause) => {
      if (!(cause instanceof CallError)) return
      form.showErrors(cause.code === 'passwordNeeded' ? { currentPassword: 'not right' } : cause.fields)
    },
  })
  return (
    <MutationDialog
      title={hasPassword ? 'Change your password' : 'Set a password'}
      onClose={onClose}
      isDirty={form.isDirty}
      mutation={change}
      onSubmit={() => form.validate() && change.mutate()}
      submitLabel="Save"
    >
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
    </MutationDialog>
  )
}
