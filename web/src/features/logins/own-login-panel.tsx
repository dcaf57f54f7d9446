import type { OwnLogin } from '@tributary/contract/logins'
import { Button } from '@mantine/core'
import { IconKey } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { useOrganisationId } from '../../api/session/workspace.ts'
import { useInvalidate } from '../../api/use-invalidate.ts'
import { useMutation } from '../../api/use-mutation.ts'
import { connectionQuery } from '../../domain/connecting/connection-query.ts'
import { LastSeen } from '../../domain/connecting/last-seen.tsx'
import { MutationDialog } from '../../domain/requests/mutation-dialog.tsx'
import { MutationError } from '../../domain/requests/mutation-error.tsx'
import { Callout } from '../../ui/feedback/callout.tsx'
import { DescriptionList, Panel } from '../../ui/layout/panel.tsx'
import { organisationLogins, ownLogin } from './login-queries.ts'
import css from './logins.module.css'

/** Creates, rotates and revokes one's own login. The password is only in the state of this component. */
export function OwnLoginPanel({ login }: { login: OwnLogin }) {
  const create = useNewPassword()
  const [opened, setOpened] = useState<'renew' | 'revoke' | null>(null)
  const close = () => setOpened(null)
  const password = login.User === null ? null : (create.data?.Password ?? null)
  return (
    <Panel title="Your database login">
      <p className="muted">
        A PostgreSQL user of your own that reads what you may read in Tributary, and can change nothing. It stops
        working when you lose access.
      </p>
      <MutationError of={create} />
      {login.User === null ? null : <LoginDetails user={login.User} login={login} password={password} />}
      <div className={css.buttons}>
        <Button
          variant={login.User === null ? 'filled' : 'default'}
          leftSection={<IconKey />}
          loading={create.isPending}
          // The first password needs no confirmation, because it replaces none.
          onClick={() => (login.User === null ? create.mutate() : setOpened('renew'))}
        >
          {login.User === null ? 'Create my login' : 'New password'}
        </Button>
        {login.User === null ? null : (
          <Button variant="default" onClick={() => setOpened('revoke')}>
            Revoke
          </Button>
        )}
      </div>
      {opened === 'renew' ? (
        <RenewDialog
          onConfirm={() => {
            close()
            create.mutate()
          }}
          onClose={close}
          create={create}
        />
      ) : null}
      {opened === 'revoke' ? <RevokeDialog onClose={close} onRevoked={create.reset} /> : null}
    </Panel>
  )
}

function useNewPassword() {
  const clientId = useOrganisationId()
  const queryClient = useQueryClient()
  const invalidate = useInvalidate()
  return useMutation({
    mutationFn: () => call('POST /tributary/clients/:clientId/logins/me/password', { params: { clientId } }),
    onSuccess: (created) => {
      queryClient.setQueryData(ownLogin(clientId).queryKey, { ...created, Password: null })
      return invalidate(connectionQuery(clientId), organisationLogins(clientId))
    },
  })
}

interface LoginDetailsProps {
  user: string
  login: OwnLogin
  password: string | null
}

function LoginDetails({ user, login, password }: LoginDetailsProps) {
  return (
    <>
      <DescriptionList
        items={[
          { label: 'User', value: user, isCode: true },
          ...(password === null ? [] : [{ label: 'Password', value: password, isCode: true }]),
        ]}
      />
      {password === null ? (
        <p>
          <LastSeen of={login.LastSeen} />
        </p>
      ) : (
        <Callout tone="warn">Copy the password now. It is not stored in a form that could be shown again.</Callout>
      )}
    </>
  )
}

interface RenewDialogProps {
  onConfirm: () => void
  onClose: () => void
  create: ReturnType<typeof useNewPassword>
}

function RenewDialog({ onConfirm, onClose, create }: RenewDialogProps) {
  return (
    <MutationDialog
      title="Create a new password?"
      mutation={create}
      onClose={onClose}
      onSubmit={onConfirm}
      submitLabel="Create a new password"
      isSubmitFocused
    >
      <p>Your programs that use the current password stop until you enter the new one there.</p>
    </MutationDialog>
  )
}

function RevokeDialog({ onClose, onRevoked }: { onClose: () => void; onRevoked: () => void }) {
  const clientId = useOrganisationId()
  const invalidate = useInvalidate()
  const revoke = useMutation({
    mutationFn: () => call('DELETE /tributary/clients/:clientId/logins/me', { params: { clientId } }),
    onSuccess: async () => {
      onRevoked()
      await invalidate(ownLogin(clientId), connectionQuery(clientId), organisationLogins(clientId))
      onClose()
    },
  })
  return (
    <MutationDialog
      title="Revoke your database login?"
      mutation={revoke}
      onClose={onClose}
      onSubmit={() => revoke.mutate()}
      submitLabel="Revoke"
      isDanger
      isSubmitFocused
    >
      <p>Your programs are disconnected at once and cannot connect again. You can create another login at any time.</p>
    </MutationDialog>
  )
}
