/** After signing in at the source: which of the companies that were opened become connectors, or which one an old connector goes on with. */
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { CallError, messageOf } from '@tributary/client/call-error'
import { useWorkspace } from '../../api/session/workspace.ts'
import { CancelButton, Dialog } from '../../ui/dialogs/dialog.tsx'
import { EmptyState, LoadFailure } from '../../ui/feedback/empty-state.tsx'
import { authorisationOf } from './api.ts'
import type { ChoiceProps } from './choose-companies-props.ts'
import { ChooseFormer } from './reconnect-company.tsx'
import { Failure } from './mutation-error.tsx'
import { OfferedCompanies } from './offered-companies.tsx'
import { isFree } from './company-availability.ts'
import { useChoose } from './use-choose-companies.ts'

interface ChooseDialogProps {
  readonly authorisationId: string
  readonly onConnected: (connectorIds: readonly string[]) => void
  readonly onClose: () => void
}

export function ChooseDialog({ authorisationId, onConnected, onClose }: ChooseDialogProps) {
  const clientId = useWorkspace().organisation.Id
  const { data, error, refetch } = useQuery(authorisationOf({ clientId, authorisationId }))
  if (data === undefined && error === null) return null
  if (data === undefined)
    return (
      <Dialog kind="modal" title="Companies" onClose={onClose} footer={<CancelButton />}>
        <NotLoaded error={error} onRetry={() => void refetch()} />
      </Dialog>
    )
  const choice = { authorisation: data, onConnected, onClose }
  return data.Reconnects === null ? (
    <ChooseNew {...choice} />
  ) : (
    <ChooseFormer {...choice} reconnects={data.Reconnects} />
  )
}

function NotLoaded({ error, onRetry }: { error: Error; onRetry: () => void }) {
  if (!(error instanceof CallError) || error.statusCode !== 404)
    return <LoadFailure message={messageOf(error)} onRetry={onRetry} />
  return (
    <EmptyState kind="noMatch" title="There is nothing left to choose here.">
      The choice is kept for an hour, for whoever signed in at the source. Begin again with ‘Add connector’.
    </EmptyState>
  )
}

function ChooseNew({ authorisation: { Id, Tenants }, onConnected, onClose }: ChoiceProps) {
  const [picked, setPicked] = useState(() => new Set(Tenants.filter(isFree).map(({ TenantId }) => TenantId)))
  const choose = useChoose(Id, onConnected)
  const toggle = (id: string) => setPicked((current) => current.symmetricDifference(new Set([id])))
  return (
    <Dialog
      kind="modal"
      title="Which companies?"
      subtitle="Each becomes a connector of its own, with its own tables, and starts at once."
      isBusy={choose.isPending}
      onClose={onClose}
      onSubmit={() => picked.size > 0 && choose.mutate({ tenantIds: [...picked] })}
      footer={
        <>
          <CancelButton />
          <Button type="submit" disabled={picked.size === 0} loading={choose.isPending}>
            {connectWords(picked.size)}
          </Button>
        </>
      }
    >
      <Failure of={choose} />
      <OfferedCompanies tenants={Tenants} picked={picked} onToggle={toggle} />
    </Dialog>
  )
}

function connectWords(picked: number): string {
  if (picked === 0) return 'Connect'
  return picked === 1 ? 'Connect 1 company' : `Connect ${picked} companies`
}
