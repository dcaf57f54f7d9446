import type { Authorisation } from '@tributary/contract/authorisations'
import { useState } from 'react'
import { CallError } from '@tributary/client/call-error'
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx'
import { Callout } from '../../ui/feedback/callout.tsx'
import { RadioGroup } from '../../ui/forms/radio-group.tsx'
import type { ChooseCompaniesProps } from './choose-companies-props.ts'
import { MutationError } from '../../domain/requests/mutation-error.tsx'
import { OfferedCompanies } from './offered-companies.tsx'
import { reconnectText, partitionForReconnect } from './company-availability.ts'
import { useChooseCompanies } from './use-choose-companies.ts'

interface ReconnectCompanyProps extends ChooseCompaniesProps {
  readonly reconnects: NonNullable<Authorisation['Reconnects']>
}

/**
 * Chooses the company that a connector continues with. A different company needs a confirmation, because its rows go
 * into the same tables.
 */
export function ReconnectCompany({ authorisation, reconnects, onConnected, onClose }: ReconnectCompanyProps) {
  const { open, taken, former } = partitionForReconnect(authorisation.Tenants)
  const [id, setId] = useState((former ?? open[0])?.TenantId ?? '')
  const connectCompany = useChooseCompanies(authorisation.Id, onConnected)
  const warning = confirmationRequest(connectCompany.error)
  const name = open.find(({ TenantId }) => TenantId === id)?.Name
  return (
    <FormDialog
      title={`Reconnect ${reconnects.Name}`}
      subtitle="It continues where it stopped: its name, key, history and rows stay."
      isBusy={connectCompany.isPending}
      onClose={onClose}
      onSubmit={() => id !== '' && connectCompany.mutate({ tenantIds: [id], confirmOther: warning !== null })}
      submitLabel={warning === null ? 'Reconnect' : `Continue with ${name}`}
      isSubmitDisabled={id === ''}
      isDanger={warning !== null}
    >
      {warning === null ? <MutationError of={connectCompany} /> : <OtherCompanyWarning message={warning} />}
      {former === undefined && warning === null ? <CompanyNotGranted name={reconnects.TenantName} /> : null}
      <RadioGroup
        label="The company to continue with"
        choices={open.map((tenant) => ({ value: tenant.TenantId, label: tenant.Name, help: reconnectText(tenant) }))}
        value={id}
        onChange={(next) => {
          connectCompany.reset()
          setId(next)
        }}
        hasFocus
      />
      <OfferedCompanies tenants={taken} picked={new Set()} onToggle={() => {}} />
    </FormDialog>
  )
}

/** The server's request for confirmation; null for any other error. */
function confirmationRequest(error: Error | null): string | null {
  return error instanceof CallError && error.code === 'otherTenant' ? error.message : null
}

function OtherCompanyWarning({ message }: { message: string }) {
  return (
    <Callout tone="warn" title="Another company" isAlert>
      <p>{message}</p>
    </Callout>
  )
}

function CompanyNotGranted({ name }: { name: string }) {
  return (
    <Callout tone="warn" title={`${name} was not opened.`}>
      This connector moved it so far. To continue with it, cancel, reconnect again, and allow {name} at the source.
    </Callout>
  )
}
