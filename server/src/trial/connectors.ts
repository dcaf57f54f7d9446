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
import { updateConnector } from '../connections/connectors/connector-queries.ts'
import { type PastRun, createPastRuns, refusedRun, waitingRun } from './history.ts'
import { dailyLimitFault } from './past-faults.ts'
import { trialOrganisations, trialPeople } from './people.ts'
import { insertRuns } from './past-rows.ts'
import { booksProfile, ledgerProfile, shopProfile, stockProfile } from './run-profiles.ts'
import { withTieOuts } from './past-tie-outs.ts'
import { openCompanies, type TrialXeroServices } from './xero.ts'

export type TrialConnectorServices = Pick<AppServices, 'clock' | 'demo' | 'oauth' | 'store'> &
  SaveConnectorServices &
  TrialXeroServices

const [harbour, summit] = trialOrganisations
const [superadmin, , admin, user, guest] = trialPeople.map(({ id }) => id)

/** @param xero the simulator whose first company the trial's books come from. */
export async function seedConnectors(services: TrialConnectorServices, xero: XeroSimulator): Promise<void> {
  const now = new Date(services.clock.now())
  const companies = await openCompanies(services, xero, { organisationId: harbour.id, person: 0 })
  const books = companies.find(({ tenantId }) => tenantId === xero.companies[0]?.tenantId)
  await services.store.within(harbour.id, async (db) => {
    await addWebShop(db, { services, organisationId: harbour.id }, now)
    await addStock(db, { services, organisationId: harbour.id }, now)
    await addArchive(db, { services, organisationId: harbour.id }, now)
    await addBranch(db, { services, organisationId: harbour.id }, now)
    await addLedger(db, { services, organisationId: harbour.id }, now)
    if (books !== undefined) await addBooks(db, { services, organisationId: harbour.id }, now, books)
  })
  await services.store.within(summit.id, (db) => addSummitShop(db, { services, organisationId: summit.id }, now))
  // Across: a shared connector belongs to two organisations.
  await services.store.across((db) => addSharedConnector(db, { services, organisationId: quayside.id }, now))
}

/** The target of a new connector. */
interface TrialSite {
  readonly services: TrialConnectorServices
  readonly organisationId: string
}

/** An organisation without members in the trial; it shares its connector with the first organisation. */
const quayside = {
  id: '00000000-0000-4000-8000-000000000103',
  companyName: 'Quayside Group',
  key: 'quayside-group',
  timeZone: 'Europe/London',
}

async function addSharedConnector(db: Db, site: TrialSite, now: Date): Promise<void> {
  const { organisationId } = site
  await db.insertInto('organisation').values(quayside).execute()
  const connectorId = await addConnector(db, site, { type: 'cin7', name: 'Quayside stock', schedule: null, users: [] })
  await insertRuns(
    db,
    organisationId,
    connectorId,
    createPastRuns({ ...stockProfile(17), people: [superadmin ?? ''] }, now),
  )
  await db.insertInto('connectorShare').values({ organisationId, connectorId, guestId: harbour.id }).execute()
}

/** Due immediately, so that the first rows are in the warehouse seconds after the first start. */
async function addWebShop(db: Db, site: TrialSite, now: Date): Promise<void> {
  const id = await addConnector(db, site, {
    type: 'postgres',
    name: 'Web shop',
    schedule: '0 */4 * * *',
    users: [user, guest],
  })
  await insertRuns(db, site.organisationId, id, createPastRuns(shopProfile([0, 4, 8, 12, 16, 20], 11), now))
  await updateConnector(db, { organisationId: site.organisationId, connectorId: id }, { nextRunAt: sql`now()` })
}

async function addStock(db: Db, site: TrialSite, now: Date): Promise<void> {
  const id = await addConnector(db, site, {
    type: 'cin7',
    name: 'Stock and sales',
    schedule: '0 6 * * *',
    users: [user],
  })
  await insertRuns(db, site.organisationId, id, createPastRuns(stockProfile(12), now))
  const connector = { organisationId: site.organisationId, connectorId: id }
  await updateConnector(db, connector, { alertUsers: [admin ?? '', user ?? ''] })
}

/**
 * The source refuses the password because it was changed there: the card shows Forbidden, and the schedule is paused.
 */
async function addArchive(db: Db, site: TrialSite, now: Date): Promise<void> {
  const id = await addConnector(db, site, {
    type: 'postgres',
    name: 'Old shop archive',
    schedule: '0 2 * * *',
    users: [],
    password: 'changed-since',
  })
  const past = createPastRuns(shopProfile([2], 13), now, 9)
  const refusedAt = new Date(Math.floor(now.getTime() / 86_400_000) * 86_400_000 - 8 * 86_400_000 + 2 * 3_600_000)
  await insertRuns(db, site.organisationId, id, [...past, refusedRun(refusedAt)])
  const connector = { organisationId: site.organisationId, connectorId: id }
  await updateConnector(db, connector, { nextRunAt: null, schemaPolicy: 'ask' })
  await insertPendingColumn(db, site.organisationId, id)
}

/** A new column at the source whose adoption needs a decision. */
async function insertPendingColumn(db: Db, organisationId: string, connectorId: string): Promise<void> {
  const change = {
    stream: 'shop.customers',
    tableName: 'shop_customers',
    columnName: 'loyalty_tier',
    before: null,
    after: 'text',
  }
  const foundAt = sql<string>`now() - interval '9 days'`
  await db
    .insertInto('schemaChange')
    .values({ organisationId, connectorId, ...change, status: 'PENDING', foundAt })
    .execute()
}

/** The source has reached its daily limit: the run waits, and counts as stalled after half an hour. */
async function addBranch(db: Db, site: TrialSite, now: Date): Promise<void> {
  const { organisationId } = site
  const connectorId = await addConnector(db, site, {
    type: 'cin7',
    name: 'Branch stock',
    schedule: '30 5 * * *',
    users: [user],
  })
  const profile = { ...stockProfile(14), hours: [5] }
  const waiting = waitingRun(profile, now, dailyLimitFault)
  await insertRuns(db, organisationId, connectorId, [...createPastRuns(profile, now, 1), waiting])
}

async function addLedger(db: Db, site: TrialSite, now: Date): Promise<void> {
  const { organisationId } = site
  const connectorId = await addConnector(db, site, {
    type: 'uniconta',
    name: 'Nordlys ledger',
    schedule: '0 3 * * *',
    users: [user],
  })
  await insertRuns(db, organisationId, connectorId, createPastRuns(ledgerProfile(16), now))
}

/** The first real run begins with the first start. The other companies of the same person can be assigned. */
async function addBooks(db: Db, site: TrialSite, now: Date, company: GrantedCompany): Promise<void> {
  const { organisationId } = site
  const { type, tenantId, name, country, currency, grantId } = company
  const connectorId = await addConnector(db, site, { type: 'xero', name, schedule: '0 6,12,18 * * *', users: [user] })
  const past = createPastRuns(booksProfile(18), now)
  const tenant = { type, tenantId, name, country, currency, grantId, connectedAt: past[0]?.queuedAt ?? now }
  await db
    .insertInto('connectorTenant')
    .values({ connectorId, organisationId, ...tenant })
    .execute()
  await insertRuns(db, organisationId, connectorId, withTieOuts(past, { company: name, currency }))
  await updateConnector(db, { organisationId, connectorId }, { nextRunAt: sql`now()` })
}

async function addSummitShop(db: Db, site: TrialSite, now: Date): Promise<void> {
  const id = await addConnector(db, site, { type: 'postgres', name: 'Summit shop', schedule: '0 5 * * *', users: [] })
  const people = trialPeople
    .filter(({ organisationId }) => organisationId === site.organisationId)
    .map((person) => person.id)
  const past: PastRun[] = createPastRuns({ ...shopProfile([5], 15), people }, now)
  await insertRuns(db, site.organisationId, id, past)
}

interface TrialConnector {
  readonly type: 'postgres' | 'cin7' | 'uniconta' | 'xero'
  readonly name: string
  readonly schedule: string | null
  readonly users: readonly (string | undefined)[]
  readonly password?: string
}

async function addConnector(
  db: Db,
  site: TrialSite,
  { type, name, schedule, users, password }: TrialConnector,
): Promise<string> {
  const settings = withPassword(
    site.services.oauth.types.get(type)?.initialSettings ?? site.services.demo[type] ?? {},
    password,
  )
  const properties = Object.entries({ ...settings, 'portal.user': users.join(' ') }).map(([property, value]) => ({
    name: property,
    value,
  }))
  const id = await createConnector(db, site.services, auditContextOf(site.organisationId), {
    type,
    name,
    schedule,
    properties,
  })
  await grantAllLicences(db, site.organisationId, id, type)
  return id
}

/** Grants every licence that must be bought, so that all streams of a trial are loaded. */
async function grantAllLicences(db: Db, organisationId: string, connectorId: string, type: string): Promise<void> {
  const sold = listBundles(type).filter(({ base }) => !base)
  if (sold.length === 0) return
  const rows = sold.map(({ id }) => ({ organisationId, connectorId, licence: id }))
  await db.insertInto('connectorLicence').values(rows).execute()
}

function withPassword(settings: ConnectorProperties, password: string | undefined): ConnectorProperties {
  if (password === undefined) return settings
  const connection = settings['source.connectionString'] as object
  return { ...settings, 'source.connectionString': { ...connection, password } }
}

/** An actor without a user but with the superadmin's role level, because only superadmins may set schedules. */
function auditContextOf(organisationId: string) {
  return {
    ...systemAuditContext,
    organisationId,
    actor: { userId: null, role: null, sessionId: null, roleLevel: 0 },
  } as const
}
