/** Signing in: by the session that this browser has, or by password, and by a code where one is asked for. */
import { Button } from '@fluentui/react-button'
import { Text } from '@fluentui/react-text'
import type { Session, SignInReply, VerificationNeeded } from '@tributary/contract/sign-in'
import { useState } from 'react'
import { Refusal } from '../api/call-error.ts'
import { renewSession } from '../api/call.ts'
import { type Host, tellParent } from '../host/office.ts'
import { Waiting } from '../ui/message-bars.tsx'
import { Screen } from '../ui/screen.tsx'
import { useAsk } from '../ui/use-request.ts'
import { CodeForm } from './code-form.tsx'
import { PasswordForm } from './password-form.tsx'

type Step =
  | { readonly at: 'known' | 'password' }
  | { readonly at: 'code'; readonly needed: VerificationNeeded }
  | { readonly at: 'done' }

export function SignIn({ host }: { host: Host }) {
  const [step, setStep] = useState<Step>({ at: 'known' })
  // Whoever cannot be asked now types a password, and hears of it then.
  const known = useAsk('known', () => renewSession().catch(() => null))

  function finish(session: Session) {
    tellParent(JSON.stringify(session))
    setStep({ at: 'done' })
  }
  function answered(answer: SignInReply) {
    if ('accessToken' in answer) finish(answer)
    else if ('verificationRequired' in answer) setStep({ at: 'code', needed: answer })
    else throw new Refusal('This sign-in must be confirmed in the portal. Sign in there first, then here.')
  }
  if (host !== 'excel')
    return (
      <Screen title="This window belongs to Excel">
        <Text>Open the Tributary pane in Excel and choose ‘Sign in’ there.</Text>
      </Screen>
    )
  if (step.at === 'done')
    return (
      <Screen title="You are signed in">
        <Text>Go on in Excel. This window can be closed.</Text>
      </Screen>
    )
  if (step.at === 'code')
    return <CodeForm needed={step.needed} onAnswer={answered} onBack={() => setStep({ at: 'password' })} />
  if (step.at === 'known' && known.isWaiting)
    return (
      <Screen title="Sign in to Tributary">
        <Waiting>One moment…</Waiting>
      </Screen>
    )
  const session = step.at === 'known' ? (known.value ?? null) : null
  if (session === null) return <PasswordForm onAnswer={answered} />
  return <Known session={session} onGoOn={() => finish(session)} onOther={() => setStep({ at: 'password' })} />
}

function Known({ session, onGoOn, onOther }: { session: Session; onGoOn: () => void; onOther: () => void }) {
  return (
    <Screen
      title="Sign in to Tributary"
      actions={
        <>
          <Button appearance="primary" onClick={onGoOn}>
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
