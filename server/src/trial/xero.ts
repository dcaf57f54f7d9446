/** Grants the trial access to companies of the simulated Xero, as its consent page would. */
import type { XeroSimulator } from '@tributary/sims/xero/server'
import type { WithTimeoutServices } from '../connections/databases/with-timeout.ts'
import { storeCompanies, listOfferedCompanies } from '../features/authorisations/companies.ts'
import { listReachableCompanies } from '../features/authorisations/reachable-companies.ts'
import type { GrantedCompany } from '../connections/oauth/connect-companies.ts'
import { storeGrant } from '../connections/oauth/grants.ts'
import type { AppServices } from '../app-services.ts'

export type TrialXeroServices = Pick<AppServices, 'clock' | 'oauth' | 'secrets' | 'store'> & WithTimeoutServices

/** Grants all companies of the first person, and returns them. A row of `connector_company` connects one of them. */
export async function openCompanies(
  services: TrialXeroServices,
  xero: XeroSimulator,
  organisationId: string,
): Promise<readonly GrantedCompany[]> {
  const type = services.oauth.types.get('xero')
  const [person] = xero.people
  if (type === undefined || person === undefined) throw new Error('The simulated Xero has no such person.')
  const { accessToken, refreshToken } = xero.issueToken(0, undefined, type.scopes)
  const tenants = await listReachableCompanies(services, type, accessToken, type.oauth.consentIdOf(accessToken))
  // Across: a grant belongs to no organisation.
  return services.store.across(async (db) => {
    const { id, email, firstName, lastName } = person
    const grant = {
      type: 'xero',
      appId: null,
      clientId: xero.clientId,
      person: { id, emailAddress: email, name: `${firstName} ${lastName}` },
    }
    const tokens = { accessToken, refreshToken, expiresInMs: accessTokenMs, scopes: type.scopes }
    const grantId = await storeGrant(db, services, grant, tokens)
    await storeCompanies(db, services.clock, grantId, tenants)
    return listOfferedCompanies(db, organisationId, { grantId, tenantIds: tenants.map((tenant) => tenant.id) })
  })
}

const accessTokenMs = 30 * 60_000
