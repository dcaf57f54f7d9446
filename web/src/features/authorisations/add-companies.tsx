import { useState } from 'react'
import { MutationDialog } from '../../domain/requests/mutation-dialog.tsx'
import type { ChooseCompaniesProps } from './choose-companies-props.ts'
import { isAvailable } from './company-availability.ts'
import { OfferedCompanies } from './offered-companies.tsx'
import { useChooseCompanies } from './use-choose-companies.ts'

/** Adds companies to a connector that moves several into one set of tables. */
export function AddCompanies({
  authorisation: { Id, Tenants },
  name,
  onConnected,
  onClose,
}: ChooseCompaniesProps & { readonly name: string }) {
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set())
  const addCompanies = useChooseCompanies(Id, onConnected)
  return (
    <MutationDialog
      title={`Add companies to ${name}`}
      subtitle="Their rows go into the tables of the connector. The companies that it has are signed in again."
      mutation={addCompanies}
      onClose={onClose}
      onSubmit={() => picked.size > 0 && addCompanies.mutate({ tenantIds: [...picked] })}
      submitLabel={picked.size === 1 ? 'Add 1 company' : `Add ${picked.size} companies`}
      isSubmitDisabled={picked.size === 0}
    >
      <OfferedCompanies
        tenants={Tenants.filter((tenant) => isAvailable(tenant) || tenant.Taken === 'elsewhere')}
        picked={picked}
        onToggle={(id) => setPicked((current) => current.symmetricDifference(new Set([id])))}
      />
    </MutationDialog>
  )
}
