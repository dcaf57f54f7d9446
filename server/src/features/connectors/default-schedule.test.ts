import { connectors } from '@tributary/contract/connectors'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type SourceDatabase, sourceDatabase } from '@tributary/testing/server/connectors/source-database.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'
import { openXeroApp } from '@tributary/testing/server/connectors/xero-app.ts'

let app: TestApp
let source: SourceDatabase

beforeAll(async () => {
  app = await testApp({ env: { TRIBUTARY_DEFAULT_SCHEDULE: '15 5 * * 1-5' } })
  source = await sourceDatabase('CREATE TABLE invoice (id int PRIMARY KEY)')
})
afterAll(() => app[Symbol.asyncDispose]())

const params = () => ({ clientId: app.harbour.id })

async function add(who: 'admin' | 'superadmin', name: string, more: { readonly schedule?: string | null } = {}) {
  const properties = [{ name: 'source.connectionString', value: source.settings }]
  return app.as[who].call(connectors.create, {
    params: params(),
    body: { type: 'postgres', name, properties, ...more },
  })
}

const timeZone = (zone: string) =>
  app.store.across((db) =>
    db.updateTable('organisation').set({ timeZone: zone }).where('id', '=', app.harbour.id).execute(),
  )

test('a connector created without a schedule gets the default one, in the organisation’s time zone', async () => {
  await timeZone('Asia/Kolkata')
  const { status, body } = await add('admin', 'Unnamed')
  expect(status).toBe(201)
  expect(body).toMatchObject({ Schedule: '15 5 * * 1-5', NextRunAtUtc: expect.stringMatching(/T23:45:00\.000Z$/) })
  await timeZone('Europe/London')
})

test.each(['', null])('the schedule %j means manual runs only, for every role', async (schedule) => {
  for (const who of ['admin', 'superadmin'] as const) {
    const { status, body } = await add(who, `By hand ${who} ${String(schedule)}`, { schedule })
    expect({ status, body }).toMatchObject({ status: 201, body: { Schedule: null, NextRunAtUtc: null } })
  }
})

test('[MAN-8] only a superadmin adds a connector with a schedule of its own', async () => {
  expect((await add('admin', 'Own schedule', { schedule: '0 1 * * *' })).status).toBe(403)
  expect((await add('superadmin', 'Own schedule', { schedule: '0 1 * * *' })).body).toMatchObject({
    Schedule: '0 1 * * *',
  })
})

test('an existing connector without a schedule stays manual when it is changed or reconnected', async () => {
  const { body: added } = await add('superadmin', 'Kept', { schedule: '' })
  const at = { params: { ...params(), connectorId: added.Id } }
  expect((await app.as.admin.call(connectors.change, { ...at, body: { name: 'Kept on' } })).body).toMatchObject({
    Schedule: null,
  })
  await app.as.admin.call(connectors.disconnect, { params: { clientKey: app.harbour.key, connectorKey: added.Key } })
  const properties = [{ name: 'source.connectionString', value: source.settings }]
  const again = await app.as.admin.call(connectors.change, { ...at, body: { status: 'CONNECTED', properties } })
  expect(again.body).toMatchObject({ Status: 'CONNECTED', Schedule: null })
})

test('every type shows the default schedule of new connectors', async () => {
  const { body } = await app.as.admin.call(connectors.allTypes)
  const connected = body.filter(({ Kind }) => Kind !== 'spreadsheet')
  expect(new Set(connected.map(({ DefaultSchedule }) => DefaultSchedule))).toEqual(new Set(['15 5 * * 1-5']))
})

test('a connector created by signing in gets the default schedule, too', async () => {
  await using world = await openXeroApp()
  await world.authorise(await world.browserOf(), { tenantIds: [world.tenant(0)] })
  const { body } = await world.app.as.admin.call(connectors.list, {
    params: { clientId: world.app.harbour.id },
    query: { type: 'xero' },
  })
  expect(body).toMatchObject([{ Schedule: '0 6 * * *' }])
})
