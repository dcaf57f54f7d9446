/** Connectors that are created by signing in at the source. Each company has at most one connector. */
import { nameMax } from '@tributary/contract/limits'
import { sql } from 'kysely'
import type { CallerContext } from '../../kernel/audit-context.ts'
import { ApiFault } from '../../kernel/http/api-fault.ts'
import type { CompanyConnector, GrantedCompany } from '../../connections/oauth/connect-companies.ts'
import type { AppServices } from '../../app-services.ts'
import { startManualRun } from '../../connections/connectors/start-run.ts'
import type { Db } from '../../kernel/store/store.ts'
import { cancelRuns } from '../../connections/connectors/connector-queries.ts'
import {
  addSharedCompanies,
  linkOnlyCompany,
  listCompanies,
  shareTables,
} from '../../connections/oauth/connector-companies.ts'
import { removeCompany } from './release-companies.ts'
import { createConnector, lockNames, reconnect, type SaveConnectorServices } from './save-connector.ts'

type AuthorisedConnectorServices = Pick<AppServices, 'audit' | 'clock' | 'log' | 'oauth' | 'queue' | 'store'> &
  SaveConnectorServices

export function createConnecting(services: AuthorisedConnectorServices): CompanyConnector {
  const { clock } = services
  return {
    async add(db, auditContext, company) {
      const connectorId = await addConnector(db, services, auditContext, company)
      await linkCompany(db, services, { auditContext, connectorId, company })
      return connectorId
    },
    async addShared(db, auditContext, companies) {
      const [first] = companies
      if (first === undefined) throw new Error('A connector has at least one company.')
      const name = companies.length === 1 ? first.name : nameOfSeveral(first.name)
      const connectorId = await addConnector(db, services, auditContext, { type: first.type, name })
      await addSharedCompanies(db, clock, { ...auditContext, connectorId }, companies)
      await startFirstRun(db, services, auditContext, connectorId)
      return connectorId
    },
    async reconnect(db, auditContext, connectorId, companies) {
      await reconnect(db, services, auditContext, connectorId)
      const connector = { ...auditContext, connectorId }
      const isShared = shareTables(await listCompanies(db, connector))
      const [company] = companies
      if (isShared) {
        await addSharedCompanies(db, clock, connector, companies)
        return startFirstRun(db, services, auditContext, connectorId)
      }
      if (company === undefined || companies.length > 1) throw new Error('This connector moves one company.')
      return linkCompany(db, services, { auditContext, connectorId, company })
    },
    remove: (db, auditContext, company) => removeCompany(db, services, auditContext, company),
  }
}

/** Adds a connector with this name, and with a number if another connector has it. */
async function addConnector(
  db: Db,
  services: AuthorisedConnectorServices,
  auditContext: CallerContext,
  { type, name: wished }: Pick<GrantedCompany, 'name' | 'type'>,
): Promise<string> {
  const name = await chooseFreeName(db, auditContext.organisationId, wished)
  const initial = Object.entries(services.oauth.types.get(type)?.initialSettings ?? {})
  const properties = initial.map(([property, value]) => ({ name: property, value }))
  return createConnector(db, services, auditContext, { type, name, properties })
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
  const { organisationId } = auditContext
  const isOther = await linkOnlyCompany(db, services.clock, { organisationId, connectorId }, company)
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
