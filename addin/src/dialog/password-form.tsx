import { Button } from '@fluentui/react-button'
import { Field } from '@fluentui/react-field'
import { Input } from '@fluentui/react-input'
import { Link } from '@fluentui/react-link'
import { Text } from '@fluentui/react-text'
import type { SignInReply } from '@tributary/contract/sign-in'
import { type FormEvent, useState } from 'react'
import { messageOf } from '../api/call-error.ts'
import { call } from '../api/call.ts'
import { Note } from '../ui/message-bars.tsx'
import { Screen } from '../ui/screen.tsx'
import { useAct } from '../ui/use-request.ts'

export function PasswordForm({ onAnswer }: { onAnswer: (answer: SignInReply) => void }) {
  const [emailAddress, setEmailAddress] = useState('')
  const [password, setPassword] = useState('')
  const entering = useAct()
  function enter(event: FormEvent) {
    event.preventDefault()
    entering.run(async (signal) =>
      onAnswer(await call('POST /auth/signin-b2s', { body: { emailAddress, password }, signal })),
    )
  }
  const isWhole = emailAddress.trim() !== '' && password !== ''
  return (
    <form onSubmit={enter}>
      <Screen
        title="Sign in to Tributary"
        actions={
          <Button appearance="primary" type="submit" disabled={!isWhole || entering.isBusy}>
            Sign in
          </Button>
        }
      >
        {entering.error === undefined ? null : <Note intent="error">{messageOf(entering.error)}</Note>}
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
          in this window, close it, and choose ‘Sign in’ in the pane once more.
        </Text>
      </Screen>
    </form>
  )
}
