import type { OfferedTenant } from '@tributary/contract/authorisations'
import { formatCompanyLocation } from '../../domain/connectors/company-location.ts'

const takenLabels = { here: 'connected here already', elsewhere: 'connected by another organisation' } as const

export function isAvailable({ Taken }: OfferedTenant): boolean {
  return Taken === null
}

/** Description under a company's name: country, currency and availability. */
export function availabilityText({ Country, Currency, Taken }: OfferedTenant): string {
  return [formatCompanyLocation(Country, Currency), Taken === null ? '' : takenLabels[Taken]]
    .filter((part) => part !== '')
    .join(' · ')
}

/**
 * Splits the companies into those that a connector can continue with (including its current one) and those taken by
 * others.
 */
export function partitionForReconnect(tenants: readonly OfferedTenant[]) {
  const open = tenants.filter((tenant) => tenant.IsFormer || isAvailable(tenant))
  return {
    open,
    taken: tenants.filter((tenant) => !open.includes(tenant)),
    former: open.find(({ IsFormer }) => IsFormer),
  }
}

/** As `availabilityText`, without availability: the current company is always taken, by this very connector. */
export function reconnectText(tenant: OfferedTenant): string {
  return [tenant.IsFormer ? 'moved so far' : '', availabilityText({ ...tenant, Taken: null })]
    .filter((part) => part !== '')
    .join(' · ')
}
