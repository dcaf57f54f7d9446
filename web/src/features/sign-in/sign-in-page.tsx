import { Button, PasswordInput, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { Link, Navigate, useSearchParams } from 'react-router'
import { isTrial } from '../../api/portal-mode.ts'
import { useIdentity } from '../../api/session.ts'
import { readCookie } from '../../api/storage.ts'
import { paths, safeReturnPath } from '../../paths.ts'
import { ErrorBanner } from '../../ui/error-banner.tsx'
import { AuthFrame } from './auth-frame.tsx'
import css from './auth.module.css'
import { DemoAccounts } from './demo-accounts.tsx'
import { useSignIn } from './use-sign-in.ts'

export function SignInPage() {
  const identity = useIdentity()
  const [params] = useSearchParams()
  if (identity !== null) return <Navigate to={safeReturnPath(params.get('returnUrl'))} replace />
  const { title, text } = greeting(params)
  return (
    <AuthFrame title={title}>
      {text === null ? null : <p className="muted">{text}</p>}
      <SignInForm />
    </AuthFrame>
  )
}

function SignInForm() {
  const [emailAddress, setEmailAddress] = useState('')
  const [password, setPassword] = useState('')
  const [hasCapsLock, setCapsLock] = useState(false)
  const { signIn, isBusy, error, dismissError } = useSignIn()
  const isComplete = emailAddress.trim() !== '' && password !== ''

  function submit(event: FormEvent) {
    event.preventDefault()
    if (isComplete && !isBusy) void signIn({ emailAddress: emailAddress.trim(), password })
  }

  return (
    <>
      <ErrorBanner message={error} onDismiss={dismissError} />
      <form className={css.form} onSubmit={submit}>
        <TextInput
          label="Username"
          name="username"
          type="email"
          inputMode="email"
          autoComplete="username"
          placeholder="you@company.com"
          size="md"
          value={emailAddress}
          onChange={(event) => setEmailAddress(event.currentTarget.value)}
        />
        <PasswordInput
          label="Password"
          name="password"
          autoComplete="current-password"
          size="md"
          value={password}
          description={hasCapsLock ? 'Caps Lock is on.' : undefined}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          visibilityToggleButtonProps={{ 'aria-label': 'Show or hide what is typed', tabIndex: 0, 'aria-hidden': false }}
          onKeyUp={(event) => setCapsLock(event.getModifierState('CapsLock'))}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <Link className={css.forgot} to={paths.resetPassword}>
          Forgot password?
        </Link>
        <Button type="submit" size="md" fullWidth disabled={!isComplete} loading={isBusy}>
          Sign in
        </Button>
      </form>
      {isTrial() ? <DemoAccounts isBusy={isBusy} onPick={(account) => void signIn(account)} /> : null}
      <p className={css.after}>
        <Link to={paths.signUp}>No account? Sign up now.</Link>
      </p>
    </>
  )
}

function greeting(params: URLSearchParams): { title: string; text: string | null } {
  const name = params.get('name') ?? readCookie('logged_in_name') ?? ''
  if (params.get('registration') === 'success') {
    return {
      title: name === '' ? 'Welcome' : `Welcome, ${name}`,
      text: 'Please watch out for a welcome email which will provide you with the next steps.',
    }
  }
  return { title: name === '' ? 'Sign in to Tributary' : `Welcome back, ${name}`, text: null }
}
