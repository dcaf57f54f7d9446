/** The companies of connectors that sign in, in the store: one, or several that share one set of tables. */
import { sql } from 'kysely'
import { isoTime, type Clock } from '../../kernel/clock.ts'
import { ApiFault, detailedFault } from '../../kernel/http/api-fault.ts'
import type { Db } from '../../kernel/store/store.ts'
import { isUniqueViolation } from '../../kernel/store/unique-violation.ts'
import type { ConnectorLocation } from '../connectors/connector-settings.ts'
import type { GrantedCompany } from './connect-companies.ts'

/** The most companies of one connector. Views and tie-outs grow with their number. */
const sharedCompaniesMax = 50

/** Sorted by name. Empty if no one has signed in yet, or the source needs no sign-in. */
export function listCompanies(db: Db, { organisationId, connectorId }: ConnectorLocation) {
  return db
    .selectFrom('connectorCompany')
    .leftJoin('oauthGrant', 'oauthGrant.id', 'connectorCompany.grantId')
    .select(['tenantId', 'connectorCompany.name', 'country', 'currency'])
    .select(['grantId', 'connectedAt', 'releasedAt', 'state', 'deadAt'])
    .where('organisationId', '=', organisationId)
    .where('connectorId', '=', connectorId)
    .orderBy('connectorCompany.name')
    .orderBy('tenantId')
    .execute()
}
export type ConnectorCompany = Awaited<ReturnType<typeof listCompanies>>[number]

/** Whether the tables of the connector have a column of the company. */
export function shareTables(companies: readonly Pick<ConnectorCompany, 'state'>[]): boolean {
  return companies.some(({ state }) => state !== 'only')
}

/** The company whose sign-in stands for that of the connector: the first that can be read, if one can. */
export function findFirstCompany(companies: readonly ConnectorCompany[]): ConnectorCompany | undefined {
  const moved = companies.filter(({ state }) => state !== 'kept')
  return (
    moved.find(({ grantId, deadAt }) => grantId !== null && deadAt === null) ??
    moved.find(({ releasedAt }) => releasedAt === null) ??
    moved[0]
  )
}

/** SQL: the companies that a `connector` of the query moves, by name; of more than three, two by name. Null if it has none. */
export const companyNames = sql<string | null>`(
  SELECT CASE WHEN count(*) < 4 THEN string_agg(name, ', ' ORDER BY name COLLATE naturalOrder)
    ELSE (array_agg(name ORDER BY name COLLATE naturalOrder))[1] || ', ' || (array_agg(name ORDER BY name COLLATE naturalOrder))[2]
      || ' and ' || count(*) - 2 || ' more' END
  FROM connectorCompany AS company WHERE company.connectorId = connector.id AND company.state <> 'kept')`

/**
 * Gives a connector its only company, or renews its grant. Returns whether it is another company than before.
 *
 * @throws `tenantTaken`
 */
export async function linkOnlyCompany(
  db: Db,
  clock: Clock,
  { organisationId, connectorId }: ConnectorLocation,
  { type, tenantId, name, country, currency, grantId }: GrantedCompany,
): Promise<boolean> {
  const linked = { tenantId, name, country, currency, grantId, connectedAt: isoTime(clock.now()), releasedAt: null }
  const [former] = await listCompanies(db, { organisationId, connectorId })
  const isOther = former !== undefined && former.tenantId !== tenantId
  const write =
    former === undefined
      ? db.insertInto('connectorCompany').values({ connectorId, organisationId, type, ...linked, state: 'only' })
      : db
          .updateTable('connectorCompany')
          .set({ ...linked, ...(isOther && { readsAnew: true }) })
          .where('organisationId', '=', organisationId)
          .where('connectorId', '=', connectorId)
  await refuseTaken(name, write.execute())
  return isOther
}

/** Adds companies to a connector of several, or renews their grant. @throws `tenantTaken`, `settingsWrong` if there would be too many */
export async function addSharedCompanies(
  db: Db,
  clock: Clock,
  { organisationId, connectorId }: ConnectorLocation,
  companies: readonly GrantedCompany[],
): Promise<void> {
  const connectedAt = isoTime(clock.now())
  for (const { type, tenantId, name, country, currency, grantId } of companies) {
    const linked = { name, country, currency, grantId, connectedAt, releasedAt: null, state: 'current' as const }
    const write = db
      .insertInto('connectorCompany')
      .values({ connectorId, organisationId, type, tenantId, ...linked })
      .onConflict((conflict) => conflict.columns(['connectorId', 'tenantId']).doUpdateSet(linked))
    await refuseTaken(name, write.execute())
  }
  const all = await listCompanies(db, { organisationId, connectorId })
  if (all.length > sharedCompaniesMax)
    throw detailedFault(
      'settingsWrong',
      `One set of tables holds at most ${sharedCompaniesMax} companies. Choose fewer.`,
    )
}

async function refuseTaken(name: string, writing: Promise<unknown>): Promise<void> {
  try {
    await writing
  } catch (error) {
    // The unique index also covers other organisations, whose rows are invisible here.
    throw isUniqueViolation(error, 'connector_company_one')
      ? new ApiFault('tenantTaken', { values: { name }, cause: error })
      : error
  }
}
