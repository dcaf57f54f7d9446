import { Button } from '@fluentui/react-button'
import { Checkbox } from '@fluentui/react-checkbox'
import { Field } from '@fluentui/react-field'
import { Input } from '@fluentui/react-input'
import { Text } from '@fluentui/react-text'
import type { SignInReply, VerificationNeeded } from '@tributary/contract/sign-in'
import { type FormEvent, useState } from 'react'
import { messageOf } from '../api/call-error.ts'
import { call } from '../api/call.ts'
import { Note } from '../ui/message-bars.tsx'
import { Screen } from '../ui/screen.tsx'
import { useAct } from '../ui/use-request.ts'

interface CodeFormProps {
  needed: VerificationNeeded
  onAnswer: (answer: SignInReply) => void
  onBack: () => void
}

export function CodeForm({ needed, onAnswer, onBack }: CodeFormProps) {
  const [code, setCode] = useState('')
  const [trust, setTrust] = useState(false)
  const [sentTo, setSentTo] = useState(needed.verificationSentTo)
  const entering = useAct()
  const sending = useAct()
  const { verificationReference } = needed
  function enter(event: FormEvent) {
    event.preventDefault()
    const body = { verificationReference, verificationCode: code, verificationTrustDevice: trust }
    entering.run(async (signal) => onAnswer(await call('POST /auth/signin-b2s', { body, signal })))
  }
  const send = () =>
    sending.run(async (signal) => {
      const reply = await call('POST /verify/resend', { body: { reference: verificationReference }, signal })
      setSentTo(reply.verificationSentTo)
    })
  const error = entering.error ?? sending.error
  return (
    <form onSubmit={enter}>
      <Screen
        title="Enter your code"
        onBack={onBack}
        actions={
          <Button appearance="primary" type="submit" disabled={code.trim() === '' || entering.isBusy}>
            Verify
          </Button>
        }
      >
        {error === undefined ? null : <Note intent="error">{messageOf(error)}</Note>}
        <Text>{whereFrom(needed, sentTo)}</Text>
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
        {needed.verificationMethods.includes('email') ? (
          <div>
            <Button size="small" type="button" disabled={sending.isBusy} onClick={send}>
              {sentTo === null ? 'Send a code by email' : 'Send the code again'}
            </Button>
          </div>
        ) : null}
      </Screen>
    </form>
  )
}

function whereFrom({ verificationMethods }: VerificationNeeded, sentTo: string | null): string {
  if (sentTo !== null) return `We have sent a code to ${sentTo}.`
  if (verificationMethods.includes('totp'))
    return 'Enter the code that your authenticator app shows, or a recovery code.'
  if (verificationMethods.includes('recovery')) return 'Enter one of your recovery codes.'
  return 'Your account asks for a passkey. Sign in to the portal in this window, close it, and choose ‘Sign in’ in the pane once more.'
}
