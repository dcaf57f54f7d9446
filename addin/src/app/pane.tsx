/** The pane as a whole: outside of Excel, before signing in, and after. */
import { Text } from '@fluentui/react-text'
import type { Session } from '@tributary/contract/sign-in'
import { call } from '../api/call.ts'
import { useSession } from '../api/session.ts'
import type { Host } from '../host/office.ts'
import { Welcome } from '../screens/welcome.tsx'
import { Failure, Note, Waiting } from '../ui/message-bars.tsx'
import { Screen } from '../ui/screen.tsx'
import { useAsk } from '../ui/use-request.ts'
import { PersonBar } from './account-bar.tsx'
import { Steps } from './load-steps.tsx'

export function Pane({ host }: { host: Host }) {
  const session = useSession()
  if (host !== 'excel') return <NotInExcel host={host} />
  if (session === null) return <Welcome />
  return <SignedIn session={session} />
}

function SignedIn({ session }: { session: Session }) {
  const organisations = useAsk(session.email, (signal) => call('GET /organisations', { signal }))
  const own = organisations.value
  return (
    <>
      <PersonBar session={session} />
      {organisations.isWaiting || organisations.error !== undefined ? (
        <Screen title="What goes where">
          {organisations.isWaiting ? <Waiting>Looking for your organisations…</Waiting> : null}
          <Failure error={organisations.error} onRetry={organisations.again} />
        </Screen>
      ) : null}
      {own?.length === 0 ? (
        <Screen title="What goes where">
          <Note intent="info" title="You belong to no organisation yet.">
            Sign up for one in the portal, or ask an administrator to invite you.
          </Note>
        </Screen>
      ) : null}
      {own !== undefined && own.length > 0 ? <Steps organisations={own} signedInFor={session.organisationId} /> : null}
    </>
  )
}

function NotInExcel({ host }: { host: Host }) {
  return (
    <Screen title="This page belongs inside Excel">
      {host === 'blocked' ? (
        <Text>
          The script of Office could not be loaded from appsforoffice.microsoft.com. Allow that address in your network,
          and open the pane again.
        </Text>
      ) : (
        <Text>
          Open Excel (2019 or later, or on the web), choose Tributary on the Home tab, and this pane opens beside your
          sheet. To load a file without Excel, use the portal.
        </Text>
      )}
    </Screen>
  )
}
