import { Navigate } from 'react-router'
import { call } from '../../api/call.ts'
import { messageOf } from '@tributary/client/call-error'
import { useIdentity } from '../../api/session/session.ts'
import { useMutation } from '../../api/use-mutation.ts'
import { paths } from '../../paths.ts'
import { ErrorBanner } from '../../ui/feedback/error-banner.tsx'
import { PasswordField, TextField } from '../../ui/forms/text-fields.tsx'
import { type FieldRules, useForm } from '../../ui/forms/use-form.ts'
import { useSignIn } from './use-sign-in.ts'
import { AuthForm, AuthPage } from '../../domain/sign-in/auth-page.tsx'
import { fieldErrorsOf } from '../../domain/requests/field-errors.ts'

const initialValues = { code: '', firstName: '', lastName: '', emailAddress: '', password: '', repeated: '' }
const setupRules: FieldRules = {
  emailAddress: { check: (value) => (/^\S+@\S+\.\S+$/.test(value) ? null : 'Invalid email address') },
  repeated: { mustEqual: { name: 'password', placeholder: 'Password' } },
}

/** First start of a production server: a person with the code from the console becomes the superadmin. */
export function SetupPage() {
  const identity = useIdentity()
  const form = useForm(initialValues, setupRules)
  const { signIn, error: signInError, dismissError } = useSignIn()

  const createSuperadmin = useMutation({
    mutationFn: async () => {
      const { repeated: _, ...account } = form.values as typeof initialValues
      await call('POST /auth/first-superadmin', { body: account })
      await signIn({ emailAddress: account.emailAddress, password: account.password })
    },
    onError: (cause) => form.showErrors(fieldErrorsOf(cause)),
  })

  if (identity !== null) return <Navigate to={paths.home} replace />
  return (
    <AuthPage title="Set up Tributary">
      <p className="muted">
        The server printed a code on its console when it started. Enter it to become the first superadmin. Then enter a
        second code, which you get by email.
      </p>
      <ErrorBanner
        message={createSuperadmin.error === null ? signInError : messageOf(createSuperadmin.error)}
        onDismiss={createSuperadmin.error === null ? dismissError : createSuperadmin.reset}
      />
      <AuthForm
        onSubmit={() => form.validate() && createSuperadmin.mutate()}
        submitLabel="Create superadmin"
        isBusy={createSuperadmin.isPending}
      >
        <TextField field={form.bind('code')} label="Code" autoComplete="one-time-code" isRequired />
        <TextField field={form.bind('firstName')} label="First name" autoComplete="given-name" isRequired />
        <TextField field={form.bind('lastName')} label="Last name" autoComplete="family-name" isRequired />
        <TextField
          field={form.bind('emailAddress')}
          label="E-mail address"
          type="email"
          autoComplete="username"
          isRequired
        />
        <PasswordField
          field={form.bind('password')}
          label="Password"
          help="Use at least 12 characters and no common password."
          autoComplete="new-password"
          isRequired
        />
        <PasswordField field={form.bind('repeated')} label="Confirm password" autoComplete="new-password" isRequired />
      </AuthForm>
    </AuthPage>
  )
}
