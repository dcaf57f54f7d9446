/**
 * Connectors that are created by signing in at the source. Each moves one company; each company has at most one
 * connector.
 */
import { nameMax } from '@tributary/contract/limits'
import { sql } from 'kysely'
import type { CallerContext } from '../../kernel/audit-context.ts'
import { isoTime } from '../../kernel/clock.ts'
import { ApiFault } from '../../kernel/http/api-fault.ts'
import type { CompanyConnector, GrantedCompany } from '../../connections/oauth/connect-companies.ts'
import type { AppServices } from '../../app-services.ts'
import { startManualRun } from '../../connections/connectors/start-run.ts'
import type { Db } from '../../kernel/store/store.ts'
import { cancelRuns } from '../../connections/connectors/connector-queries.ts'
import { isUniqueViolation } from '../../kernel/store/unique-violation.ts'
import { addSharedCompanies, requireFreeCompany } from '../../connections/oauth/shared-companies.ts'
import { linkFirstCompany, removeSharedCompany } from './shared-connectors.ts'
import { createConnector, lockNames, reconnect, type SaveConnectorServices } from './save-connector.ts'

type AuthorisedConnectorServices = Pick<AppServices, 'audit' | 'clock' | 'log' | 'oauth' | 'queue' | 'store'> &
  SaveConnectorServices

export function createConnecting(services: AuthorisedConnectorServices): CompanyConnector {
  return {
    add: (db, auditContext, company) => addConnector(db, services, { auditContext, company, name: company.name }),
    async addShared(db, auditContext, companies) {
      const [first] = companies
      if (first === undefined) throw new Error('A connector has at least one company.')
      const name = companies.length === 1 ? first.name : nameOfSeveral(first.name)
      const connectorId = await addConnector(db, services, { auditContext, company: first, name })
      await addSharedCompanies(db, services.clock, { ...auditContext, connectorId }, companies)
      return connectorId
    },
    async extend(db, auditContext, connectorId, companies) {
      await reconnect(db, services, auditContext, connectorId)
      await addSharedCompanies(db, services.clock, { ...auditContext, connectorId }, companies)
      await linkFirstCompany(db, services, { ...auditContext, connectorId })
      await startFirstRun(db, services, auditContext, connectorId)
    },
    remove: (db, auditContext, company) => removeSharedCompany(db, services, auditContext, company),
    async reconnect(db, auditContext, connectorId, company) {
      await reconnect(db, services, auditContext, connectorId)
      await linkCompany(db, services, { auditContext, connectorId, company })
    },
  }
}

interface NewConnector {
  readonly auditContext: CallerContext
  readonly company: GrantedCompany
  /** The wished one; a number follows if another connector has it. */
  readonly name: string
}

async function addConnector(
  db: Db,
  services: AuthorisedConnectorServices,
  { auditContext, company, name: wished }: NewConnector,
): Promise<string> {
  const name = await chooseFreeName(db, auditContext.organisationId, wished)
  const initial = Object.entries(services.oauth.types.get(company.type)?.initialSettings ?? {})
  const properties = initial.map(([property, value]) => ({ name: property, value }))
  const connectorId = await createConnector(db, services, auditContext, { type: company.type, name, properties })
  await linkCompany(db, services, { auditContext, connectorId, company })
  return connectorId
}

/** Without their number, which changes when companies are added or taken off. */
const nameOfSeveral = (first: string): string => `${first.slice(0, nameMax - 20).trim()} and others`

interface CompanyLink {
  readonly auditContext: CallerContext
  readonly connectorId: string
  readonly company: GrantedCompany
}

async function linkCompany(
  db: Db,
  services: AuthorisedConnectorServices,
  { auditContext, connectorId, company }: CompanyLink,
): Promise<void> {
  const connectedAt = isoTime(services.clock.now())
  const { organisationId } = auditContext
  const { type, tenantId, name, country, currency, grantId } = company
  const linked = { type, tenantId, name, country, currency, grantId, connectedAt, releasedAt: null }
  const former = await db
    .selectFrom('connectorTenant')
    .select('tenantId')
    .where('connectorId', '=', connectorId)
    .forUpdate()
    .executeTakeFirst()
  const isOther = former !== undefined && former.tenantId !== tenantId
  await requireFreeCompany(db, company, connectorId)
  await db
    .insertInto('connectorTenant')
    .values({ connectorId, organisationId, ...linked })
    .onConflict((conflict) =>
      conflict.column('connectorId').doUpdateSet({ ...linked, ...(isOther && { readsAnew: true }) }),
    )
    .execute()
    .catch((error: unknown) => {
      // The unique index also covers other organisations, whose rows are invisible here.
      throw isUniqueViolation(error, 'connector_tenant_one')
        ? new ApiFault('tenantTaken', { values: { name: company.name }, cause: error })
        : error
    })
  // An active run may still read the previous company.
  if (isOther)
    await cancelRuns(db, organisationId, { notice: 'Another company was connected.' })
      .where('connectorId', '=', connectorId)
      .execute()

  await startFirstRun(db, services, auditContext, connectorId)
}

/** Starts the first run. A full queue or an active run does not prevent the connection. */
async function startFirstRun(
  db: Db,
  services: Pick<AppServices, 'audit' | 'queue'>,
  auditContext: CallerContext,
  connectorId: string,
): Promise<void> {
  try {
    await startManualRun(db, services, { auditContext, connectorId }, { mode: 'incremental' })
  } catch (error) {
    if (!(error instanceof ApiFault && ['queueFull', 'alreadyRunning'].includes(error.code))) throw error
  }
}

/** The wished name, with a number if another connector has that name. */
async function chooseFreeName(db: Db, organisationId: string, wished: string): Promise<string> {
  await lockNames(db, organisationId)
  const rows = await db
    .selectFrom('connector')
    .select(sql<string>`lower(name)`.as('name'))
    .where('organisationId', '=', organisationId)
    .where('status', '<>', 'DELETED')
    .execute()
  const taken = new Set(rows.map(({ name }) => name))
  const plain = wished.slice(0, nameMax - 6).trim()
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? plain : `${plain} ${number}`
    if (!taken.has(name.toLowerCase())) return name
  }
}
