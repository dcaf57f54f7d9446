/** The connectors that trial mode starts with, each with a past, and one of every state that a card can show. */
import type { Properties } from '@tributary/engine/source'
import { sql } from 'kysely'
import { createConnector, type Hand } from '../features/connectors/save.ts'
import type { Actor } from '../platform/actor.ts'
import { byItself } from '../platform/audit.ts'
import type { Parts } from '../platform/parts.ts'
import type { Db } from '../platform/store.ts'
import { type Habit, type PastRun, pastRuns, refused } from './history.ts'
import { trialOrganisations, trialPeople } from './people.ts'
import { insertRuns } from './past-rows.ts'

const [harbour, summit] = trialOrganisations
const [superadmin, , admin, user, guest] = trialPeople.map(({ id }) => id)

export async function seedConnectors(parts: Parts): Promise<void> {
  const now = new Date(parts.clock.now())
  await parts.store.within(harbour.id, async (db) => {
    await addWebShop(db, handIn(parts, harbour.id), now)
    await addStock(db, handIn(parts, harbour.id), now)
    await addArchive(db, handIn(parts, harbour.id), now)
    await addBranch(db, handIn(parts, harbour.id), now)
  })
  await parts.store.within(summit.id, (db) => addSummitShop(db, handIn(parts, summit.id), now))
}

/** Due at once, so that the first rows are in the warehouse a moment after the first start. */
async function addWebShop(db: Db, hand: Hand, now: Date): Promise<void> {
  const id = await add(db, hand, { type: 'postgres', name: 'Web shop', schedule: '0 */4 * * *', users: [user, guest] })
  await insertRuns(db, hand.organisationId, id, pastRuns(shop([0, 4, 8, 12, 16, 20], 11), now))
  await db
    .updateTable('connector')
    .set({ nextRunAt: sql`now()` })
    .where('organisationId', '=', hand.organisationId)
    .where('id', '=', id)
    .execute()
}

async function addStock(db: Db, hand: Hand, now: Date): Promise<void> {
  const id = await add(db, hand, { type: 'cin7', name: 'Stock and sales', schedule: '0 6 * * *', users: [user] })
  await insertRuns(db, hand.organisationId, id, pastRuns(stock(12), now))
}

/** Somebody has changed the password at the source: Forbidden, and the schedule waits. */
async function addArchive(db: Db, hand: Hand, now: Date): Promise<void> {
  const id = await add(db, hand, {
    type: 'postgres',
    name: 'Old shop archive',
    schedule: '0 2 * * *',
    users: [],
    password: 'changed-since',
  })
  const past = pastRuns(shop([2], 13), now, 9)
  const refusedAt = new Date(Math.floor(now.getTime() / 86_400_000) * 86_400_000 - 8 * 86_400_000 + 2 * 3_600_000)
  await insertRuns(db, hand.organisationId, id, [...past, refused(refusedAt)])
  await db
    .updateTable('connector')
    .set({ nextRunAt: null })
    .where('organisationId', '=', hand.organisationId)
    .where('id', '=', id)
    .execute()
}

/** The source has had enough for today: the run waits, and after half an hour it counts as stalled. */
async function addBranch(db: Db, hand: Hand, now: Date): Promise<void> {
  const { organisationId } = hand
  const connectorId = await add(db, hand, { type: 'cin7', name: 'Branch stock', schedule: '30 5 * * *', users: [user] })
  await insertRuns(db, organisationId, connectorId, pastRuns({ ...stock(14), hours: [5] }, now, 1))
  const notice = 'Cin7 Core has answered as many calls as it allows in a day. The run goes on by itself when the day there is over.'
  await db
    .insertInto('run')
    .values({
      organisationId,
      connectorId,
      status: 'WAITING',
      mode: 'full',
      trigger: 'person',
      triggeredBy: admin ?? null,
      queuedAt: sql`now() - interval '2 hours'`,
      startedAt: sql`now() - interval '2 hours'`,
      retryAt: sql`now() + interval '9 hours'`,
      faultKind: 'busy',
      faultCode: 'cin7.daily_limit',
      notice,
    })
    .execute()
}

async function addSummitShop(db: Db, hand: Hand, now: Date): Promise<void> {
  const id = await add(db, hand, { type: 'postgres', name: 'Summit shop', schedule: '0 5 * * *', users: [] })
  const people = trialPeople.filter(({ organisationId }) => organisationId === hand.organisationId).map((person) => person.id)
  const past: PastRun[] = pastRuns({ ...shop([5], 15), people }, now)
  await insertRuns(db, hand.organisationId, id, past)
}

interface Addition {
  readonly type: 'postgres' | 'cin7'
  readonly name: string
  readonly schedule: string
  readonly users: readonly (string | undefined)[]
  readonly password?: string
}

async function add(db: Db, hand: Hand, { type, name, schedule, users, password }: Addition): Promise<string> {
  const settings = withPassword(hand.parts.demo[type] ?? {}, password)
  const properties = Object.entries({ ...settings, 'portal.user': users.join(' ') }).map(([property, value]) => ({ name: property, value }))
  return createConnector(db, hand, { type, name, schedule, properties })
}

function withPassword(settings: Properties, password: string | undefined): Properties {
  if (password === undefined) return settings
  const connection = settings['source.connectionString'] as object
  return { ...settings, 'source.connectionString': { ...connection, password } }
}

/** Made by the superadmin, who alone may set schedules. */
function handIn(parts: Parts, organisationId: string): Hand {
  const actor: Actor = {
    userId: superadmin ?? '',
    sessionId: '',
    firstName: 'Tributary',
    lastName: 'Trial',
    emailAddress: '',
    role: 'superadmin',
    roleLevel: 0,
    organisationId,
    memberships: {},
    providerRole: 'superadmin',
  }
  return { parts, actor, organisationId, origin: byItself }
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
    reject: {
      table: 'shop_orders',
      column: 'placed_at',
      reason: 'The time lies beyond what the target can store.',
      row: { id: '4711', customer_id: '86', status: 'paid', placed_at: '294276-12-31 23:59:59+00', total: '119.90' },
    },
  }
}

function stock(seed: number): Habit {
  const names = ['account', 'tax', 'customer', 'supplier', 'product', 'productavailability', 'location', 'saleList', 'purchaseList']
  const rows = [90, 12, 140, 35, 260, 780, 4, 640, 210]
  return {
    seed,
    hours: [6],
    people: [admin ?? ''],
    seconds: 38,
    streams: names.map((name, index) => ({ name, table: name, rows: rows[index] ?? 10, changes: Math.ceil((rows[index] ?? 10) / 30) })),
  }
}
