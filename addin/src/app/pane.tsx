/** The pane as a whole: outside of Excel, before signing in, and after. */
import { Text } from '@fluentui/react-text'
import type { SessionReply } from '@tributary/contract/sign-in'
import { listOrganisations } from '../api/organisations.ts'
import { useSession } from '../api/session.ts'
import { useScreenQuery } from '../api/use-screen-query.ts'
import type { OfficeHost } from '../host/office.ts'
import { readDraft } from '../load/draft.ts'
import { Welcome } from '../screens/welcome.tsx'
import { Failure, Message, Waiting } from '../ui/message-bars.tsx'
import { Screen } from '../ui/screen.tsx'
import { LoadSteps } from './load-steps.tsx'
import { Button } from '@fluentui/react-button'
import { makeStyles } from '@griffel/react'
import { tokens } from '@fluentui/react-theme'
import { signOut } from '../api/sign-in.ts'
import { useScreenMutation } from '../api/use-screen-mutation.ts'

export function Pane({ host }: { host: OfficeHost }) {
  const session = useSession()
  if (host !== 'excel') return <NotInExcel host={host} />
  if (session === null) return <Welcome />
  return <SignedIn session={session} />
}

function SignedIn({ session }: { session: SessionReply }) {
  const { data, error, isFetching, refetch } = useScreenQuery({
    queryKey: ['organisations', session.email],
    queryFn: (signal) => listOrganisations([readDraft().organisationId, session.organisationId], signal),
  })
  return (
    <>
      <AccountBar session={session} />
      {isFetching || error !== null ? (
        <Screen title="What goes where">
          {isFetching ? <Waiting>Looking for your organisations…</Waiting> : null}
          <Failure error={error} onRetry={refetch} />
        </Screen>
      ) : null}
      {data?.length === 0 ? (
        <Screen title="What goes where">
          <Message intent="info" title="You belong to no organisation yet.">
            Sign up for one in the portal, or ask an administrator to invite you.
          </Message>
        </Screen>
      ) : null}
      {data !== undefined && data.length > 0 ? (
        <LoadSteps organisations={data} sessionOrganisationId={session.organisationId} />
      ) : null}
    </>
  )
}

function NotInExcel({ host }: { host: OfficeHost }) {
  return (
    <Screen title="This page belongs inside Excel">
      {host === 'blocked' ? (
        <Text>
          The script of Office could not be loaded from appsforoffice.microsoft.com. Allow that address in your network,
          and open the pane again.
        </Text>
      ) : (
        <Text>
          Open Excel (2019 or later, or on the web), choose Tributary on the Home tab, and this pane opens next to your
          sheet. To load a file without Excel, use the portal.
        </Text>
      )}
    </Screen>
  )
}

const useStyles = makeStyles({
  bar: {
    display: 'flex',
    alignItems: 'center',
    justifyContent: 'space-between',
    gap: '8px',
    maxWidth: '600px',
    boxSizing: 'border-box',
    padding: '8px 12px 0 20px',
    fontSize: tokens.fontSizeBase200,
    color: tokens.colorNeutralForeground3,
    overflowWrap: 'anywhere',
  },
  signOut: { flexShrink: 0 },
})

/** The signed-in user, and the button to sign out. */
function AccountBar({ session: { firstName, lastName, email } }: { session: SessionReply }) {
  const styles = useStyles()
  const leave = useScreenMutation(signOut)
  return (
    <header className={styles.bar}>
      <span title={email}>{`${firstName} ${lastName}`}</span>
      <Button
        className={styles.signOut}
        appearance="subtle"
        size="small"
        disabled={leave.isPending}
        onClick={() => leave.mutate()}
      >
        Sign out
      </Button>
    </header>
  )
}
