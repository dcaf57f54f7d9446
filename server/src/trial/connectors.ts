/** The connectors that trial mode starts with, each with a past, and one of every state that a card can show. */
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
import { type Habit, type PastRun, pastRuns, refused, waiting } from './history.ts'
import { dayIsFull } from './past-faults.ts'
import { trialOrganisations, trialPeople } from './people.ts'
import { insertRuns } from './past-rows.ts'
import { withTieOuts } from './past-tie-outs.ts'
import { openCompanies, type TrialXeroServices } from './xero.ts'

export type TrialConnectorServices = Pick<AppServices, 'clock' | 'demo' | 'oauth' | 'store'> &
  SaveConnectorServices &
  TrialXeroServices

const [harbour, summit] = trialOrganisations
const [superadmin, , admin, user, guest] = trialPeople.map(({ id }) => id)

/** @param xero whose companies the trial's books are. */
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
  // Across: what is shared belongs to two organisations.
  await services.store.across((db) => addShared(db, { services, organisationId: quayside.id }, now))
}

/** Where a connector is added. */
interface TrialSite {
  readonly services: TrialConnectorServices
  readonly organisationId: string
}

/** A group that nobody of the trial belongs to; it shares its connector with the first organisation. */
const quayside = {
  id: '00000000-0000-4000-8000-000000000103',
  companyName: 'Quayside Group',
  key: 'quayside-group',
  timeZone: 'Europe/London',
}

async function addShared(db: Db, site: TrialSite, now: Date): Promise<void> {
  const { organisationId } = site
  await db.insertInto('organisation').values(quayside).execute()
  const connectorId = await add(db, site, { type: 'cin7', name: 'Quayside stock', schedule: null, users: [] })
  await insertRuns(db, organisationId, connectorId, pastRuns({ ...stock(17), people: [superadmin ?? ''] }, now))
  await db.insertInto('connectorShare').values({ organisationId, connectorId, guestId: harbour.id }).execute()
}

/** Due at once, so that the first rows are in the warehouse a moment after the first start. */
async function addWebShop(db: Db, site: TrialSite, now: Date): Promise<void> {
  const id = await add(db, site, { type: 'postgres', name: 'Web shop', schedule: '0 */4 * * *', users: [user, guest] })
  await insertRuns(db, site.organisationId, id, pastRuns(shop([0, 4, 8, 12, 16, 20], 11), now))
  await updateConnector(db, { organisationId: site.organisationId, connectorId: id }, { nextRunAt: sql`now()` })
}

async function addStock(db: Db, site: TrialSite, now: Date): Promise<void> {
  const id = await add(db, site, { type: 'cin7', name: 'Stock and sales', schedule: '0 6 * * *', users: [user] })
  await insertRuns(db, site.organisationId, id, pastRuns(stock(12), now))
  const connector = { organisationId: site.organisationId, connectorId: id }
  await updateConnector(db, connector, { alertUsers: [admin ?? '', user ?? ''] })
}

/** Somebody has changed the password at the source: Forbidden, and the schedule waits. */
async function addArchive(db: Db, site: TrialSite, now: Date): Promise<void> {
  const id = await add(db, site, {
    type: 'postgres',
    name: 'Old shop archive',
    schedule: '0 2 * * *',
    users: [],
    password: 'changed-since',
  })
  const past = pastRuns(shop([2], 13), now, 9)
  const refusedAt = new Date(Math.floor(now.getTime() / 86_400_000) * 86_400_000 - 8 * 86_400_000 + 2 * 3_600_000)
  await insertRuns(db, site.organisationId, id, [...past, refused(refusedAt)])
  const connector = { organisationId: site.organisationId, connectorId: id }
  await updateConnector(db, connector, { nextRunAt: null, schemaPolicy: 'ask' })
  await askAboutColumn(db, site.organisationId, id)
}

/** A column that appeared at the source and waits for somebody's word. */
async function askAboutColumn(db: Db, organisationId: string, connectorId: string): Promise<void> {
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

/** The source has had enough for today: the run waits, and after half an hour it counts as stalled. */
async function addBranch(db: Db, site: TrialSite, now: Date): Promise<void> {
  const { organisationId } = site
  const connectorId = await add(db, site, { type: 'cin7', name: 'Branch stock', schedule: '30 5 * * *', users: [user] })
  const habit = { ...stock(14), hours: [5] }
  await insertRuns(db, organisationId, connectorId, [...pastRuns(habit, now, 1), waiting(habit, now, dayIsFull)])
}

async function addLedger(db: Db, site: TrialSite, now: Date): Promise<void> {
  const { organisationId } = site
  const connectorId = await add(db, site, {
    type: 'uniconta',
    name: 'Nordlys ledger',
    schedule: '0 3 * * *',
    users: [user],
  })
  await insertRuns(db, organisationId, connectorId, pastRuns(ledger(16), now))
}

/** Its first real run comes with the first start; the other companies of the same person are there to be assigned. */
async function addBooks(db: Db, site: TrialSite, now: Date, company: GrantedCompany): Promise<void> {
  const { organisationId } = site
  const { type, tenantId, name, country, currency, grantId } = company
  const connectorId = await add(db, site, { type: 'xero', name, schedule: '0 6,12,18 * * *', users: [user] })
  const past = pastRuns(booksHabit(18), now)
  const tenant = { type, tenantId, name, country, currency, grantId, connectedAt: past[0]?.queuedAt ?? now }
  await db
    .insertInto('connectorTenant')
    .values({ connectorId, organisationId, ...tenant })
    .execute()
  await insertRuns(db, organisationId, connectorId, withTieOuts(past, { company: name, currency }))
  await updateConnector(db, { organisationId, connectorId }, { nextRunAt: sql`now()` })
}

async function addSummitShop(db: Db, site: TrialSite, now: Date): Promise<void> {
  const id = await add(db, site, { type: 'postgres', name: 'Summit shop', schedule: '0 5 * * *', users: [] })
  const people = trialPeople
    .filter(({ organisationId }) => organisationId === site.organisationId)
    .map((person) => person.id)
  const past: PastRun[] = pastRuns({ ...shop([5], 15), people }, now)
  await insertRuns(db, site.organisationId, id, past)
}

interface Addition {
  readonly type: 'postgres' | 'cin7' | 'uniconta' | 'xero'
  readonly name: string
  readonly schedule: string | null
  readonly users: readonly (string | undefined)[]
  readonly password?: string
}

async function add(db: Db, site: TrialSite, { type, name, schedule, users, password }: Addition): Promise<string> {
  const settings = withPassword(
    site.services.oauth.types.get(type)?.initialSettings ?? site.services.demo[type] ?? {},
    password,
  )
  const properties = Object.entries({ ...settings, 'portal.user': users.join(' ') }).map(([property, value]) => ({
    name: property,
    value,
  }))
  const id = await createConnector(db, site.services, contextIn(site.organisationId), {
    type,
    name,
    schedule,
    properties,
  })
  await grantEverything(db, site.organisationId, id, type)
  return id
}

/** In the trial everything flows. */
async function grantEverything(db: Db, organisationId: string, connectorId: string, type: string): Promise<void> {
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

/** Without a person, but with the rights of the superadmin, because only they may set schedules. */
function contextIn(organisationId: string) {
  return {
    ...systemAuditContext,
    organisationId,
    actor: { userId: null, role: null, sessionId: null, roleLevel: 0 },
  } as const
}

function shop(hours: readonly number[], seed: number): Habit {
  return {
    seed,
    hours,
    people: [admin ?? '', user ?? ''],
    seconds: 6,
    streams: [
      { name: 'shop.customers', table: 'shop_customers', rows: 2_000, changes: 9 },
      { name: 'shop.order_lines', table: 'shop_order_lines', rows: 36_000, changes: 140 },
      { name: 'shop.orders', table: 'shop_orders', rows: 12_000, changes: 55 },
      { name: 'shop.products', table: 'shop_products', rows: 400, changes: 12 },
    ],
    grown: { stream: 'shop.orders', table: 'shop_orders', column: 'note', type: 'text' },
    reject: {
      table: 'shop_orders',
      column: 'placed_at',
      reason: 'The time lies beyond what the target can store.',
      row: { id: '4711', customer_id: '86', status: 'paid', placed_at: '294276-12-31 23:59:59+00', total: '119.90' },
    },
  }
}

function stock(seed: number): Habit {
  const names = [
    'account',
    'tax',
    'customer',
    'supplier',
    'product',
    'productavailability',
    'location',
    'saleList',
    'purchaseList',
  ]
  const rows = [90, 12, 140, 35, 260, 780, 4, 640, 210]
  return {
    seed,
    hours: [6],
    people: [admin ?? ''],
    seconds: 38,
    streams: names.map((name, index) => ({
      name,
      table: name,
      rows: rows[index] ?? 10,
      changes: Math.ceil((rows[index] ?? 10) / 30),
    })),
  }
}

function ledger(seed: number): Habit {
  const streams = [
    { name: 'DebtorClient', table: 'debtor', rows: 60, changes: 2 },
    { name: 'InvItemClient', table: 'inv_item', rows: 60, changes: 2 },
    { name: 'GLTransClient', table: 'gl_trans', rows: 860, changes: 12 },
    { name: 'DebtorInvoiceClient', table: 'debtor_invoice', rows: 195, changes: 3 },
    { name: 'DebtorInvoiceLines', table: 'debtor_invoice_lines', rows: 580, changes: 9 },
    { name: 'InvTransClient', table: 'inv_trans', rows: 670, changes: 10 },
  ]
  return { seed, hours: [3], people: [admin ?? '', user ?? ''], seconds: 9, streams }
}

function booksHabit(seed: number): Habit {
  const streams = [
    { name: 'Accounts', table: 'account', rows: 60, changes: 1 },
    { name: 'Contacts', table: 'contact', rows: 80, changes: 2 },
    { name: 'Items', table: 'item', rows: 20, changes: 1 },
    { name: 'Invoices', table: 'invoice', rows: 400, changes: 6 },
    { name: 'CreditNotes', table: 'credit_note', rows: 20, changes: 1 },
    { name: 'Payments', table: 'payment', rows: 330, changes: 5 },
    { name: 'BankTransactions', table: 'bank_transaction', rows: 120, changes: 3 },
    { name: 'ManualJournals', table: 'manual_journal', rows: 30, changes: 1 },
    { name: 'Reports/TrialBalance', table: 'report_trial_balance', rows: 300, changes: 4 },
  ]
  return { seed, hours: [6, 12, 18], people: [admin ?? '', user ?? ''], seconds: 14, streams }
}
