import { Button, TextInput } from '@mantine/core'
import type { Finalisation } from '@tributary/contract/sign-up'
import { Link } from 'react-router'
import { useSignInOptions } from '../../api/session/sign-in-options.ts'
import { paths } from '../../paths.ts'
import { PasswordField, TextField } from '../../ui/forms/text-fields.tsx'
import { useForm } from '../../ui/forms/use-form.ts'
import { NewPasswordFields, newPasswordRules, newPasswordValues } from '../../domain/sign-in/new-password-fields.tsx'
import css from './sign-up.module.css'
import type { useFinalise } from './use-finalise.ts'
import { AuthForm } from '../../domain/sign-in/auth-page.tsx'
import { fieldErrorsOf } from '../../domain/requests/field-errors.ts'

interface FinaliseFormProps {
  data: Finalisation
  finalise: ReturnType<typeof useFinalise>
}

export function JoinOrganisationForm({ data, finalise }: FinaliseFormProps) {
  const isChosen = (answer: boolean) => finalise.isPending && finalise.variables.joinOrganisation === answer
  return (
    <>
      <p className="muted">
        There is an organisation called {data.CompanyName} already. Do you want to join it? Its administrator will be
        asked.
      </p>
      <div className={css.yesNo}>
        <Button size="md" loading={isChosen(true)} onClick={() => finalise.mutate({ joinOrganisation: true })}>
          Yes
        </Button>
        <Button
          size="md"
          variant="default"
          loading={isChosen(false)}
          onClick={() => finalise.mutate({ joinOrganisation: false })}
        >
          No
        </Button>
      </div>
    </>
  )
}

export function NameOrganisationForm({ data, finalise }: FinaliseFormProps) {
  const form = useForm({ companyName: data.CompanyName })
  const submit = () =>
    finalise.mutate(
      { organisation: { companyName: String(form.values['companyName']).trim() } },
      { onError: (cause) => form.showErrors(fieldErrorsOf(cause)) },
    )
  return (
    <AuthForm onSubmit={() => form.validate() && submit()} submitLabel="Continue" isBusy={finalise.isPending}>
      <p className="muted">What is your organisation called?</p>
      <TextField field={form.bind('companyName')} label="Organisation name" autoComplete="organization" isRequired />
    </AuthForm>
  )
}

export function LinkAccountForm({ data, finalise }: FinaliseFormProps) {
  const form = useForm({ password: '' })
  const submit = () => finalise.mutate({ account: { password: String(form.values['password']) } })
  return (
    <AuthForm onSubmit={() => form.validate() && submit()} submitLabel="Sign in and link" isBusy={finalise.isPending}>
      <p className="muted">
        An account with this address exists. Sign in once to link it: you then work in {data.CompanyName} with the
        account that you have.
      </p>
      <TextInput
        label="Email"
        name="username"
        type="email"
        autoComplete="username"
        readOnly
        value={data.EmailAddress}
      />
      <PasswordField field={form.bind('password')} label="Password" autoComplete="current-password" isRequired />
      <Link to={paths.resetPassword}>Forgot password?</Link>
    </AuthForm>
  )
}

export function ChoosePasswordForm({ data, finalise }: FinaliseFormProps) {
  const form = useForm(newPasswordValues, newPasswordRules)
  const { passwordMin } = useSignInOptions()
  const submit = () =>
    finalise.mutate(
      { account: { password: String(form.values['password']) } },
      { onError: (cause) => form.showErrors(fieldErrorsOf(cause)) },
    )
  return (
    <AuthForm
      onSubmit={() => form.validate() && submit()}
      submitLabel={data.Invited ? 'Create my account' : 'Continue'}
      isBusy={finalise.isPending}
    >
      <p className="muted">
        {data.Invited
          ? `Hello ${data.FirstName}, you are invited to work in ${data.CompanyName}. Choose a password to begin.`
          : 'This sign-up was started in another browser, so a password entered there is not used. Choose one for your account. If you did not sign up, close this page; no account is created.'}
      </p>
      <TextInput
        label="Email"
        name="username"
        type="email"
        autoComplete="username"
        readOnly
        value={data.EmailAddress}
      />
      <NewPasswordFields form={form} min={passwordMin} />
    </AuthForm>
  )
}
