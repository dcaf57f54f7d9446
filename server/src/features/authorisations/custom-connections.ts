/** Custom connections: an app with client credentials for one company, so that no user has to sign in. */
import { asFault } from '@tributary/engine/ports/faults'
import type { WithTimeoutServices } from '../../connections/databases/with-timeout.ts'
import type { CallerContext } from '../../kernel/audit-context.ts'
import { ApiFault, detailedFault, requireFound } from '../../kernel/http/api-fault.ts'
import { lockForTransaction } from '../../kernel/store/locks.ts'
import { TokenRefused } from '../../connections/oauth/oauth-client.ts'
import type { CompanyConnector } from '../../connections/oauth/connect-companies.ts'
import { storeGrant } from '../../connections/oauth/grants.ts'
import type { AuthorisedType } from '../../connections/oauth/authorised-types.ts'
import type { AppServices } from '../../app-services.ts'
import type { Db } from '../../kernel/store/store.ts'
import { saveApp, type NewOauthApp } from './oauth-apps.ts'
import { storeCompanies, listOfferedCompanies, type OfferedCompany } from './companies.ts'
import { listReachableCompanies } from './reachable-companies.ts'

type CustomConnectionServices = Pick<AppServices, 'audit' | 'clock' | 'oauth' | 'secrets' | 'store'> &
  WithTimeoutServices

/**
 * Atomic: stores the app and connects its company, or does neither.
 *
 * @throws `sourceRefused`, `sourceAway`, `settingsWrong`, `tenantTaken`.
 */
export async function addCustomConnection(
  services: CustomConnectionServices,
  connecting: CompanyConnector,
  { auditContext, type }: { readonly auditContext: CallerContext; readonly type: AuthorisedType },
  app: NewOauthApp,
): Promise<{ readonly appId: string; readonly connectorId: string }> {
  const { tokens, tenant } = await requestTokensAndCompany(services, type, app)
  const { organisationId } = auditContext
  // Across: the company may already belong to another organisation.
  return services.store.across(async (db) => {
    // Lock order: adding a connector takes this lock before the audit chain's, so this transaction must, too.
    await lockForTransaction(db, 'connectorNames', organisationId)
    const appId = await saveApp(db, services, auditContext, app)
    const grantId = await storeGrant(
      db,
      services,
      { type: type.type, appId, clientId: app.clientId, person: null },
      tokens,
    )
    await storeCompanies(db, services.clock, grantId, [tenant])
    const [offered] = await listOfferedCompanies(db, organisationId, { grantId, tenantIds: [tenant.id] })
    const company = requireFound(offered)
    const connectorId = await findOwnConnector(db, organisationId, company)
    if (company.taken !== null && connectorId === undefined)
      throw new ApiFault('tenantTaken', { values: { name: company.name } })
    if (connectorId === undefined) return { appId, connectorId: await connecting.add(db, auditContext, company) }
    await connecting.reconnect(db, auditContext, connectorId, [company])
    return { appId, connectorId }
  })
}

/**
 * The connector that reads this company through this grant, or the last one that did and is disconnected: then the
 * secret has changed.
 */
async function findOwnConnector(
  db: Db,
  organisationId: string,
  { type, tenantId, grantId, taken }: OfferedCompany,
): Promise<string | undefined> {
  const found = await db
    .selectFrom('connectorCompany')
    .innerJoin('connector', 'connector.id', 'connectorCompany.connectorId')
    .select('connector.id')
    .where('connector.organisationId', '=', organisationId)
    .where('connectorCompany.type', '=', type)
    .where('tenantId', '=', tenantId)
    .where('state', '<>', 'kept')
    .$if(taken !== null, (query) => query.where('grantId', '=', grantId).where('releasedAt', 'is', null))
    .$if(taken === null, (query) => query.where('connector.status', '=', 'DISCONNECTED'))
    .orderBy('connectedAt', 'desc')
    .limit(1)
    .executeTakeFirst()
  return found?.id
}

async function requestTokensAndCompany(
  services: CustomConnectionServices,
  type: AuthorisedType,
  { clientId, clientSecret }: NewOauthApp,
) {
  const { title } = type.oauth
  try {
    const tokens = await services.oauth.client.requestMachineTokens(type, { clientId, clientSecret })
    const tenants = await listReachableCompanies(services, type, tokens.accessToken, null)
    const [tenant] = tenants
    if (tenant !== undefined && tenants.length === 1) return { tokens, tenant }
    throw sourceRefused(
      `This custom connection reaches ${tenants.length} companies, but must reach exactly one. Set it up again at ${title}.`,
    )
  } catch (error) {
    throw toApiFault(error, title)
  }
}

function toApiFault(error: unknown, title: string): ApiFault {
  if (error instanceof ApiFault) return error
  if (error instanceof TokenRefused) {
    if (error.code === 'invalid_scope')
      return sourceRefused(
        `${title} does not grant this custom connection what Tributary needs to read. Add the scopes to it at ${title}.`,
        error,
      )
    return sourceRefused(
      `${title} does not accept this client id and secret for a custom connection. Copy both again from ${title}.`,
      error,
    )
  }
  const { kind, notice } = asFault(error)
  if (kind === 'signIn' || kind === 'settings') return sourceRefused(notice, error)
  return detailedFault('sourceAway', `${title} does not respond at the moment. Try again in a few minutes.`, {
    cause: error,
  })
}

function sourceRefused(detail: string, cause?: unknown): ApiFault {
  return detailedFault('sourceRefused', detail, { cause })
}
