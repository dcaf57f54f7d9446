/** Sets a password, the first or a new one, with the token of a link. */
import { Button, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Link, useParams } from 'react-router'
import { call } from '../../api/call.ts'
import { CallError, messageOf } from '@tributary/client/call-error'
import type { CallReply } from '@tributary/contract/calls'
import { useSignInOptions } from '../../api/session/sign-in-options.ts'
import { useMutation } from '../../api/use-mutation.ts'
import { paths } from '../../paths.ts'
import { useForm } from '../../ui/forms/use-form.ts'
import { NewPasswordFields, newPasswordRules, newPasswordValues } from '../../domain/sign-in/new-password-fields.tsx'
import { Callout } from '../../ui/feedback/callout.tsx'
import { ResetRequestForm } from './reset-request-form.tsx'
import { MutationError } from '../../domain/requests/mutation-error.tsx'
import { AuthForm, AuthPage, AuthWaiting, BackToSignIn } from '../../domain/sign-in/auth-page.tsx'
import { fieldErrorsOf } from '../../domain/requests/field-errors.ts'

export function SetPasswordPage() {
  const token = useTokenFromUrl()
  const validation = useQuery({
    queryKey: ['reset-token', token],
    queryFn: () => call('GET /reset-password/validate', { query: { token } }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  })
  const [isDone, setDone] = useState(false)
  const [wasRefused, setRefused] = useState(false)

  if (isDone) return <PasswordSet />
  if (wasRefused || isExpired(validation.error)) return <LinkExpired />
  return (
    <AuthPage title={validation.data?.isFirst === true ? 'Choose your first password' : 'Choose a new password'}>
      {validation.isPending ? <AuthWaiting>Checking your link…</AuthWaiting> : null}
      {validation.error === null ? null : (
        <Callout tone="error" isAlert>
          <p>{messageOf(validation.error)}</p>
        </Callout>
      )}
      {validation.data === undefined ? null : (
        <SetPasswordForm
          token={token}
          link={validation.data}
          onDone={() => setDone(true)}
          onRefused={() => setRefused(true)}
        />
      )}
      <BackToSignIn />
    </AuthPage>
  )
}

/** Reads the token from the URL and removes it from there and from the history. */
function useTokenFromUrl(): string {
  const { token = '' } = useParams()
  const [kept] = useState(token)
  useEffect(() => {
    window.history.replaceState(window.history.state, '', paths.resetPassword)
  }, [])
  return kept
}

function isExpired(error: Error | null): boolean {
  return error instanceof CallError && error.statusCode === 403
}

interface SetPasswordFormProps {
  token: string
  link: CallReply<'GET /reset-password/validate'>
  onDone: () => void
  onRefused: () => void
}

function SetPasswordForm({ token, link, onDone, onRefused }: SetPasswordFormProps) {
  const form = useForm(newPasswordValues, newPasswordRules)
  const { passwordMin } = useSignInOptions()
  const reset = useMutation({
    mutationFn: () => call('POST /reset-password', { body: { token, password: String(form.values['password']) } }),
    onSuccess: onDone,
    onError: (error) => {
      if (isExpired(error)) onRefused()
      else form.showErrors(fieldErrorsOf(error))
    },
  })
  return (
    <AuthForm
      onSubmit={() => form.validate() && reset.mutate()}
      submitLabel="Set the password"
      isBusy={reset.isPending}
    >
      <MutationError of={reset} />
      <TextInput
        label="Email"
        name="username"
        type="email"
        autoComplete="username"
        readOnly
        value={link.emailAddress}
      />
      <NewPasswordFields form={form} min={passwordMin} />
    </AuthForm>
  )
}

function LinkExpired() {
  return (
    <AuthPage title="This link is invalid or has expired">
      <ResetRequestForm text="It was already used, replaced by a newer one, or is too old. You can request a new one." />
      <BackToSignIn />
    </AuthPage>
  )
}

function PasswordSet() {
  return (
    <AuthPage title="Your password is set">
      <Callout tone="ok">
        <p>You are signed out everywhere, and the previous password no longer works.</p>
      </Callout>
      <Button component={Link} to={paths.signIn} size="md" fullWidth>
        Back to sign in
      </Button>
    </AuthPage>
  )
}
