/** Forces a user whose password an administrator typed to choose a new one before anything else. */
import { Navigate } from 'react-router'
import { call } from '../../api/call.ts'
import { CallError } from '@tributary/client/call-error'
import { endSession, storeSession, useIdentity } from '../../api/session/session.ts'
import { useSignInOptions } from '../../api/session/sign-in-options.ts'
import { useMutation } from '../../api/use-mutation.ts'
import { paths, returnPath } from '../../paths.ts'
import { useUrlParams } from '../../ui/hooks/search-params.ts'
import { PasswordField } from '../../ui/forms/text-fields.tsx'
import { useForm } from '../../ui/forms/use-form.ts'
import { NewPasswordFields, newPasswordRules, newPasswordValues } from '../../domain/sign-in/new-password-fields.tsx'
import { MutationError } from '../../domain/requests/mutation-error.tsx'
import { AuthFooter, AuthForm, AuthPage, TextButton } from '../../domain/sign-in/auth-page.tsx'

export function PasswordChangePage() {
  const identity = useIdentity()
  const params = useUrlParams()
  const returnUrl = params.get('returnUrl')
  if (identity === null) return <Navigate to={paths.signIn} replace />
  if (!identity.mustChangePassword) return <Navigate to={returnPath(returnUrl)} replace />
  return (
    <AuthPage title="Choose your own password">
      <p className="muted">
        An administrator set the password that you signed in with and may know it. Choose one that only you know.
      </p>
      <PasswordChangeForm emailAddress={identity.email} />
      <AuthFooter>
        <TextButton onClick={() => void signOut()}>Sign out</TextButton>
      </AuthFooter>
    </AuthPage>
  )
}

function PasswordChangeForm({ emailAddress }: { emailAddress: string }) {
  const form = useForm({ currentPassword: '', ...newPasswordValues }, newPasswordRules)
  const { passwordMin } = useSignInOptions()
  const change = useMutation({
    mutationFn: async () => {
      const { currentPassword, password } = form.values
      await call('POST /me/password', {
        body: { currentPassword: String(currentPassword), password: String(password) },
      })
      storeSession(await call('POST /auth/refresh', { body: {} }))
    },
    onError: (cause) => {
      if (cause instanceof CallError)
        form.showErrors(cause.code === 'passwordNeeded' ? { currentPassword: 'not right' } : cause.fields)
    },
  })
  return (
    <AuthForm onSubmit={() => form.validate() && change.mutate()} submitLabel="Continue" isBusy={change.isPending}>
      <MutationError of={change} />
      {/* Lets password managers store the new password under the right account. */}
      <input type="email" name="username" autoComplete="username" readOnly hidden value={emailAddress} />
      <PasswordField
        field={form.bind('currentPassword')}
        label="The password you were given"
        autoComplete="current-password"
        hasFocus
        isRequired
      />
      <NewPasswordFields form={form} min={passwordMin} />
    </AuthForm>
  )
}

/** Ends the session locally even if the server cannot be reached. */
async function signOut(): Promise<void> {
  await call('POST /auth/signout').catch(() => undefined)
  endSession()
}
