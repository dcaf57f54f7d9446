import type { OfferedTenant } from '@tributary/contract/authorisations'
import { Checkbox } from '@mantine/core'
import css from './authorisations.module.css'
import { availabilityText, isAvailable } from './company-availability.ts'

interface OfferedCompaniesProps {
  readonly tenants: readonly OfferedTenant[]
  readonly picked: ReadonlySet<string>
  readonly onToggle: (tenantId: string) => void
}

/** Checkboxes of companies; a company that is already taken is shown disabled. */
export function OfferedCompanies({ tenants, picked, onToggle }: OfferedCompaniesProps) {
  if (tenants.length === 0) return null
  return (
    <ul className={css.companies} aria-label="Companies">
      {tenants.map((tenant) => (
        <li key={tenant.TenantId}>
          <Checkbox
            size="md"
            label={tenant.Name}
            description={availabilityText(tenant)}
            checked={picked.has(tenant.TenantId)}
            disabled={!isAvailable(tenant)}
            onChange={() => onToggle(tenant.TenantId)}
          />
        </li>
      ))}
    </ul>
  )
}
