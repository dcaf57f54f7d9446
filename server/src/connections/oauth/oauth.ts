/** The OAuth service: the authorised types, the client, and the access tokens of grants. */
import type { ConnectorLocation } from '../connectors/connector-settings.ts'
import type { Network } from '@tributary/engine/ports/network'
import type { ConnectionContext, ConnectorProperties } from '@tributary/engine/ports/source'
import type { OauthSettings } from '../../kernel/config/oauth-settings.ts'
import type { Db } from '../../kernel/store/store.ts'
import type { ListedCompany } from '@tributary/engine/companies/company-list'
import { findSource } from '../connectors/connector-types.ts'
import { readApprovedHosts } from '../host-approvals/approved-hosts.ts'
import { createOauthClient, type OauthClient } from './oauth-client.ts'
import { AccessTokenCache, type AccessTokenServices, signedOutFault } from './access-tokens.ts'
import { type ConnectorCompany, findFirstCompany, listCompanies, shareTables } from './connector-companies.ts'
import { type AuthorisedTypes, injectedProperties, createAuthorisedTypes } from './authorised-types.ts'

export interface Oauth {
  readonly types: AuthorisedTypes
  readonly client: OauthClient
  readonly tokens: AccessTokenCache
}

interface OauthServices extends Omit<AccessTokenServices, 'types' | 'client'> {
  readonly settings: readonly OauthSettings[]
  readonly network: Network
}

export function openOauth({ settings, network, ...services }: OauthServices): Oauth {
  const types = createAuthorisedTypes(settings)
  for (const { operatorApp } of types.values())
    if (operatorApp !== null) services.log.redactSecret(operatorApp.clientSecret)
  const client = createOauthClient({ network, clock: services.clock })
  return { types, client, tokens: new AccessTokenCache({ ...services, types, client }) }
}

/** What a source receives in addition to its settings. */
export interface SourceCredentials {
  readonly properties: ConnectorProperties
  readonly context: Pick<ConnectionContext, 'accessTokens' | 'approvedHosts'>
  /** Set if the connector moves several companies into one set of tables. */
  readonly companies?: SharedCompanies
}

interface SharedCompanies {
  readonly chosen: readonly (ListedCompany & { provide(): SourceCredentials })[]
  readonly kept: readonly ListedCompany[]
}

/**
 * Empty for a source of the catalogue whose credentials are in its settings; for one that the customer has described, the hosts that the
 * provider has approved. Throws a `signIn` Fault if a person must authorise the
 * connector first.
 */
export async function provideCredentials(
  db: Db,
  { types, tokens }: Oauth,
  { organisationId, connectorId, type }: ConnectorLocation & { readonly type: string },
): Promise<SourceCredentials> {
  if (findSource(type)?.customer !== undefined)
    return { properties: {}, context: { approvedHosts: await readApprovedHosts(db, { organisationId, connectorId }) } }
  const authorised = types.get(type)
  if (authorised === undefined) return { properties: {}, context: {} }
  const companies = await listCompanies(db, { organisationId, connectorId })
  const provide = (tenantId: string, grantId: string | null): SourceCredentials => {
    if (grantId === null) throw signedOutFault(authorised.oauth.title)
    return {
      properties: injectedProperties(type, { tenantId, address: authorised.endpoints.api }),
      context: { accessTokens: tokens.provide(grantId) },
    }
  }
  const first = findFirstCompany(companies)
  if (first === undefined) throw signedOutFault(authorised.oauth.title)
  const lent = provide(first.tenantId, first.grantId)
  return shareTables(companies) ? { ...lent, companies: provideShared(companies, provide) } : lent
}

/** A company without a grant is refused when it is opened, so that it stops no other and keeps its rows. */
function provideShared(
  companies: readonly ConnectorCompany[],
  provide: (tenantId: string, grantId: string | null) => SourceCredentials,
): SharedCompanies {
  const listed = companies.map(({ tenantId: id, name, country, currency, grantId, state }) => ({
    company: { id, name, country, currency },
    grantId,
    isKept: state === 'kept',
  }))
  return {
    chosen: listed
      .filter(({ isKept }) => !isKept)
      .map(({ company, grantId }) => ({ ...company, provide: () => provide(company.id, grantId) })),
    kept: listed.filter(({ isKept }) => isKept).map(({ company }) => company),
  }
}
