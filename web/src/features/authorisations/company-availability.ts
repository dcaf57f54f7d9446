import type { OfferedTenant } from '@tributary/contract/authorisations'
import { companyPlace } from '../../domain/connectors/company-location.ts'

const takenWords = { here: 'connected here already', elsewhere: 'connected by another organisation' } as const

export function isFree({ Taken }: OfferedTenant): boolean {
  return Taken === null
}

/** What is said of a company beside its name. */
export function helpOf({ Country, Currency, Taken }: OfferedTenant): string {
  return [companyPlace(Country, Currency), Taken === null ? '' : takenWords[Taken]]
    .filter((part) => part !== '')
    .join(' · ')
}

/** Those that a connector can go on with, the one it had before among them, and those that it cannot. */
export function sortForFormer(tenants: readonly OfferedTenant[]) {
  const open = tenants.filter((tenant) => tenant.IsFormer || isFree(tenant))
  return {
    open,
    taken: tenants.filter((tenant) => !open.includes(tenant)),
    former: open.find(({ IsFormer }) => IsFormer),
  }
}

/** As `helpOf`; that the former one is taken goes without saying, since it is by this very connector. */
export function formerHelp(tenant: OfferedTenant): string {
  return [tenant.IsFormer ? 'moved so far' : '', helpOf({ ...tenant, Taken: null })]
    .filter((part) => part !== '')
    .join(' · ')
}
