/** The companies that a grant reaches, and which of them are connectors already. */
import type { Tenant } from '@tributary/engine/ports/oauth'
import { isoTime, type Clock } from '../../kernel/clock.ts'
import { cleanName } from '../../connections/oauth/oauth-client.ts'
import type { GrantedCompany } from '../../connections/oauth/connect-companies.ts'
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
    .leftJoin('connectorTenant', (join) =>
      join
        .onRef('connectorTenant.tenantId', '=', 'oauthTenant.tenantId')
        .onRef('connectorTenant.type', '=', 'oauthGrant.type')
        .on('connectorTenant.releasedAt', 'is', null),
    )
    .leftJoin('connectorCompany', (join) =>
      join
        .onRef('connectorCompany.tenantId', '=', 'oauthTenant.tenantId')
        .onRef('connectorCompany.type', '=', 'oauthGrant.type')
        .on('connectorCompany.releasedAt', 'is', null)
        .on('connectorCompany.state', '=', 'current'),
    )
    .select(['oauthGrant.type', 'oauthTenant.tenantId', 'oauthTenant.name'])
    .select(['oauthTenant.country', 'oauthTenant.currency', 'oauthTenant.grantId'])
    .select(({ fn }) => [
      fn.coalesce('connectorCompany.organisationId', 'connectorTenant.organisationId').as('organisationId'),
      fn.coalesce('connectorCompany.connectorId', 'connectorTenant.connectorId').as('connectorId'),
    ])
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

/** The connector to reconnect, with the company that it read before. Undefined if it does not exist or is deleted. */
export function findReconnectTarget(db: Db, { organisationId, connectorId }: ConnectorLocation, type: string) {
  return db
    .selectFrom('connector')
    .leftJoin('connectorTenant', 'connectorTenant.connectorId', 'connector.id')
    .select(['connector.name', 'connectorTenant.tenantId', 'connectorTenant.name as tenantName'])
    .select(({ exists, selectFrom }) =>
      exists(
        selectFrom('connectorCompany')
          .select('connectorId')
          .whereRef('connectorCompany.connectorId', '=', 'connector.id'),
      ).as('isShared'),
    )
    .where('connector.organisationId', '=', organisationId)
    .where('connector.id', '=', connectorId)
    .where('connector.type', '=', type)
    .where('connector.status', '<>', 'DELETED')
    .executeTakeFirst()
}
export type ReconnectTarget = NonNullable<Awaited<ReturnType<typeof findReconnectTarget>>>
