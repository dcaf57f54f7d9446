/** Connectors that move several companies into one set of tables: their companies in the store. */
import { isoTime, type Clock } from '../../kernel/clock.ts'
import { ApiFault, detailedFault } from '../../kernel/http/api-fault.ts'
import { lockForTransaction } from '../../kernel/store/locks.ts'
import type { Db } from '../../kernel/store/store.ts'
import { isUniqueViolation } from '../../kernel/store/unique-violation.ts'
import type { ConnectorLocation } from '../connectors/connector-settings.ts'
import type { GrantedCompany } from './connect-companies.ts'

/** The most companies of one connector. Views and tie-outs grow with their number. */
const sharedCompaniesMax = 50

/** Sorted by name. Empty if the connector moves one company. */
export function listSharedCompanies(db: Db, { organisationId, connectorId }: ConnectorLocation) {
  return db
    .selectFrom('connectorCompany')
    .leftJoin('oauthGrant', 'oauthGrant.id', 'connectorCompany.grantId')
    .select(['tenantId', 'connectorCompany.name', 'country', 'currency', 'grantId', 'releasedAt', 'state', 'deadAt'])
    .where('organisationId', '=', organisationId)
    .where('connectorId', '=', connectorId)
    .orderBy('connectorCompany.name')
    .orderBy('tenantId')
    .execute()
}

/** Adds companies to a connector, or renews their grant. @throws `tenantTaken`, `settingsWrong` if there would be too many */
export async function addSharedCompanies(
  db: Db,
  clock: Clock,
  { organisationId, connectorId }: ConnectorLocation,
  companies: readonly GrantedCompany[],
): Promise<void> {
  for (const { type, tenantId, name, country, currency, grantId } of companies) {
    await requireFreeCompany(db, { type, tenantId, name }, connectorId)
    const linked = { name, country, currency, grantId, releasedAt: null, state: 'current' as const }
    await db
      .insertInto('connectorCompany')
      .values({ connectorId, organisationId, type, tenantId, ...linked, connectedAt: isoTime(clock.now()) })
      .onConflict((conflict) => conflict.columns(['connectorId', 'tenantId']).doUpdateSet(linked))
      .execute()
      .catch((error: unknown) => {
        // The unique index also covers other organisations, whose rows are invisible here.
        throw isUniqueViolation(error, 'connector_company_one')
          ? new ApiFault('tenantTaken', { values: { name }, cause: error })
          : error
      })
  }
  const all = await listSharedCompanies(db, { organisationId, connectorId })
  if (all.length > sharedCompaniesMax)
    throw detailedFault(
      'settingsWrong',
      `One set of tables holds at most ${sharedCompaniesMax} companies. Choose fewer.`,
    )
}

interface LinkedCompany {
  readonly type: string
  readonly tenantId: string
  readonly name: string
}

/**
 * Neither a connector of one company nor one of several reads it. Two tables record that, so the lock replaces an index over both.
 *
 * @param connectorId the connector that may read it
 * @throws `tenantTaken`
 */
export async function requireFreeCompany(
  db: Db,
  { type, tenantId, name }: LinkedCompany,
  connectorId: string,
): Promise<void> {
  await lockForTransaction(db, 'companies', `${type} ${tenantId}`)
  const single = await db
    .selectFrom('connectorTenant')
    .select('connectorId')
    .where('type', '=', type)
    .where('tenantId', '=', tenantId)
    .where('releasedAt', 'is', null)
    .where('connectorId', '<>', connectorId)
    .executeTakeFirst()
  const shared = await db
    .selectFrom('connectorCompany')
    .select('connectorId')
    .where('type', '=', type)
    .where('tenantId', '=', tenantId)
    .where('releasedAt', 'is', null)
    .where('state', '=', 'current')
    .where('connectorId', '<>', connectorId)
    .executeTakeFirst()
  if (single !== undefined || shared !== undefined) throw new ApiFault('tenantTaken', { values: { name } })
}
