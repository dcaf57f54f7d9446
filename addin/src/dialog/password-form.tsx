import { Button } from '@fluentui/react-button'
import { Field } from '@fluentui/react-field'
import { Input } from '@fluentui/react-input'
import { Link } from '@fluentui/react-link'
import { Text } from '@fluentui/react-text'
import { messageOf } from '@tributary/client/call-error'
import type { SignInReply } from '@tributary/contract/sign-in'
import { type FormEvent, useState } from 'react'
import { call } from '../api/call.ts'
import { useScreenMutation } from '../api/use-screen-mutation.ts'
import { Message } from '../ui/message-bars.tsx'
import { Screen } from '../ui/screen.tsx'

export function PasswordForm({ onReply }: { onReply: (reply: SignInReply) => void }) {
  const [emailAddress, setEmailAddress] = useState('')
  const [password, setPassword] = useState('')
  const signIn = useScreenMutation(async (_, signal) =>
    onReply(await call('POST /auth/signin-b2s', { body: { emailAddress, password }, signal })),
  )
  function submit(event: FormEvent) {
    event.preventDefault()
    signIn.mutate()
  }
  const isComplete = emailAddress.trim() !== '' && password !== ''
  return (
    <form onSubmit={submit}>
      <Screen
        title="Sign in to Tributary"
        actions={
          <Button appearance="primary" type="submit" disabled={!isComplete || signIn.isPending}>
            Sign in
          </Button>
        }
      >
        {signIn.error === null ? null : <Message intent="error">{messageOf(signIn.error)}</Message>}
        <Field label="Email address" required>
          <Input
            type="email"
            autoComplete="username"
            value={emailAddress}
            onChange={(_, { value }) => setEmailAddress(value)}
          />
        </Field>
        <Field label="Password" required>
          <Input
            type="password"
            autoComplete="current-password"
            value={password}
            onChange={(_, { value }) => setPassword(value)}
          />
        </Field>
        <Text size={200}>
          With a passkey, a link, or another account:{' '}
          <Link inline href="/signin">
            sign in to the portal
          </Link>{' '}
          in this window, close it, and choose ‘Sign in’ in the pane again.
        </Text>
      </Screen>
    </form>
  )
}
