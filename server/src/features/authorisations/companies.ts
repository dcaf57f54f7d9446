/** The companies that a grant reaches, and which of them are connectors already. */
import type { Tenant } from '@tributary/engine/ports/oauth'
import { isoTime, type Clock } from '../../kernel/clock.ts'
import { cleanName } from '../../connections/oauth/oauth-client.ts'
import type { GrantedCompany } from '../../connections/oauth/connect-companies.ts'
import { type ConnectorCompany, listCompanies, shareTables } from '../../connections/oauth/connector-companies.ts'
import type { Db } from '../../kernel/store/store.ts'
import type { ConnectorLocation } from '../../connections/connectors/connector-settings.ts'

/** `here`: a connector of this organisation already reads it; `elsewhere`: a connector of another organisation does. */
type CompanyTaken = 'here' | 'elsewhere' | null

export interface OfferedCompany extends GrantedCompany {
  readonly taken: CompanyTaken
  /** The connector that reads it; null if it belongs to another organisation. */
  readonly connectorId: string | null
}

/**
 * Upserts the companies of a grant and keeps its earlier ones. Runs in a transaction across, like all functions of this
 * file: grants belong to no organisation.
 */
export async function storeCompanies(db: Db, clock: Clock, grantId: string, tenants: readonly Tenant[]): Promise<void> {
  for (const { id: tenantId, connectionId, country, currency, name } of tenants) {
    const row = { connectionId, country, currency, name: cleanName(name) ?? tenantId, seenAt: isoTime(clock.now()) }
    await db
      .insertInto('oauthTenant')
      .values({ grantId, tenantId, ...row })
      .onConflict((conflict) => conflict.columns(['grantId', 'tenantId']).doUpdateSet(row))
      .execute()
  }
}

/** Sorted by name. */
export async function listOfferedCompanies(
  db: Db,
  organisationId: string,
  { grantId, tenantIds }: { readonly grantId: string; readonly tenantIds: readonly string[] },
): Promise<readonly OfferedCompany[]> {
  if (tenantIds.length === 0) return []
  const rows = await db
    .selectFrom('oauthTenant')
    .innerJoin('oauthGrant', 'oauthGrant.id', 'oauthTenant.grantId')
    .leftJoin('connectorCompany', (join) =>
      join
        .onRef('connectorCompany.tenantId', '=', 'oauthTenant.tenantId')
        .onRef('connectorCompany.type', '=', 'oauthGrant.type')
        .on('connectorCompany.releasedAt', 'is', null),
    )
    .select(['oauthGrant.type', 'oauthTenant.tenantId', 'oauthTenant.name'])
    .select(['oauthTenant.country', 'oauthTenant.currency', 'oauthTenant.grantId'])
    .select(['connectorCompany.organisationId', 'connectorCompany.connectorId'])
    .where('oauthTenant.grantId', '=', grantId)
    .where('oauthTenant.tenantId', 'in', [...tenantIds])
    .orderBy('oauthTenant.name')
    .orderBy('oauthTenant.tenantId')
    .execute()
  return rows.map(({ organisationId: owner, ...company }) => {
    if (owner === null) return { ...company, taken: null }
    // Nothing about another organisation's connector is revealed, not even its id.
    return owner === organisationId
      ? { ...company, taken: 'here' }
      : { ...company, connectorId: null, taken: 'elsewhere' }
  })
}

/** A connector to reconnect, and the companies that it moved before. */
export interface ReconnectTarget {
  readonly name: string
  readonly isShared: boolean
  readonly companies: readonly Pick<ConnectorCompany, 'name' | 'tenantId'>[]
}

/** Undefined if it does not exist or is deleted. */
export async function findReconnectTarget(
  db: Db,
  { organisationId, connectorId }: ConnectorLocation,
  type: string,
): Promise<ReconnectTarget | undefined> {
  const connector = await db
    .selectFrom('connector')
    .select('name')
    .where('organisationId', '=', organisationId)
    .where('id', '=', connectorId)
    .where('type', '=', type)
    .where('status', '<>', 'DELETED')
    .executeTakeFirst()
  if (connector === undefined) return undefined
  const companies = await listCompanies(db, { organisationId, connectorId })
  return {
    name: connector.name,
    isShared: shareTables(companies),
    companies: companies.filter(({ state }) => state !== 'kept'),
  }
}
