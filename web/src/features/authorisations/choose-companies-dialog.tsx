/**
 * Shown after the OAuth flow: which granted companies become connectors, or which one an existing connector continues
 * with.
 */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { CallError } from '@tributary/client/call-error'
import { useOrganisationId } from '../../api/session/workspace.ts'
import { CancelButton, Dialog } from '../../ui/dialogs/dialog.tsx'
import { QueryPlaceholder } from '../../domain/requests/query-placeholder.tsx'
import { RadioGroup } from '../../ui/forms/radio-group.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { authorisationQuery } from './api.ts'
import type { ChooseCompaniesProps } from './choose-companies-props.ts'
import { ReconnectCompany } from './reconnect-company.tsx'
import { AddCompanies } from './add-companies.tsx'
import { OfferedCompanies } from './offered-companies.tsx'
import { isAvailable } from './company-availability.ts'
import { useChooseCompanies } from './use-choose-companies.ts'
import { MutationDialog } from '../../domain/requests/mutation-dialog.tsx'

interface ChooseCompaniesDialogProps extends Omit<ChooseCompaniesProps, 'authorisation'> {
  readonly authorisationId: string
}

export function ChooseCompaniesDialog({ authorisationId, onConnected, onClose }: ChooseCompaniesDialogProps) {
  const clientId = useOrganisationId()
  const query = useQuery(authorisationQuery({ clientId, authorisationId }))
  if (query.data === undefined) {
    if (query.error === null) return null
    return (
      <Dialog title="Companies" onClose={onClose} footer={<CancelButton />}>
        {query.error instanceof CallError && query.error.statusCode === 404 ? (
          <ChoiceExpired />
        ) : (
          <QueryPlaceholder of={query} />
        )}
      </Dialog>
    )
  }
  const choice = { authorisation: query.data, onConnected, onClose }
  const { Reconnects } = query.data
  if (Reconnects?.IsShared) return <AddCompanies {...choice} name={Reconnects.Name} />
  return Reconnects === null ? (
    <ChooseNewCompanies {...choice} />
  ) : (
    <ReconnectCompany {...choice} reconnects={Reconnects} />
  )
}

function ChoiceExpired() {
  return (
    <EmptyState kind="noMatch" title="There is nothing left to choose here.">
      The choice is available for one hour, to the user who signed in at the source. Start again with ‘Add connector’.
    </EmptyState>
  )
}

function ChooseNewCompanies({ authorisation: { Id, Tenants }, onConnected, onClose }: ChooseCompaniesProps) {
  const [picked, setPicked] = useState(() => new Set(Tenants.filter(isAvailable).map(({ TenantId }) => TenantId)))
  const [tables, setTables] = useState<'each' | 'shared'>('each')
  const connectCompanies = useChooseCompanies(Id, onConnected)
  const isShared = tables === 'shared' && picked.size > 1
  const toggle = (id: string) => setPicked((current) => current.symmetricDifference(new Set([id])))
  return (
    <MutationDialog
      title="Which companies?"
      subtitle="What you choose starts to move at once."
      mutation={connectCompanies}
      onClose={onClose}
      onSubmit={() =>
        picked.size > 0 &&
        connectCompanies.mutate({ tenantIds: [...picked], ...(isShared && { tables: 'shared' as const }) })
      }
      submitLabel={connectLabel(picked.size)}
      isSubmitDisabled={picked.size === 0}
    >
      <OfferedCompanies tenants={Tenants} picked={picked} onToggle={toggle} />
      {picked.size > 1 ? (
        <RadioGroup label="Where their rows go" choices={tableChoices} value={tables} onChange={setTables} />
      ) : null}
    </MutationDialog>
  )
}

const tableChoices = [
  {
    value: 'each',
    label: 'Each company in tables of its own',
    help: 'A separate connector and schema for each. You can give each its own readers and schedule.',
  },
  {
    value: 'shared',
    label: 'All in one set of tables',
    help: 'One connector. Every table has the column company_id, so reports over the group need no union.',
  },
] as const

function connectLabel(picked: number): string {
  if (picked === 0) return 'Connect'
  return picked === 1 ? 'Connect 1 company' : `Connect ${picked} companies`
}
