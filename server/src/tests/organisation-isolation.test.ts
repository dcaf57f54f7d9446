import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addPerson } from '@tributary/testing/server/identity/add-person.ts'
import type { TestClient } from '@tributary/testing/server/app/client.ts'
import {
  addressOf,
  bodyOf,
  everyRoute,
  insertFixtures,
  namesIn,
  type RouteFixtures,
} from '@tributary/testing/server/app/every-route.ts'
import { structureNames } from '@tributary/testing/server/excel/structure-fixtures.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'
import { RemoveTenantFilter } from '@tributary/testing/server/app/remove-tenant-filter.ts'

/**
 * The tables with an organisation's records, which requests from another organisation must neither change nor reveal.
 */
async function tablesOfOrganisations(client: pg.Client): Promise<readonly string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.columns
     WHERE table_schema = current_schema() AND column_name = 'organisation_id' AND table_name <> ALL ($1) ORDER BY 1`,
    [personal],
  )
  return ['organisation', ...rows.map(({ name }) => name)]
}

/** Tables with records of a person. */
const personal = ['session', 'device', 'passkey']
const strangers = ['admin', 'user', 'guest'] as const
/** Parameters for records of a person or of the provider. Their routes have no organisation. */
const owned = ['deviceId', 'passkeyId', 'sessionId', 'tokenId'] as const satisfies readonly (keyof RouteFixtures)[]
const reachable = everyRoute.filter(
  (named) => named.route.scope !== 'none' || owned.some((name) => namesIn(named).includes(name)),
)
/** The parameters to replace with foreign values: each alone, some pairs, and all of them. */
const substitutions: readonly (readonly (keyof RouteFixtures)[])[] = [
  ['clientId'],
  ['clientKey'],
  ['connectorId'],
  ['connectorKey'],
  ['runId'],
  ['userId'],
  ['invitationId'],
  ['approvalId'],
  ['authorisationId'],
  ['appId'],
  ['channelId'],
  ['accessTokenId'],
  ['serviceAccountId'],
  ...structureNames.map((name) => [name]),
  ['loadId'],
  ...owned.map((name) => [name]),
  ['connectorId', 'runId'],
  ['clientKey', 'connectorKey'],
  [
    ...([
      'clientId',
      'clientKey',
      'connectorId',
      'connectorKey',
      'runId',
      'userId',
      'invitationId',
      'approvalId',
      'loadId',
      'channelId',
      'accessTokenId',
      'serviceAccountId',
    ] as const),
    ...structureNames,
    ...owned,
  ],
]

describe.each([
  { mode: 'with the application’s filter', plugin: undefined },
  { mode: 'by row level security alone', plugin: new RemoveTenantFilter() },
])('a member of another organisation cannot reach foreign records, $mode', ({ plugin }) => {
  let app: TestApp
  let theirs: RouteFixtures
  let own: RouteFixtures
  let clients: Readonly<Record<(typeof strangers)[number], TestClient>>
  beforeAll(async () => {
    app = await testApp(plugin === undefined ? {} : { plugins: [plugin] })
    theirs = await insertFixtures(app, app.harbour, app.idOf('user'))
    own = await insertFixtures(app, app.summit, app.idOf('otherAdmin'))
    clients = { admin: app.as.otherAdmin, user: await join('user'), guest: await join('guest') }
  })
  afterAll(() => app[Symbol.asyncDispose]())

  /** Adds a person with that role to Summit Foods, and assigns its connector to them. */
  async function join(role: 'user' | 'guest'): Promise<TestClient> {
    const organisationId = app.summit.id
    const { id: userId, client } = await addPerson(app, { [organisationId]: role })
    const { connectorId } = own
    await app.store.within(organisationId, (db) =>
      db.insertInto('connectorUser').values({ organisationId, connectorId, userId }).execute(),
    )
    return client
  }

  /** Returns all records of Harbour Trading, read as the superuser. */
  async function readForeignRecords(): Promise<string> {
    const client = new pg.Client(app.connection)
    await client.connect()
    await client.query(`SET tributary.organisation = '${theirs.clientId}'`)
    const records = []
    for (const table of await tablesOfOrganisations(client))
      records.push((await client.query(`SELECT * FROM ${table} AS row ORDER BY row::text`)).rows)
    // People belong to no organisation, but its members must not change either.
    records.push(
      (await client.query('SELECT portal_user.* FROM portal_user JOIN membership ON user_id = id ORDER BY id')).rows,
    )
    for (const table of personal)
      records.push(
        (await client.query(`SELECT row.* FROM ${table} AS row JOIN membership USING (user_id) ORDER BY row.id`)).rows,
      )
    await client.end()
    return JSON.stringify(records)
  }

  test.each(strangers)('%s', async (role) => {
    for (const name of owned)
      expect([name, reachable.some((named) => namesIn(named).includes(name))]).toEqual([name, true])
    const before = await readForeignRecords()
    const foreignValues = [
      ...Object.values(theirs).filter((value) => !Object.values(own).includes(value)),
      'Harbour',
      'demo.example',
    ]
    for (const named of reachable) {
      const parameters = namesIn(named)
      const applicable = substitutions.filter(
        (substitution) => substitution.every((name) => parameters.includes(name)) || substitution.length > 2,
      )
      for (const substitution of applicable) {
        const mixed = { ...own, ...Object.fromEntries(substitution.map((name) => [name, theirs[name]])) }
        const reply = await clients[role].send(named.route.method, addressOf(named, mixed), bodyOf(named, mixed))
        expect([named.name, substitution, [403, 404].includes(reply.status), reply.status]).toEqual([
          named.name,
          substitution,
          true,
          reply.status,
        ])
      }
      if (named.route.method !== 'GET' || named.route.scope === 'none') continue
      const reply = await clients[role].send('GET', addressOf(named, own))
      const text = JSON.stringify(reply.body)
      expect(foreignValues.filter((value) => text.includes(value))).toEqual([])
    }
    expect(await readForeignRecords()).toBe(before)
    if (plugin !== undefined) expect(plugin.removedFilters).toBeGreaterThan(20)
  })
})

test('without the transaction’s setting no row is visible, and with one organisation’s setting no row can be moved to another', async () => {
  await using app = await testApp()
  await insertFixtures(app, app.harbour, app.idOf('user'))
  const client = new pg.Client(app.connection)
  await client.connect()
  const tables = await tablesOfOrganisations(client)
  expect(tables.length).toBeGreaterThan(40)
  for (const table of tables) expect((await client.query(`SELECT FROM ${table}`)).rowCount).toBe(0)
  const move = `UPDATE connector SET organisation_id = '${app.summit.id}'`
  await client.query(`SET tributary.organisation = '${app.harbour.id}'`)
  await expect(client.query(move)).rejects.toThrow('row-level security')
  await client.query(`SET tributary.organisation = '${app.summit.id}'`)
  expect((await client.query(move)).rowCount).toBe(0)
  await client.end()
})
