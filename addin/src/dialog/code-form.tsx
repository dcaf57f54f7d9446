import { Button } from '@fluentui/react-button'
import { Checkbox } from '@fluentui/react-checkbox'
import { Field } from '@fluentui/react-field'
import { Input } from '@fluentui/react-input'
import { Text } from '@fluentui/react-text'
import { messageOf } from '@tributary/client/call-error'
import type { SignInReply, VerificationNeeded } from '@tributary/contract/sign-in'
import { type FormEvent, useState } from 'react'
import { call } from '../api/call.ts'
import { useScreenMutation } from '../api/use-screen-mutation.ts'
import { Message } from '../ui/message-bars.tsx'
import { Screen } from '../ui/screen.tsx'

interface CodeFormProps {
  verification: VerificationNeeded
  onReply: (reply: SignInReply) => void
  onBack: () => void
}

export function CodeForm({ verification, onReply, onBack }: CodeFormProps) {
  const [code, setCode] = useState('')
  const [trust, setTrust] = useState(false)
  const [sentTo, setSentTo] = useState(verification.verificationSentTo)
  const { verificationReference } = verification
  const verify = useScreenMutation(async (_, signal) => {
    const body = { verificationReference, verificationCode: code, verificationTrustDevice: trust }
    onReply(await call('POST /auth/signin-b2s', { body, signal }))
  })
  const resend = useScreenMutation(async (_, signal) => {
    const reply = await call('POST /verify/resend', { body: { reference: verificationReference }, signal })
    setSentTo(reply.verificationSentTo)
  })
  function submit(event: FormEvent) {
    event.preventDefault()
    verify.mutate()
  }
  const error = verify.error ?? resend.error
  return (
    <form onSubmit={submit}>
      <Screen
        title="Enter your code"
        onBack={onBack}
        actions={
          <Button appearance="primary" type="submit" disabled={code.trim() === '' || verify.isPending}>
            Verify
          </Button>
        }
      >
        {error === null ? null : <Message intent="error">{messageOf(error)}</Message>}
        <Text>{describeCodeSource(verification, sentTo)}</Text>
        <Field label="Verification code" required>
          <Input
            inputMode="text"
            autoComplete="one-time-code"
            value={code}
            onChange={(_, { value }) => setCode(value)}
          />
        </Field>
        <Checkbox
          label="Trust this device for 30 days"
          checked={trust}
          onChange={(_, { checked }) => setTrust(checked === true)}
        />
        {verification.verificationMethods.includes('email') ? (
          <div>
            <Button size="small" type="button" disabled={resend.isPending} onClick={() => resend.mutate()}>
              {sentTo === null ? 'Send a code by email' : 'Send the code again'}
            </Button>
          </div>
        ) : null}
      </Screen>
    </form>
  )
}

function describeCodeSource({ verificationMethods }: VerificationNeeded, sentTo: string | null): string {
  if (sentTo !== null) return `We have sent a code to ${sentTo}.`
  if (verificationMethods.includes('totp'))
    return 'Enter the code that your authenticator app shows, or a recovery code.'
  if (verificationMethods.includes('recovery')) return 'Enter one of your recovery codes.'
  return 'Your account requires a passkey. Sign in to the portal in this window, close it, and choose ‘Sign in’ in the pane again.'
}
