/** The companies that a grant reaches, and which of them are connectors already. */
import type { Tenant } from '@tributary/engine/ports/oauth'
import { isoTime, type Clock } from '../../kernel/clock.ts'
import { cleanName } from '../../connections/oauth/oauth-client.ts'
import type { GrantedCompany } from '../../connections/oauth/connect-companies.ts'
import type { Db } from '../../kernel/store/store.ts'

/** `here`: a connector of this organisation moves it already; `elsewhere`: another's. */
type Taken = 'here' | 'elsewhere' | null

export interface Offered extends GrantedCompany {
  readonly taken: Taken
  /** The connector that moves it. */
  readonly connectorId: string | null
}

/** Adds what has been opened; what was opened before stays. In a transaction across, as all of these: grants belong to no organisation. */
export async function keepCompanies(db: Db, clock: Clock, grantId: string, tenants: readonly Tenant[]): Promise<void> {
  for (const { id: tenantId, connectionId, country, currency, name } of tenants) {
    const row = { connectionId, country, currency, name: cleanName(name) ?? tenantId, seenAt: isoTime(clock.now()) }
    await db
      .insertInto('oauthTenant')
      .values({ grantId, tenantId, ...row })
      .onConflict((conflict) => conflict.columns(['grantId', 'tenantId']).doUpdateSet(row))
      .execute()
  }
}

/** By name. */
export async function listOffered(
  db: Db,
  organisationId: string,
  { grantId, tenantIds }: { readonly grantId: string; readonly tenantIds: readonly string[] },
): Promise<readonly Offered[]> {
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
    .select([
      'oauthGrant.type',
      'oauthTenant.tenantId',
      'oauthTenant.name',
      'oauthTenant.country',
      'oauthTenant.currency',
    ])
    .select(['oauthTenant.grantId', 'connectorTenant.organisationId', 'connectorTenant.connectorId'])
    .where('oauthTenant.grantId', '=', grantId)
    .where('oauthTenant.tenantId', 'in', [...tenantIds])
    .orderBy('oauthTenant.name')
    .orderBy('oauthTenant.tenantId')
    .execute()
  return rows.map(({ organisationId: owner, ...company }) => {
    if (owner === null) return { ...company, taken: null }
    // Of another organisation's connector nothing is told, not even its id.
    return owner === organisationId
      ? { ...company, taken: 'here' }
      : { ...company, connectorId: null, taken: 'elsewhere' }
  })
}

export interface Former {
  readonly name: string
  readonly tenantId: string | null
  readonly tenantName: string | null
}

/** The connector that is to be connected again, with the company it moved; undefined where there is none to be connected. */
export function findFormer(
  db: Db,
  organisationId: string,
  connectorId: string,
  type: string,
): Promise<Former | undefined> {
  return db
    .selectFrom('connector')
    .leftJoin('connectorTenant', 'connectorTenant.connectorId', 'connector.id')
    .select(['connector.name', 'connectorTenant.tenantId', 'connectorTenant.name as tenantName'])
    .where('connector.organisationId', '=', organisationId)
    .where('connector.id', '=', connectorId)
    .where('connector.type', '=', type)
    .where('connector.status', '<>', 'DELETED')
    .executeTakeFirst()
}
