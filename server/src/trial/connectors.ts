/** The connectors of a trial with their past runs. Each state that a card can show occurs once. */
import type { ConnectorProperties } from '@tributary/engine/ports/source'
import type { XeroSimulator } from '@tributary/sims/xero/server'
import { sql } from 'kysely'
import { systemAuditContext } from '../kernel/audit-context.ts'
import { createConnector, type SaveConnectorServices } from '../features/connectors/save-connector.ts'
import { listBundles } from '../connections/connectors/connector-licences.ts'
import type { GrantedCompany } from '../connections/oauth/connect-companies.ts'
import type { AppServices } from '../app-services.ts'
import type { Db } from '../kernel/store/store.ts'
import { type ConnectorChange, updateConnector } from '../connections/connectors/connector-queries.ts'
import type { ConnectorLocation } from '../connections/connectors/connector-settings.ts'
import { type PastRun, createPastRuns, refusedRun, waitingRun } from './history.ts'
import { dailyLimitFault } from './past-faults.ts'
import { trialOrganisations, trialPersonId } from './people.ts'
import { insertCalls } from './past-calls.ts'
import { insertRuns } from './past-rows.ts'
import { booksProfile, ledgerProfile, shopProfile, stockProfile } from './run-profiles.ts'
import { withTieOuts } from './past-tie-outs.ts'
import { openCompanies, type TrialXeroServices } from './xero.ts'

export type TrialConnectorServices = Pick<AppServices, 'clock' | 'demo' | 'oauth' | 'store'> &
  SaveConnectorServices &
  TrialXeroServices

const [harbour, summit] = trialOrganisations
const admin = trialPersonId('admin@demo.example')
const user = trialPersonId('user@demo.example')

/** @param xero the simulator whose first company the trial's books come from. */
export async function seedConnectors(services: TrialConnectorServices, xero: XeroSimulator): Promise<void> {
  const now = new Date(services.clock.now())
  const companies = await openCompanies(services, xero, harbour.id)
  const books = companies.find(({ tenantId }) => tenantId === xero.companies[0]?.tenantId)
  await services.store.within(harbour.id, async (db) => {
    const site = { db, services, organisationId: harbour.id, now }
    for (const connector of harbourConnectors(now)) await addConnector(site, connector)
    await addArchive(site)
    if (books !== undefined) await addBooks(site, books)
  })
  await services.store.within(summit.id, (db) => addSummitShop({ db, services, organisationId: summit.id, now }))
  // Across: a shared connector belongs to two organisations.
  await services.store.across((db) => addSharedConnector({ db, services, organisationId: quayside.id, now }))
}

/** The target of a new connector. */
interface TrialSite {
  readonly db: Db
  readonly services: TrialConnectorServices
  readonly organisationId: string
  readonly now: Date
}

interface TrialConnector {
  readonly type: 'postgres' | 'cin7' | 'uniconta' | 'xero'
  readonly name: string
  readonly schedule: string | null
  readonly users: readonly string[]
  readonly password?: string
  readonly past: readonly PastRun[]
  /** Calls that its runs have made today. */
  readonly callsToday?: number
  /** How its row differs from that of a new connector. */
  readonly change?: ConnectorChange
}

function harbourConnectors(now: Date): readonly TrialConnector[] {
  const branch = { ...stockProfile(14), hours: [5] }
  return [
    {
      type: 'postgres',
      name: 'Web shop',
      schedule: '0 */4 * * *',
      users: [user, trialPersonId('guest@demo.example')],
      past: createPastRuns(shopProfile([0, 4, 8, 12, 16, 20], 11), now),
      // Due immediately, so that the first rows are in the warehouse seconds after the first start.
      change: { nextRunAt: sql`now()` },
    },
    {
      type: 'cin7',
      name: 'Stock and sales',
      schedule: '0 6 * * *',
      users: [user],
      past: createPastRuns(stockProfile(12), now),
      callsToday: 780,
      change: { alertUsers: [admin, user] },
    },
    {
      type: 'cin7',
      name: 'Branch stock',
      schedule: '30 5 * * *',
      users: [user],
      // The source has reached its daily limit: the run waits, and counts as stalled after half an hour.
      past: [...createPastRuns(branch, now, 1), waitingRun(branch, now, dailyLimitFault)],
      callsToday: 2_310,
    },
    {
      type: 'uniconta',
      name: 'Nordlys ledger',
      schedule: '0 3 * * *',
      users: [user],
      past: createPastRuns(ledgerProfile(16), now),
      callsToday: 1_960,
    },
  ]
}

/**
 * The source refuses the password because it was changed there: the card shows Forbidden, and the schedule is paused. A
 * new column at the source waits for a decision.
 */
async function addArchive(site: TrialSite): Promise<void> {
  const { db, now } = site
  const refusedAt = new Date(Math.floor(now.getTime() / 86_400_000) * 86_400_000 - 8 * 86_400_000 + 2 * 3_600_000)
  const connector = await addConnector(site, {
    type: 'postgres',
    name: 'Old shop archive',
    schedule: '0 2 * * *',
    users: [],
    password: 'changed-since',
    past: [...createPastRuns(shopProfile([2], 13), now, 9), refusedRun(refusedAt)],
    change: { nextRunAt: null, schemaPolicy: 'ask' },
  })
  await db
    .insertInto('schemaChange')
    .values({
      ...connector,
      stream: 'shop.customers',
      tableName: 'shop_customers',
      columnName: 'loyalty_tier',
      before: null,
      after: 'text',
      status: 'PENDING',
      foundAt: sql<string>`now() - interval '9 days'`,
    })
    .execute()
}

/** The first real run begins with the first start. The other companies of the same person can be assigned. */
async function addBooks(site: TrialSite, company: GrantedCompany): Promise<void> {
  const { type, tenantId, name, country, currency, grantId } = company
  const past = createPastRuns(booksProfile(18), site.now)
  const connector = await addConnector(site, {
    type: 'xero',
    name,
    schedule: '0 6,12,18 * * *',
    users: [user],
    past: withTieOuts(past, { company: name, currency }),
    callsToday: 1_240,
    change: { nextRunAt: sql`now()` },
  })
  const tenant = { type, tenantId, name, country, currency, grantId, connectedAt: past[0]?.queuedAt ?? site.now }
  await site.db
    .insertInto('connectorCompany')
    .values({ ...connector, ...tenant })
    .execute()
}

async function addSummitShop(site: TrialSite): Promise<void> {
  const people = [trialPersonId('admin@other.example')]
  const past = createPastRuns({ ...shopProfile([5], 15), people }, site.now)
  await addConnector(site, { type: 'postgres', name: 'Summit shop', schedule: '0 5 * * *', users: [], past })
}

/** An organisation without members in the trial; it shares its connector with the first organisation. */
const quayside = {
  id: '00000000-0000-4000-8000-000000000103',
  companyName: 'Quayside Group',
  key: 'quayside-group',
  timeZone: 'Europe/London',
}

async function addSharedConnector(site: TrialSite): Promise<void> {
  await site.db.insertInto('organisation').values(quayside).execute()
  const people = [trialPersonId('superadmin@demo.example')]
  const past = createPastRuns({ ...stockProfile(17), people }, site.now)
  const connector = await addConnector(site, { type: 'cin7', name: 'Quayside stock', schedule: null, users: [], past })
  await site.db
    .insertInto('connectorShare')
    .values({ ...connector, guestId: harbour.id })
    .execute()
}

async function addConnector(
  { db, services, organisationId }: TrialSite,
  { type, name, schedule, users, password, past, callsToday, change }: TrialConnector,
): Promise<ConnectorLocation> {
  const settings = withPassword(services.oauth.types.get(type)?.initialSettings ?? services.demo[type] ?? {}, password)
  const properties = Object.entries({ ...settings, 'portal.user': users.join(' ') }).map(([property, value]) => ({
    name: property,
    value,
  }))
  // An actor without a user but with the superadmin's role level, because only superadmins may set schedules.
  const actor = { userId: null, role: null, sessionId: null, roleLevel: 0 } as const
  const auditContext = { ...systemAuditContext, organisationId, actor }
  const connectorId = await createConnector(db, services, auditContext, { type, name, schedule, properties })
  const connector = { organisationId, connectorId }
  await grantAllLicences(db, connector, type)
  await insertRuns(db, connector, past)
  if (callsToday !== undefined) await insertCalls(db, connector, { type, past, callsToday })
  if (change !== undefined) await updateConnector(db, connector, change)
  return connector
}

/** Grants every licence that must be bought, so that all streams of a trial are loaded. */
async function grantAllLicences(db: Db, connector: ConnectorLocation, type: string): Promise<void> {
  const sold = listBundles(type).filter(({ base }) => !base)
  if (sold.length === 0) return
  const rows = sold.map(({ id }) => ({ ...connector, licence: id }))
  await db.insertInto('connectorLicence').values(rows).execute()
}

function withPassword(settings: ConnectorProperties, password: string | undefined): ConnectorProperties {
  if (password === undefined) return settings
  const connection = settings['source.connectionString'] as object
  return { ...settings, 'source.connectionString': { ...connection, password } }
}
