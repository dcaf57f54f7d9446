/**
 * Shown after the OAuth flow: which granted companies become connectors, or which one an existing connector continues
 * with.
 */
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { CallError, messageOf } from '@tributary/client/call-error'
import { useWorkspace } from '../../api/session/workspace.ts'
import { CancelButton, Dialog } from '../../ui/dialogs/dialog.tsx'
import { EmptyState, LoadFailure } from '../../ui/feedback/empty-state.tsx'
import { authorisationQuery } from './api.ts'
import type { ChooseCompaniesProps } from './choose-companies-props.ts'
import { ReconnectCompany } from './reconnect-company.tsx'
import { MutationError } from './mutation-error.tsx'
import { OfferedCompanies } from './offered-companies.tsx'
import { isAvailable } from './company-availability.ts'
import { useChooseCompanies } from './use-choose-companies.ts'

interface ChooseCompaniesDialogProps {
  readonly authorisationId: string
  readonly onConnected: (connectorIds: readonly string[]) => void
  readonly onClose: () => void
}

export function ChooseCompaniesDialog({ authorisationId, onConnected, onClose }: ChooseCompaniesDialogProps) {
  const clientId = useWorkspace().organisation.Id
  const { data, error, refetch } = useQuery(authorisationQuery({ clientId, authorisationId }))
  if (data === undefined && error === null) return null
  if (data === undefined)
    return (
      <Dialog kind="modal" title="Companies" onClose={onClose} footer={<CancelButton />}>
        <AuthorisationFailure error={error} onRetry={() => void refetch()} />
      </Dialog>
    )
  const choice = { authorisation: data, onConnected, onClose }
  return data.Reconnects === null ? (
    <ChooseNewCompanies {...choice} />
  ) : (
    <ReconnectCompany {...choice} reconnects={data.Reconnects} />
  )
}

function AuthorisationFailure({ error, onRetry }: { error: Error; onRetry: () => void }) {
  if (!(error instanceof CallError) || error.statusCode !== 404)
    return <LoadFailure message={messageOf(error)} onRetry={onRetry} />
  return (
    <EmptyState kind="noMatch" title="There is nothing left to choose here.">
      The choice is available for one hour, to the user who signed in at the source. Start again with ‘Add connector’.
    </EmptyState>
  )
}

function ChooseNewCompanies({ authorisation: { Id, Tenants }, onConnected, onClose }: ChooseCompaniesProps) {
  const [picked, setPicked] = useState(() => new Set(Tenants.filter(isAvailable).map(({ TenantId }) => TenantId)))
  const connectCompanies = useChooseCompanies(Id, onConnected)
  const toggle = (id: string) => setPicked((current) => current.symmetricDifference(new Set([id])))
  return (
    <Dialog
      kind="modal"
      title="Which companies?"
      subtitle="Each becomes a separate connector with its own tables, and starts at once."
      isBusy={connectCompanies.isPending}
      onClose={onClose}
      onSubmit={() => picked.size > 0 && connectCompanies.mutate({ tenantIds: [...picked] })}
      footer={
        <>
          <CancelButton />
          <Button type="submit" disabled={picked.size === 0} loading={connectCompanies.isPending}>
            {connectLabel(picked.size)}
          </Button>
        </>
      }
    >
      <MutationError of={connectCompanies} />
      <OfferedCompanies tenants={Tenants} picked={picked} onToggle={toggle} />
    </Dialog>
  )
}

function connectLabel(picked: number): string {
  if (picked === 0) return 'Connect'
  return picked === 1 ? 'Connect 1 company' : `Connect ${picked} companies`
}
