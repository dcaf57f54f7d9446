import type { OrganisationLogins } from '@tributary/contract/logins'
import { Switch } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { useWorkspace } from '../../api/session/workspace.ts'
import { useInvalidate } from '../../api/use-invalidate.ts'
import { useMutation } from '../../api/use-mutation.ts'
import { connectionQuery } from '../../domain/connecting/connection-query.ts'
import { LastSeen } from '../../domain/connecting/last-seen.tsx'
import { MutationDialog } from '../../domain/requests/mutation-dialog.tsx'
import { MutationError } from '../../domain/requests/mutation-error.tsx'
import { QueryResult } from '../../domain/requests/query-result.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { SkeletonLines } from '../../ui/feedback/skeleton.tsx'
import { EntryButton, EntryList, EntryListItem } from '../../ui/layout/entry-list.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import { organisationLogins, ownLogin } from './login-queries.ts'

type Login = OrganisationLogins['Logins'][number]

/** For administrators: who has a login and when it was used last, and the login that all reports share. */
export function OrganisationLoginsPanel() {
  const { organisation } = useWorkspace()
  const query = useQuery(organisationLogins(organisation.Id))
  return (
    <Panel title={`All database logins of ${organisation.CompanyName}`}>
      <QueryResult query={query} loading={<SkeletonLines count={3} height={44} />}>
        {({ Logins, IsSharedReaderOn }) => (
          <>
            <SharedReaderSwitch isOn={IsSharedReaderOn} />
            {Logins.length === 0 ? (
              <EmptyState kind="first" title="Nobody has a database login.">
                Each person who may read creates theirs on this page.
              </EmptyState>
            ) : (
              <Entries logins={Logins} />
            )}
          </>
        )}
      </QueryResult>
    </Panel>
  )
}

function SharedReaderSwitch({ isOn }: { isOn: boolean }) {
  const clientId = useWorkspace().organisation.Id
  const invalidate = useInvalidate()
  const [isConfirming, setConfirming] = useState(false)
  const save = useMutation({
    mutationFn: (on: boolean) =>
      call('PUT /tributary/clients/:clientId/logins/shared', { params: { clientId }, body: { on } }),
    onSuccess: async () => {
      await invalidate(organisationLogins(clientId))
      setConfirming(false)
    },
  })
  return (
    <>
      {isConfirming ? null : <MutationError of={save} />}
      <Switch
        label="Shared login for reports"
        description="One login that reads all tables, created under Connect your reports. Switch it off once every report uses the login of a person."
        checked={isOn}
        disabled={save.isPending}
        onChange={(event) => (event.currentTarget.checked ? save.mutate(true) : setConfirming(true))}
      />
      {isConfirming ? (
        <MutationDialog
          title="Switch the shared login off?"
          mutation={save}
          onClose={() => setConfirming(false)}
          onSubmit={() => save.mutate(false)}
          submitLabel="Switch off"
          isDanger
          isSubmitFocused
        >
          <p>Every report that uses it is disconnected at once. Switched on again, it works with the same password.</p>
        </MutationDialog>
      ) : null}
    </>
  )
}

function Entries({ logins }: { logins: readonly Login[] }) {
  const [revoking, setRevoking] = useState<Login | null>(null)
  return (
    <>
      <EntryList>
        {logins.map((login) => (
          <EntryListItem
            key={login.UserId}
            title={login.Name}
            detail={
              <>
                {login.EmailAddress}, {login.User}. <LastSeen of={login.LastSeen} />
              </>
            }
            action={
              <EntryButton aria-label={`Revoke the login of ${login.Name}`} onClick={() => setRevoking(login)}>
                Revoke
              </EntryButton>
            }
          />
        ))}
      </EntryList>
      {revoking === null ? null : <RevokeDialog login={revoking} onClose={() => setRevoking(null)} />}
    </>
  )
}

function RevokeDialog({ login, onClose }: { login: Login; onClose: () => void }) {
  const clientId = useWorkspace().organisation.Id
  const invalidate = useInvalidate()
  const revoke = useMutation({
    mutationFn: () =>
      call('DELETE /tributary/clients/:clientId/logins/:userId', { params: { clientId, userId: login.UserId } }),
    onSuccess: async () => {
      await invalidate(organisationLogins(clientId), ownLogin(clientId), connectionQuery(clientId))
      onClose()
    },
  })
  return (
    <MutationDialog
      title={`Revoke the database login of ${login.Name}?`}
      mutation={revoke}
      onClose={onClose}
      onSubmit={() => revoke.mutate()}
      submitLabel="Revoke"
      isDanger
      isSubmitFocused
    >
      <p>
        Their programs are disconnected at once. As long as they may read, they can create another login: to prevent
        that, remove their assignments or lock their account.
      </p>
    </MutationDialog>
  )
}
