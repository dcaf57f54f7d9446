/**
 * Signing in: with the portal's session in this browser or with a password, and with a code if the account requires
 * one.
 */
import { Button } from '@fluentui/react-button'
import { Text } from '@fluentui/react-text'
import { refreshSession } from '@tributary/client/token-renewal'
import type { SessionReply, SignInReply, VerificationNeeded } from '@tributary/contract/sign-in'
import { useState } from 'react'
import { PaneError } from '../api/pane-error.ts'
import { useScreenQuery } from '../api/use-screen-query.ts'
import { type OfficeHost, sendToPane } from '../host/office.ts'
import { Waiting } from '../ui/message-bars.tsx'
import { Screen } from '../ui/screen.tsx'
import { CodeForm } from './code-form.tsx'
import { PasswordForm } from './password-form.tsx'

type SignInStep =
  | { readonly name: 'portal session' | 'password' }
  | { readonly name: 'code'; readonly verification: VerificationNeeded }
  | { readonly name: 'done' }

export function SignIn({ host }: { host: OfficeHost }) {
  const [step, setStep] = useState<SignInStep>({ name: 'portal session' })
  // If the server cannot be reached, the password form appears and reports the error on submit.
  const portalSession = useScreenQuery({
    queryKey: ['portal-session'],
    queryFn: () => refreshSession().catch(() => null),
  })

  function finish(session: SessionReply) {
    sendToPane(JSON.stringify(session))
    setStep({ name: 'done' })
  }
  function handleReply(reply: SignInReply) {
    if ('accessToken' in reply) finish(reply)
    else if ('verificationRequired' in reply) setStep({ name: 'code', verification: reply })
    else throw new PaneError('This sign-in must be confirmed in the portal. Sign in there first, then here.')
  }
  const choosePassword = () => setStep({ name: 'password' })
  if (host !== 'excel')
    return (
      <Screen title="This window belongs to Excel">
        <Text>Open the Tributary pane in Excel and choose ‘Sign in’ there.</Text>
      </Screen>
    )
  if (step.name === 'done')
    return (
      <Screen title="You are signed in">
        <Text>Continue in Excel. You can close this window.</Text>
      </Screen>
    )
  if (step.name === 'code')
    return <CodeForm verification={step.verification} onReply={handleReply} onBack={choosePassword} />
  if (step.name === 'portal session' && portalSession.isFetching)
    return (
      <Screen title="Sign in to Tributary">
        <Waiting>One moment…</Waiting>
      </Screen>
    )
  const session = step.name === 'portal session' ? (portalSession.data ?? null) : null
  if (session === null) return <PasswordForm onReply={handleReply} />
  return <ContinueAs session={session} onContinue={() => finish(session)} onOther={choosePassword} />
}

interface ContinueAsProps {
  session: SessionReply
  onContinue: () => void
  onOther: () => void
}

function ContinueAs({ session, onContinue, onOther }: ContinueAsProps) {
  return (
    <Screen
      title="Sign in to Tributary"
      actions={
        <>
          <Button appearance="primary" onClick={onContinue}>
            {`Continue as ${session.firstName} ${session.lastName}`}
          </Button>
          <Button onClick={onOther}>Use another account</Button>
        </>
      }
    >
      <Text>{`You are signed in to the portal in this browser as ${session.email}.`}</Text>
    </Screen>
  )
}
