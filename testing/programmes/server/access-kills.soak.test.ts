/** Kills workers in the middle of applying rights to a warehouse: each named point once as a slice, and many times with `npm run soak`. */
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { createRandom } from '@tributary/sims/random'
import { Client, type ClientConfig } from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { createLoginFor, keepOpen, runAs } from '../../server/access/warehouse-login.ts'
import { testApp, type TestApp } from '../../server/app/test-app.ts'
import { LoadClient, planForLoads, type PlanFixture } from '../../server/excel/load-sheets.ts'
import { addPerson } from '../../server/identity/add-person.ts'
import { type SpawnedWorker, spawnWorker } from '../../server/processes/spawn-worker.ts'
import { generatePassword, scramVerifier } from '../../../server/src/access/warehouse/scram.ts'
import { lockForSession } from '../../../server/src/kernel/store/locks.ts'
import { isFull, printFigure, seed } from '../extent.ts'

/** When the worker dies. */
const moments = [
  'before it changes anything',
  'while it changes roles and rows',
  'between rows and tables',
  'once connections have ended, before that is noted',
  'between a new password and its note',
  'at random',
] as const
type KillMoment = (typeof moments)[number]

const random = createRandom(seed)
const plan = Array.from({ length: isFull ? 60 : moments.length }, (_, at) => ({
  moment: moments[at % moments.length] ?? 'at random',
  afterMs: random.between(0, 400),
}))

const masterKey = randomBytes(32)
const testLock = 7_461_902
let app: TestApp
let database: string
let fixture: PlanFixture
let worker: SpawnedWorker
/** Two people. One reads the rows of the version, and the right moves to the other with each kill. */
const people: { readonly id: string; readonly login: ClientConfig }[] = []
const longestMs: number[] = []

beforeAll(async () => {
  app = await testApp({ keys: { current: masterKey, old: [] } })
  const ids = [app.idOf('user'), (await addPerson(app, { [app.harbour.id]: 'user' })).id]
  fixture = await planForLoads(app, [...ids, app.idOf('admin')])
  const admin = new LoadClient(app.as.admin)
  await admin.load({ versionId: fixture.versionId }, { columns: ['Amount'], rows: [['1'], ['2']] })
  await admin.load({ helperTableId: fixture.ratesId }, { columns: ['Code'], rows: [['EUR']] })
  for (const id of ids) people.push({ id, login: await createLoginFor(app, id) })
  database = people[0]?.login.database ?? ''
  await app.store.across((db) =>
    db
      .deleteFrom('groupUser')
      .where('userId', '=', ids[1] ?? '')
      .execute(),
  )
  worker = await startWorker()
})
afterAll(async () => {
  printFigure(`rights of the store in effect after a killed worker, ms at most: ${Math.max(...longestMs)}`)
  await worker.kill('SIGTERM')
  await app[Symbol.asyncDispose]()
})

test.each(plan)(
  `[SEE-1] [SEE-2] a worker that is killed $moment ($afterMs ms) opens nothing, and the next one applies the rights of the store within 5 s (seed ${seed})`,
  async ({ moment, afterMs }) => {
    const [holder, other] = people
    if (holder === undefined || other === undefined) throw new Error('There are two people.')
    const [revoked, left] = [await addReader(), await addReader()]
    const opened = await Promise.all([holder, revoked, left].map(({ login }) => keepOpen(login)))
    const password = generatePassword()
    await settled()
    await using held = await holds[moment](holder)
    await app.store.across(async (db) => {
      await db.updateTable('groupUser').set({ userId: other.id }).where('userId', '=', holder.id).execute()
      const principal = (id: string) => db.updateTable('warehousePrincipal').where('userId', '=', id)
      await principal(holder.id)
        .set({ sqlVerifier: scramVerifier(password) })
        .execute()
      await principal(revoked.id).set({ sqlVerifier: null, sqlCreatedAt: null }).execute()
      await db.deleteFrom('membership').where('userId', '=', left.id).execute()
    })
    await held.reached()
    await sleep(afterMs)
    await worker.kill('SIGKILL')
    await held.release()

    const rotated = { ...holder.login, password }
    expect([[], codes, [...codes, ...amounts]]).toContainEqual(await readsOf(holder.login))
    expect([[], codes]).toContainEqual(await readsOf(rotated))
    expect([codes, [...codes, ...amounts]]).toContainEqual(await readsOf(other.login))
    for (const { login } of [revoked, left]) expect([[], codes]).toContainEqual(await readsOf(login))

    worker = await startWorker()
    const startedAt = performance.now()
    const state = async () => ({
      former: await readsOf(holder.login),
      rotated: await readsOf(rotated),
      other: await readsOf(other.login),
      revoked: await readsOf(revoked.login),
      left: await readsOf(left.login),
    })
    const wanted = { former: [], rotated: codes, other: [...codes, ...amounts], revoked: [], left: [] }
    while (JSON.stringify(await state()) !== JSON.stringify(wanted) && performance.now() - startedAt < 5_000)
      await sleep(50)
    expect(await state()).toEqual(wanted)
    longestMs.push(Math.round(performance.now() - startedAt))
    for (const { ended } of opened) await ended
    people.splice(0, 2, other, { id: holder.id, login: rotated })
  },
  120_000,
)

const codes = ['EUR']
const amounts = ['1', '2']

/** What a login reads. Nothing, if it is refused. */
async function readsOf(login: ClientConfig): Promise<readonly string[]> {
  return [
    ...(await read(login, 'SELECT "Code" AS value FROM excel."B2SRates"')),
    ...(await read(login, 'SELECT "Amount"::int AS value FROM excel."B2SBudget2026" ORDER BY 1')),
  ]
}

async function read(login: ClientConfig, text: string): Promise<readonly string[]> {
  try {
    return (await runAs(login, text)).map(({ value }) => String(value))
  } catch (error) {
    const reason = String(error)
    // The keeper has ended this very connection.
    if (/terminat/u.test(reason)) return read(login, text)
    if (/permission denied|authentication failed|does not exist|not permitted to log in/u.test(reason)) return []
    throw error
  }
}

/** A new person who reads the helper table. */
async function addReader() {
  const { id } = await addPerson(app, { [app.harbour.id]: 'user' })
  const row = { organisationId: app.harbour.id, userId: id, helperTableId: fixture.ratesId }
  await app.store.within(app.harbour.id, (db) => db.insertInto('helperTableUser').values(row).execute())
  return { id, login: await createLoginFor(app, id) }
}

function startWorker(): Promise<SpawnedWorker> {
  const { connection, services } = app
  const allowHosts = [inject('postgres'), inject('mariadb')].map(({ host, port }) => `${host}:${port}`)
  return spawnWorker({
    connection,
    warehouse: services.warehouse,
    masterKey: masterKey.toString('base64'),
    allowHosts,
    options: {},
  })
}

/** Until a worker has applied every change. */
async function settled(): Promise<void> {
  const count = () => app.store.across((db) => db.selectFrom('accessChange').select('id').execute())
  while ((await count()).length > 0) await sleep(50)
}

/** Keeps the worker at a point until it is released. */
interface HeldPoint extends AsyncDisposable {
  readonly reached: () => Promise<void>
  readonly release: () => Promise<void>
}

const holds: Readonly<Record<KillMoment, (holder: { readonly login: ClientConfig }) => Promise<HeldPoint>>> = {
  'before it changes anything': () =>
    hold(app.services.warehouse.admin, (client) => lockForSession(client, 'warehouse', { subject: database })),
  'while it changes roles and rows': ({ login }) =>
    hold(inWarehouse(), (client) =>
      client.query('SELECT FROM tributary_access.reader WHERE $1 = ANY (logins) FOR UPDATE', [login.user]),
    ),
  'between rows and tables': () =>
    hold(inWarehouse(), (client) => client.query('LOCK TABLE excel."B2SBudget2026" IN ACCESS EXCLUSIVE MODE')),
  'once connections have ended, before that is noted': () =>
    hold(inWarehouse(), (client) =>
      waitIn(client, 'reader', 'UPDATE', 'OLD.revoked_at IS NOT NULL AND NEW.revoked_at IS NULL'),
    ),
  'between a new password and its note': () =>
    hold(inWarehouse(), (client) => waitIn(client, 'password', 'UPDATE', 'true')),
  'at random': () => {
    const nothing = () => Promise.resolve()
    return Promise.resolve({ reached: nothing, release: nothing, [Symbol.asyncDispose]: nothing })
  },
}

function inWarehouse(): ClientConfig {
  return { ...app.services.warehouse.admin, database }
}

/** Statements on a table of the rights wait for the test. */
async function waitIn(client: Client, table: string, statement: string, condition: string): Promise<void> {
  await client.query(
    `COMMIT; CREATE OR REPLACE FUNCTION tributary_access.wait_for_test() RETURNS trigger LANGUAGE plpgsql AS $$
       BEGIN PERFORM pg_advisory_xact_lock(${testLock}); RETURN NEW; END $$;
     CREATE OR REPLACE TRIGGER wait_for_test BEFORE ${statement} ON tributary_access.${table}
       FOR EACH ROW WHEN (${condition}) EXECUTE FUNCTION tributary_access.wait_for_test();
     SELECT pg_advisory_lock(${testLock})`,
  )
}

async function hold(connection: ClientConfig, take: (client: Client) => Promise<unknown>): Promise<HeldPoint> {
  const client = new Client(connection)
  await client.connect()
  await client.query('BEGIN')
  await take(client)
  const isReached = async () => {
    const [found] = await runAs(
      app.services.warehouse.admin,
      `SELECT EXISTS (SELECT FROM pg_stat_activity WHERE application_name = 'tributary warehouse' AND wait_event_type = 'Lock') AS waits`,
    )
    return found?.['waits'] === true
  }
  let isReleased = false
  const release = async () => {
    if (isReleased) return
    isReleased = true
    await client.end()
    await runAs(inWarehouse(), 'DROP FUNCTION IF EXISTS tributary_access.wait_for_test CASCADE')
  }
  return {
    async reached() {
      while (!(await isReached())) await sleep(20)
    },
    release,
    [Symbol.asyncDispose]: release,
  }
}
