import type { TokenTenant } from '@tributary/contract/accounting'
import type { UseQueryResult } from '@tanstack/react-query'
import { formatCompanyLocation } from '../../domain/connectors/company-location.ts'
import { QueryPlaceholder } from '../../domain/requests/query-placeholder.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import { SkeletonLines } from '../../ui/feedback/skeleton.tsx'
import css from './tokens.module.css'

interface TenantListProps {
  query: UseQueryResult<readonly TokenTenant[]>
  chosenId: string | null
  onChoose: (tenantId: string) => void
}

export function TenantList(props: TenantListProps) {
  return (
    <Panel title="Organisations">
      <TenantButtons {...props} />
    </Panel>
  )
}

function TenantButtons({ query, chosenId, onChoose }: TenantListProps) {
  const tenants = query.data
  if (tenants === undefined)
    return (
      <QueryPlaceholder of={query}>
        <SkeletonLines count={3} height={56} />
      </QueryPlaceholder>
    )
  if (tenants.length === 0)
    return (
      <EmptyState kind="first" title="This token reaches no organisation.">
        The user who authorised it has removed every company from the connection. They can authorise again and choose
        companies.
      </EmptyState>
    )
  return (
    <ul className={css.list}>
      {tenants.map((tenant) => (
        <li key={tenant.tenantId}>
          <button
            type="button"
            className={css.choice}
            aria-current={tenant.tenantId === chosenId || undefined}
            onClick={() => onChoose(tenant.tenantId)}
          >
            <span className={css.name}>{tenant.tenantName}</span>
            <span className={css.under}>{formatCompanyLocation(tenant.Country, tenant.Currency)}</span>
            <span className={css.under}>
              {tenant.CompanyName === null ? 'Not assigned' : `Assigned to ${tenant.CompanyName}`}
            </span>
          </button>
        </li>
      ))}
    </ul>
  )
}
