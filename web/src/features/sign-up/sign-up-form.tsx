import type { CallReply } from '@tributary/contract/calls'
import { useSignInOptions } from '../../api/session/sign-in-options.ts'
import css from '../../domain/sign-in/auth-page.module.css'
import { validateEmailAddress } from '../../ui/forms/validate-email-address.ts'
import { ErrorBanner } from '../../ui/feedback/error-banner.tsx'
import { TextField } from '../../ui/forms/text-fields.tsx'
import { useForm } from '../../ui/forms/use-form.ts'
import { NewPasswordFields, newPasswordRules, newPasswordValues } from '../../domain/sign-in/new-password-fields.tsx'
import { type PendingSignUp, signUpErrorMessage, useSignUp } from './use-sign-up.ts'
import { AuthForm } from '../../domain/sign-in/auth-page.tsx'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { fieldErrorsOf } from '../../domain/requests/field-errors.ts'

/** The user's data from the identity provider, which replaces the password. */
type IdentityProviderAccount = CallReply<'POST /registration/external'> & { readonly atid: string }

interface SignUpFormProps {
  identity: IdentityProviderAccount | null
  onSignedUp: (signedUp: PendingSignUp) => void
}

export function SignUpForm({ identity, onSignedUp }: SignUpFormProps) {
  const form = useForm(
    {
      firstName: identity?.firstName ?? '',
      lastName: identity?.lastName ?? '',
      emailAddress: identity?.emailAddress ?? '',
      ...(identity === null ? newPasswordValues : {}),
      companyName: '',
    },
    { emailAddress: { check: validateEmailAddress }, ...newPasswordRules },
  )
  const { passwordMin } = useSignInOptions()
  const signUp = useSignUp(onSignedUp)
  const availability = useAddressAvailability()
  const email = form.bind('emailAddress')

  async function submit() {
    if (!form.validate() || !(await availability.isAvailable(email.value))) return
    const value = (name: string) => String(form.values[name]).trim()
    const account = { firstName: value('firstName'), lastName: value('lastName'), emailAddress: value('emailAddress') }
    signUp.mutate(
      {
        account: identity === null ? { ...account, password: String(form.values['password']) } : account,
        organisation: { companyName: value('companyName'), ...browserTimeZone() },
        ...(identity === null ? {} : { registrationCode: identity.atid }),
      },
      { onError: (cause) => form.showErrors(fieldErrorsOf(cause)) },
    )
  }

  return (
    <AuthForm onSubmit={() => void submit()} submitLabel="Sign up" isBusy={signUp.isPending}>
      <ErrorBanner message={signUp.error && signUpErrorMessage(signUp.error)} onDismiss={signUp.reset} />
      <div className={css.pair}>
        <TextField field={form.bind('firstName')} label="First name" autoComplete="given-name" isRequired />
        <TextField field={form.bind('lastName')} label="Last name" autoComplete="family-name" isRequired />
      </div>
      <TextField
        field={{
          ...email,
          error: email.error ?? availability.errorOf(email.value),
          onBlur: () => {
            email.onBlur()
            void availability.isAvailable(email.value)
          },
        }}
        label="Email"
        type="email"
        inputMode="email"
        autoComplete="username"
        isRequired
      />
      {identity === null ? <NewPasswordFields form={form} min={passwordMin} /> : null}
      <TextField field={form.bind('companyName')} label="Organisation name" autoComplete="organization" isRequired />
    </AuthForm>
  )
}

/** Empty if the browser does not know the time zone. */
function browserTimeZone(): { readonly timeZone?: string } {
  // Not from `ui/formats.ts`, which visitors do not load.
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
  return timeZone === '' || timeZone === 'Etc/Unknown' ? {} : { timeZone }
}

const addressTaken = 'This email address is already in use'

/** Checks whether an address is available, on blur and before the form is sent. */
function useAddressAvailability() {
  const client = useQueryClient()
  const [takenAddress, setTakenAddress] = useState<string | null>(null)

  async function isAvailable(typed: string): Promise<boolean> {
    const emailAddress = typed.trim()
    if (validateEmailAddress(emailAddress) !== null) return true
    // The call is rate limited, so a failed one counts as available.
    const { data } = await client
      .fetchQuery({
        queryKey: ['address-is-free', emailAddress],
        queryFn: () => call('GET /registration/verify', { query: { emailAddress } }),
        staleTime: 60_000,
        retry: false,
      })
      .catch(() => ({ data: true }))
    if (!data) setTakenAddress(emailAddress)
    return data
  }
  return { isAvailable, errorOf: (typed: string) => (typed.trim() === takenAddress ? addressTaken : null) }
}
