/**
 * Queries for grants and the companies they reach. All of them run across, because grants belong to no organisation.
 */
import { sql } from 'kysely'
import type { Tenant } from '@tributary/engine/ports/oauth'
import { companyNames } from '../../connections/oauth/connector-companies.ts'
import { cleanName } from '../../connections/oauth/oauth-client.ts'
import type { Db } from '../../kernel/store/store.ts'

export function listTokensEverywhere(db: Db) {
  return selectTokens(db)
    .orderBy(sql`lower(emailAddress) NULLS LAST`)
    .orderBy('oauthGrant.id')
    .execute()
}

export function findTokenEverywhere(db: Db, tokenId: string) {
  return selectTokens(db).where('oauthGrant.id', '=', tokenId).executeTakeFirst()
}
export type TokenRow = NonNullable<Awaited<ReturnType<typeof findTokenEverywhere>>>

function selectTokens(db: Db) {
  return db
    .selectFrom('oauthGrant')
    .leftJoin('oauthApp', 'oauthApp.id', 'oauthGrant.appId')
    .leftJoin('organisation', 'organisation.id', 'oauthApp.organisationId')
    .select(['oauthGrant.id', 'oauthGrant.type', 'person', 'emailAddress', 'oauthGrant.name', 'oauthGrant.clientId'])
    .select(['oauthApp.kind', 'organisation.companyName', 'deadAt', 'refreshedAt'])
}

/** Replaces the stored companies of the grant. */
export async function replaceTenantsEverywhere(db: Db, grantId: string, tenants: readonly Tenant[]): Promise<void> {
  const ids = tenants.map(({ id }) => id)
  await db
    .deleteFrom('oauthTenant')
    .where('grantId', '=', grantId)
    .$if(ids.length > 0, (query) => query.where('tenantId', 'not in', ids))
    .execute()
  for (const { id: tenantId, ...tenant } of tenants) {
    const row = { ...tenant, name: cleanName(tenant.name) ?? tenantId, seenAt: sql<string>`now()` }
    await db
      .insertInto('oauthTenant')
      .values({ grantId, tenantId, ...row })
      .onConflict((conflict) => conflict.columns(['grantId', 'tenantId']).doUpdateSet(row))
      .execute()
  }
}

/** Sorted by name. Includes the connector that reads the company, of any organisation and through any grant. */
export function listTenantsEverywhere(db: Db, grantId: string) {
  return db
    .selectFrom('oauthTenant')
    .innerJoin('oauthGrant', 'oauthGrant.id', 'oauthTenant.grantId')
    .leftJoin('connectorCompany', (join) =>
      join
        .onRef('connectorCompany.tenantId', '=', 'oauthTenant.tenantId')
        .onRef('connectorCompany.type', '=', 'oauthGrant.type')
        .on('connectorCompany.releasedAt', 'is', null),
    )
    .leftJoin('organisation', 'organisation.id', 'connectorCompany.organisationId')
    .select(['oauthTenant.tenantId', 'oauthTenant.name as tenantName', 'oauthTenant.country', 'oauthTenant.currency'])
    .select(['organisation.companyName', 'connectorCompany.connectorId', 'connectorCompany.organisationId'])
    .where('oauthTenant.grantId', '=', grantId)
    .orderBy('oauthTenant.name', (by) => by.collate('naturalOrder'))
    .orderBy('oauthTenant.tenantId')
    .execute()
}

/** The connected products that read a company by the grant, sorted by their companies. */
export function listConnectedProductsEverywhere(db: Db, grantId: string) {
  return db
    .selectFrom('connector')
    .innerJoin('organisation', 'organisation.id', 'connector.organisationId')
    .select(['connector.id as connectorId', 'connector.organisationId', 'connector.key as connectorKey'])
    .select(['connector.type', sql<string>`${companyNames}`.as('companyName')])
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('connectorCompany')
          .select('tenantId')
          .whereRef('connectorCompany.connectorId', '=', 'connector.id')
          .where('grantId', '=', grantId),
      ),
    )
    .where('connector.status', '=', 'CONNECTED')
    .where('organisation.archivedAt', 'is', null)
    .orderBy(companyNames, (by) => by.collate('naturalOrder'))
    .orderBy('connector.id')
    .execute()
}
export type ConnectedProduct = Awaited<ReturnType<typeof listConnectedProductsEverywhere>>[number]
