/** Connection details of the warehouse, for SQL clients and Power BI. A new password is shown only once. */
import type { CallReply } from '@tributary/contract/calls'
import { Button } from '@mantine/core'
import { IconKey } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../api/call.ts'
import { useMutation } from '../../../api/use-mutation.ts'
import { useWorkspace } from '../../../api/session/workspace.ts'
import { Link } from 'react-router'
import { ConnectionTools } from '../../../domain/connecting/connection-tools.tsx'
import { LastSeen } from '../../../domain/connecting/last-seen.tsx'
import { paths } from '../../../paths.ts'
import { Dialog } from '../../../ui/dialogs/dialog.tsx'
import { Callout } from '../../../ui/feedback/callout.tsx'
import { type DescriptionItem, DescriptionList } from '../../../ui/layout/panel.tsx'
import { SkeletonLines } from '../../../ui/feedback/skeleton.tsx'
import css from '../connectors.module.css'
import { focusOnMount } from '../../../ui/hooks/focus-on-mount.ts'
import { callQuery } from '../../../api/call-query.ts'
import { QueryResult } from '../../../domain/requests/query-result.tsx'
import { MutationError } from '../../../domain/requests/mutation-error.tsx'

const warehouseQuery = (clientId: string) =>
  callQuery(['warehouse', clientId], 'GET /tributary/clients/:clientId/warehouse', { params: { clientId } })

export function WarehouseDrawer({ onClose }: { onClose: () => void }) {
  const { organisation } = useWorkspace()
  const query = useQuery(warehouseQuery(organisation.Id))
  const renew = useRenewPassword(organisation.Id)
  return (
    <Dialog
      kind="drawer"
      title="Connect your reports"
      subtitle={`What Tributary stores for ${organisation.CompanyName}`}
      isBusy={renew.isPending}
      onClose={onClose}
    >
      <QueryResult query={query} loading={<SkeletonLines count={5} height={40} />}>
        {(connection) => <WarehouseConnection clientId={organisation.Id} connection={connection} renew={renew} />}
      </QueryResult>
    </Dialog>
  )
}

function useRenewPassword(clientId: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => call('POST /tributary/clients/:clientId/warehouse/password', { params: { clientId } }),
    onSuccess: (renewed) => queryClient.setQueryData(warehouseQuery(clientId).queryKey, { ...renewed, Password: null }),
  })
}

interface WarehouseConnectionProps {
  clientId: string
  connection: CallReply<'GET /tributary/clients/:clientId/warehouse'>
  renew: ReturnType<typeof useRenewPassword>
}

function WarehouseConnection({ clientId, connection, renew }: WarehouseConnectionProps) {
  const password = renew.data?.Password ?? null
  const [isConfirming, setConfirming] = useState(false)
  const renewPassword = () => {
    setConfirming(false)
    renew.mutate()
  }
  return (
    <>
      <p className="muted">
        A PostgreSQL database of your organisation, with a read-only login that all reports share. For a login of your
        own, and to see who uses which, open <Link to={paths.connect}>Connect</Link>.
      </p>
      <MutationError of={renew} />
      <DescriptionList items={connectionFacts(connection, password)} />
      {connection.LastSeen === null && connection.PasswordSetAtUtc === null ? null : (
        <p>
          <LastSeen of={connection.LastSeen} />
        </p>
      )}
      {password === null ? (
        <p className="small subtle">The password is shown once. Creating a new password revokes the old one.</p>
      ) : (
        <Callout tone="warn">Copy the password now. It is not stored in a form that could be shown again.</Callout>
      )}
      {isConfirming ? <ConfirmNewPassword onKeep={() => setConfirming(false)} onConfirm={renewPassword} /> : null}
      <div className={css.toolbar}>
        {isConfirming ? null : (
          <Button
            variant="default"
            leftSection={<IconKey />}
            loading={renew.isPending}
            // The first password needs no confirmation, because it revokes none.
            onClick={() => (connection.PasswordSetAtUtc === null ? renewPassword() : setConfirming(true))}
          >
            New password
          </Button>
        )}
      </div>
      <h3 className={css.heading}>Open in another program</h3>
      <ConnectionTools clientId={clientId} sharedLogin={connection.User} />
    </>
  )
}

function connectionFacts(
  { Host, Port, Region, Database, User, Schemas }: WarehouseConnectionProps['connection'],
  password: string | null,
): readonly DescriptionItem[] {
  const code = (label: string, value: string): DescriptionItem => ({ label, value, isCode: true })
  return [
    code('Host', Host),
    code('Port', String(Port)),
    ...(Region === null ? [] : [{ label: 'Region', value: Region }]),
    code('Database', Database),
    code('User', User),
    ...(password === null ? [] : [code('Password', password)]),
    ...(Schemas.length === 0 ? [] : [{ label: 'Schemas', value: Schemas.join(', ') }]),
  ]
}

function ConfirmNewPassword({ onKeep, onConfirm }: { onKeep: () => void; onConfirm: () => void }) {
  return (
    <div role="alert">
      <Callout tone="warn" title="Create a new password?">
        <p>Every report and program that uses the current password stops until you enter the new one there.</p>
        <div className={css.answers}>
          <Button variant="default" ref={focusOnMount} onClick={onKeep}>
            Keep the current one
          </Button>
          <Button color="red" onClick={onConfirm}>
            Create a new password
          </Button>
        </div>
      </Callout>
    </div>
  )
}
