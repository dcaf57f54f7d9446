/** How to read what Tributary stores: for a SQL client, for Power BI. The password is shown once, when it is made. */
import type { Reply } from '@tributary/contract/calls'
import { Button } from '@mantine/core'
import { IconDownload, IconKey } from '@tabler/icons-react'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../api/call.ts'
import { messageOf } from '@tributary/client/call-error'
import { useMutation } from '../../../api/use-mutation.ts'
import { useWorkspace } from '../../../api/session/workspace.ts'
import { Dialog } from '../../../ui/dialogs/dialog.tsx'
import { LoadFailure } from '../../../ui/feedback/empty-state.tsx'
import { ErrorBanner } from '../../../ui/feedback/error-banner.tsx'
import { Note } from '../../../ui/feedback/callout.tsx'
import { type Fact, Facts } from '../../../ui/layout/panel.tsx'
import { RelativeTime } from '../../../domain/time/relative-time.tsx'
import { SkeletonLines } from '../../../ui/feedback/skeleton.tsx'
import css from '../connectors.module.css'
import { saveFile } from '../../../ui/files/download.ts'

const warehouse = (clientId: string) =>
  queryOptions({
    queryKey: ['warehouse', clientId],
    queryFn: ({ signal }) => call('GET /tributary/clients/:clientId/warehouse', { params: { clientId }, signal }),
  })

export function WarehouseDrawer({ onClose }: { onClose: () => void }) {
  const { organisation } = useWorkspace()
  const { data, error, refetch } = useQuery(warehouse(organisation.Id))
  const renew = useRenewPassword(organisation.Id)
  return (
    <Dialog
      kind="drawer"
      title="Read the data"
      subtitle={`What Tributary stores for ${organisation.CompanyName}`}
      isBusy={renew.isPending}
      onClose={onClose}
    >
      {data === undefined && error === null ? <SkeletonLines count={5} height={40} /> : null}
      {data === undefined && error !== null ? (
        <LoadFailure message={messageOf(error)} onRetry={() => void refetch()} />
      ) : null}
      {data === undefined ? null : <Connection clientId={organisation.Id} connection={data} renew={renew} />}
    </Dialog>
  )
}

function useRenewPassword(clientId: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => call('POST /tributary/clients/:clientId/warehouse/password', { params: { clientId } }),
    onSuccess: (renewed) => queryClient.setQueryData(warehouse(clientId).queryKey, { ...renewed, Password: null }),
  })
}

interface ConnectionProps {
  clientId: string
  connection: Reply<'GET /tributary/clients/:clientId/warehouse'>
  renew: ReturnType<typeof useRenewPassword>
}

function Connection({ clientId, connection, renew }: ConnectionProps) {
  const download = useMutation({
    mutationFn: () => call('GET /tributary/clients/:clientId/warehouse/tributary.pbids', { params: { clientId } }),
    onSuccess: (file) => saveFile('tributary.pbids', JSON.stringify(file)),
  })
  const failure = renew.error ?? download.error
  const password = renew.data?.Password ?? null
  const [isAsking, setAsking] = useState(false)
  const make = () => {
    setAsking(false)
    renew.mutate()
  }
  return (
    <>
      <p className="muted">A PostgreSQL database of your organisation, with a login that may read and nothing else.</p>
      <ErrorBanner
        message={failure === null ? null : messageOf(failure)}
        onDismiss={() => {
          renew.reset()
          download.reset()
        }}
      />
      <Facts facts={factsOf(connection, password)} />
      <LastSeen of={connection} />
      {password === null ? (
        <p className="small subtle">The password is shown once, when it is made.</p>
      ) : (
        <Note tone="warn">Copy the password now. It is not stored in a form that could be shown again.</Note>
      )}
      {isAsking ? <Confirm onKeep={() => setAsking(false)} onMake={make} /> : null}
      <div className={css.toolbar}>
        {isAsking ? null : (
          <Button
            variant="default"
            leftSection={<IconKey size={16} aria-hidden />}
            loading={renew.isPending}
            // The first one breaks nothing.
            onClick={() => (connection.PasswordSetAtUtc === null ? make() : setAsking(true))}
          >
            New password
          </Button>
        )}
        <Button
          variant="default"
          leftSection={<IconDownload size={16} aria-hidden />}
          loading={download.isPending}
          onClick={() => download.mutate()}
        >
          Power BI file (.pbids)
        </Button>
      </div>
    </>
  )
}

function factsOf(
  { Host, Port, Database, User, Schemas }: ConnectionProps['connection'],
  password: string | null,
): readonly Fact[] {
  const code = (label: string, value: string): Fact => ({ label, value, isCode: true })
  return [
    code('Host', Host),
    code('Port', String(Port)),
    code('Database', Database),
    code('User', User),
    ...(password === null ? [] : [code('Password', password)]),
    ...(Schemas.length === 0 ? [] : [{ label: 'Schemas', value: Schemas.join(', ') }]),
  ]
}

function LastSeen({ of: { LastSeen: seen, PasswordSetAtUtc } }: { of: ConnectionProps['connection'] }) {
  if (seen === null) return PasswordSetAtUtc === null ? null : <p>Nobody has been seen to use this login yet.</p>
  return (
    <p>
      Last seen <RelativeTime at={seen.AtUtc} />
      {seen.Address === null ? null : `, from ${seen.Address}`}
      {seen.Program === null ? null : `, by ${seen.Program}`}.
    </p>
  )
}

function Confirm({ onKeep, onMake }: { onKeep: () => void; onMake: () => void }) {
  return (
    <div role="alert">
      <Note tone="warn" title="Make a new password?">
        <p>Every report and program that uses the present password stops until it is given the new one.</p>
        <div className={css.answers}>
          <Button variant="default" ref={focus} onClick={onKeep}>
            Keep the present one
          </Button>
          <Button color="red" onClick={onMake}>
            Make a new password
          </Button>
        </div>
      </Note>
    </div>
  )
}

/** The button that was pressed is gone; the one that changes nothing has the focus then. */
function focus(button: HTMLButtonElement | null) {
  button?.focus()
}
