/** Custom connections: an app that reaches one company by itself, so that nobody has to sign in. */
import { asFault } from '@tributary/engine/ports/faults'
import type { WithTimeoutServices } from '../../connections/databases/with-timeout.ts'
import type { AuditContext } from '../../kernel/audit-context.ts'
import type { Actor } from '../../kernel/http/actor.ts'
import { ApiFault } from '../../kernel/http/api-fault.ts'
import { lockForTransaction } from '../../kernel/store/locks.ts'
import { TokenRefused } from '../../connections/oauth/oauth-client.ts'
import type { CompanyConnector } from '../../connections/oauth/connect-companies.ts'
import { storeGrant } from '../../connections/oauth/grants.ts'
import type { AuthorisedType } from '../../connections/oauth/authorised-types.ts'
import type { AppServices } from '../../app-services.ts'
import type { Db } from '../../kernel/store/store.ts'
import { keepApp, type NewApp } from './oauth-apps.ts'
import { keepCompanies, listOffered, type Offered } from './companies.ts'
import { reachedBy } from './reachable-companies.ts'

type CustomConnectionServices = Pick<AppServices, 'audit' | 'clock' | 'oauth' | 'secrets' | 'store'> &
  WithTimeoutServices

interface Made {
  readonly appId: string
  readonly connectorId: string
}

/** Stores the app and connects its company at once, or does neither. Throws `sourceRefused`, `sourceAway`, `settingsWrong`, `tenantTaken`. */
export async function addMachine(
  services: CustomConnectionServices,
  connecting: CompanyConnector,
  { auditContext, type }: { readonly auditContext: AuditContext<string, Actor>; readonly type: AuthorisedType },
  app: NewApp,
): Promise<Made> {
  const { tokens, tenant } = await reach(services, type, app)
  const { organisationId } = auditContext
  // Across: whether the company is another organisation's already.
  return services.store.across(async (db) => {
    // Before the audit event of the app: the connector that is added below takes the same lock.
    await lockForTransaction(db, 'connectorNames', organisationId)
    const appId = await keepApp(db, services, auditContext, app)
    const grantId = await storeGrant(
      db,
      services,
      { type: type.type, appId, clientId: app.clientId, person: null },
      tokens,
    )
    await keepCompanies(db, services.clock, grantId, [tenant])
    const [company] = await listOffered(db, organisationId, { grantId, tenantIds: [tenant.id] })
    if (company === undefined) throw new ApiFault('notFound')
    const former = await findOwnConnector(db, organisationId, company)
    if (company.taken !== null && former === undefined)
      throw new ApiFault('tenantTaken', { values: { name: company.name } })
    if (former === undefined) return { appId, connectorId: await connecting.add(db, auditContext, company) }
    await connecting.reconnect(db, auditContext, former, company)
    return { appId, connectorId: former }
  })
}

/** The connector that moved this company by this connection, or that nobody has connected since: its secret has been changed. */
async function findOwnConnector(
  db: Db,
  organisationId: string,
  { type, tenantId, grantId, taken }: Offered,
): Promise<string | undefined> {
  const found = await db
    .selectFrom('connectorTenant')
    .innerJoin('connector', 'connector.id', 'connectorTenant.connectorId')
    .select('connector.id')
    .where('connector.organisationId', '=', organisationId)
    .where('connectorTenant.type', '=', type)
    .where('tenantId', '=', tenantId)
    .$if(taken !== null, (query) => query.where('grantId', '=', grantId).where('releasedAt', 'is', null))
    .$if(taken === null, (query) => query.where('connector.status', '=', 'DISCONNECTED'))
    .orderBy('connectedAt', 'desc')
    .limit(1)
    .executeTakeFirst()
  return found?.id
}

async function reach(services: CustomConnectionServices, type: AuthorisedType, { clientId, clientSecret }: NewApp) {
  const { title } = type.oauth
  try {
    const tokens = await services.oauth.client.requestMachineTokens(type, { clientId, clientSecret })
    const tenants = await reachedBy(services, type, tokens.accessToken, null)
    const [tenant] = tenants
    if (tenant !== undefined && tenants.length === 1) return { tokens, tenant }
    throw refused(
      `This custom connection reaches ${tenants.length} companies, where one is needed. Set it up anew at ${title}.`,
    )
  } catch (error) {
    throw refusalOf(error, title)
  }
}

function refusalOf(error: unknown, title: string): ApiFault {
  if (error instanceof ApiFault) return error
  if (error instanceof TokenRefused) {
    if (error.code === 'invalid_scope')
      return refused(
        `${title} does not grant this custom connection what Tributary needs to read. Add the scopes to it at ${title}.`,
        error,
      )
    return refused(
      `${title} does not take this client id and secret for a custom connection. Copy both anew from ${title}.`,
      error,
    )
  }
  const { kind, notice } = asFault(error)
  if (kind === 'signIn' || kind === 'settings') return refused(notice, error)
  return new ApiFault('sourceAway', {
    values: { detail: `${title} does not answer just now. Try again in a few minutes.` },
    cause: error,
  })
}

function refused(detail: string, cause?: unknown): ApiFault {
  return new ApiFault('sourceRefused', { values: { detail }, cause })
}
