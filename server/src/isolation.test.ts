import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { TestClient } from './platform/testing/client.ts'
import { addressOf, bodyOf, everyRoute, insertThings, paramsOf, type Things } from './platform/testing/every-route.ts'
import { testApp, type TestApp } from './platform/testing/test-app.ts'
import { WithoutFilter } from './platform/testing/without-filter.ts'
import { trialPassword } from './trial/people.ts'

/** What belongs to an organisation: none of it may change, or be told, whatever a stranger sends. */
const tables = [
  'organisation',
  'membership',
  'connector',
  'connector_property',
  'connector_user',
  'run',
  'run_stream',
  'run_line',
  'run_rejected',
  'warehouse',
  'data_key',
]
const strangers = ['admin', 'user', 'guest'] as const
const scoped = everyRoute.filter(({ route }) => route.scope !== 'none')
/** Each foreign thing by itself, with everything else one's own, and all of them together. */
const swaps: readonly (readonly (keyof Things)[])[] = [
  ['clientId'],
  ['clientKey'],
  ['connectorId'],
  ['connectorKey'],
  ['runId'],
  ['connectorId', 'runId'],
  ['clientKey', 'connectorKey'],
  ['clientId', 'clientKey', 'connectorId', 'connectorKey', 'runId'],
]

describe.each([
  { mode: 'with the application’s filter', plugin: undefined },
  { mode: 'by row level security alone', plugin: new WithoutFilter() },
])('no stranger reaches what is another organisation’s, $mode', ({ plugin }) => {
  let app: TestApp
  let theirs: Things
  let own: Things
  let clients: Readonly<Record<(typeof strangers)[number], TestClient>>
  beforeAll(async () => {
    app = await testApp(plugin === undefined ? {} : { plugins: [plugin] })
    theirs = await insertThings(app, app.harbour, app.idOf('user'))
    own = await insertThings(app, app.summit, app.idOf('otherAdmin'))
    clients = { admin: app.as.otherAdmin, user: await join('user'), guest: await join('guest') }
  })
  afterAll(() => app[Symbol.asyncDispose]())

  /** Somebody of Summit Foods with that role, to whom its connector is assigned. */
  async function join(role: 'user' | 'guest'): Promise<TestClient> {
    const emailAddress = `${role}@other.example`
    const organisationId = app.summit.id
    await app.store.across(async (db) => {
      const { passwordHash } = await db
        .selectFrom('portalUser')
        .select('passwordHash')
        .where('id', '=', app.idOf('otherAdmin'))
        .executeTakeFirstOrThrow()
      const { id: roleId } = await db.selectFrom('role').select('id').where('name', '=', role).executeTakeFirstOrThrow()
      const person = { firstName: 'Summit', lastName: role, emailAddress, passwordHash }
      const { id: userId } = await db.insertInto('portalUser').values(person).returning('id').executeTakeFirstOrThrow()
      await db.insertInto('membership').values({ organisationId, userId, roleId }).execute()
      await db.insertInto('connectorUser').values({ organisationId, connectorId: own.connectorId, userId }).execute()
    })
    return new TestClient(app.http, { emailAddress, password: trialPassword })
  }

  /** Everything that is Harbour Trading's, as the superuser sees it. */
  async function everythingOfTheirs(): Promise<string> {
    const client = new pg.Client(app.connection)
    await client.connect()
    await client.query(`SET tributary.organisation = '${theirs.clientId}'`)
    const found = []
    for (const table of tables) found.push((await client.query(`SELECT * FROM ${table} AS row ORDER BY row::text`)).rows)
    await client.end()
    return JSON.stringify(found)
  }

  test.each(strangers)('%s', async (role) => {
    const before = await everythingOfTheirs()
    const secretsOfTheirs = [theirs.clientId, theirs.connectorId, theirs.runId, theirs.connectorKey, 'Harbour', 'demo.example']
    for (const named of scoped) {
      const takes = paramsOf(named)
      const fitting = swaps.filter(
        (swap) => swap.every((name) => takes.includes(name) || (name === 'clientId' && named.route.scope === 'query')) || swap.length > 2,
      )
      for (const swap of fitting) {
        const mixed = { ...own, ...Object.fromEntries(swap.map((name) => [name, theirs[name]])) }
        const reply = await clients[role].send(named.route.method, addressOf(named, mixed), bodyOf(named))
        expect([named.name, swap, [403, 404].includes(reply.status), reply.status]).toEqual([named.name, swap, true, reply.status])
      }
      if (named.route.method !== 'GET') continue
      const reply = await clients[role].send('GET', addressOf(named, own))
      const text = JSON.stringify(reply.body)
      expect(secretsOfTheirs.filter((secret) => text.includes(secret))).toEqual([])
    }
    expect(await everythingOfTheirs()).toBe(before)
    if (plugin !== undefined) expect(plugin.erased).toBeGreaterThan(20)
  })
})

test('without the setting of a transaction nothing is seen, and with one organisation’s nothing can be put into another', async () => {
  await using app = await testApp()
  await insertThings(app, app.harbour, app.idOf('user'))
  const client = new pg.Client(app.connection)
  await client.connect()
  for (const table of tables) expect((await client.query(`SELECT FROM ${table}`)).rowCount).toBe(0)
  const move = `UPDATE connector SET organisation_id = '${app.summit.id}'`
  await client.query(`SET tributary.organisation = '${app.harbour.id}'`)
  await expect(client.query(move)).rejects.toThrow('row-level security')
  await client.query(`SET tributary.organisation = '${app.summit.id}'`)
  expect((await client.query(move)).rowCount).toBe(0)
  await client.end()
})
