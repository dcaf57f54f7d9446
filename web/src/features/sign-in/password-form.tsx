import { Button, PasswordInput, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { Link } from 'react-router'
import { paths } from '../../paths.ts'
import frame from '../../domain/sign-in/auth-page.module.css'
import { focusOnMount } from '../../ui/hooks/focus-on-mount.ts'
import css from './sign-in.module.css'
import type { useSignIn } from './use-sign-in.ts'

interface SignInFormProps {
  emailAddress: string
  onEmailAddress: (emailAddress: string) => void
  attempt: ReturnType<typeof useSignIn>
}

export function SignInForm({ emailAddress, onEmailAddress, attempt: { signIn, isBusy } }: SignInFormProps) {
  const [password, setPassword] = useState('')
  // Only the password is missing after a sign-up.
  const [isAddressKnown] = useState(emailAddress !== '')
  const [hasCapsLock, setCapsLock] = useState(false)
  const isComplete = emailAddress.trim() !== '' && password !== ''

  function submit(event: FormEvent) {
    event.preventDefault()
    if (isComplete && !isBusy) void signIn({ emailAddress: emailAddress.trim(), password })
  }

  return (
    <form className={frame.form} noValidate onSubmit={submit}>
      <TextInput
        label="Username"
        name="username"
        type="email"
        inputMode="email"
        autoComplete="username webauthn"
        placeholder="you@company.com"
        size="md"
        value={emailAddress}
        onChange={(event) => onEmailAddress(event.currentTarget.value)}
      />
      <PasswordInput
        ref={isAddressKnown ? focusOnMount : undefined}
        label="Password"
        name="password"
        autoComplete="current-password"
        size="md"
        value={password}
        description={hasCapsLock ? 'Caps Lock is on.' : undefined}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        visibilityToggleFocusable
        visibilityToggleButtonProps={{ 'aria-label': 'Show or hide what is typed' }}
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
  )
}
