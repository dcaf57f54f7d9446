import { connectorProperties } from '@tributary/contract/connector-properties'
import { connectors } from '@tributary/contract/connectors'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type SourceDatabase, sourceDatabase } from '@tributary/testing/server/connectors/source-database.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'

let app: TestApp
let source: SourceDatabase

beforeAll(async () => {
  app = await testApp()
  source = await sourceDatabase(
    'CREATE TABLE invoice (id int PRIMARY KEY, total numeric(12,2)); INSERT INTO invoice VALUES (1, 10.50)',
  )
})
afterAll(() => app[Symbol.asyncDispose]())

const unlikely = 'canary-key-7f3a91'
const params = () => ({ clientId: app.harbour.id })

async function add(name: string, more: { name: string; value: unknown }[] = []) {
  const properties = [{ name: 'source.connectionString', value: { ...source.settings, password: unlikely } }, ...more]
  const { status, body } = await app.as.admin.call(connectors.create, {
    params: params(),
    body: { type: 'postgres', name, properties },
  })
  expect({ status, body }).toMatchObject({ status: 201 })
  return body
}

describe('names, schedules, endings', () => {
  test('names are unique, ignoring case; the key stays when the name changes', async () => {
    const first = await add('Café  Ärger & Co')
    expect(first.Key).toBe('cafe-arger-co')
    const twice = await app.as.admin.call(connectors.create, {
      params: params(),
      body: {
        type: 'postgres',
        name: 'CAFÉ  ÄRGER & CO',
        properties: [{ name: 'source.connectionString', value: source.settings }],
      },
    })
    expect(twice).toMatchObject({ status: 409, body: { code: 'nameTaken' } })
    const at = { params: { ...params(), connectorId: first.Id } }
    const renamed = await app.as.admin.call(connectors.change, { ...at, body: { name: 'Renamed' } })
    expect(renamed.body).toMatchObject({ Name: 'Renamed', OriginalName: 'Café  Ärger & Co', Key: 'cafe-arger-co' })
    expect((await add('Cafe Arger, Co')).Key).toBe('cafe-arger-co-2')
  })

  test('one of two concurrent requests for a name succeeds', async () => {
    const body = {
      type: 'postgres',
      name: 'Race',
      properties: [{ name: 'source.connectionString', value: source.settings }],
    }
    const replies = await Promise.all(
      Array.from({ length: 5 }, () => app.as.admin.call(connectors.create, { params: params(), body })),
    )
    expect(replies.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409, 409])
  })

  test('[MAN-8] only a superadmin sets the schedule; the next run is in UTC', async () => {
    const { Id } = await add('Timed')
    const at = { params: { ...params(), connectorId: Id } }
    const set = (who: 'admin' | 'superadmin', schedule: string | null) =>
      app.as[who].call(connectors.change, { ...at, body: { schedule } })
    expect((await set('admin', '0 7 * * *')).status).toBe(403)
    const timed = await set('superadmin', '0 7 * * *')
    expect(timed.body).toMatchObject({
      Schedule: '0 7 * * *',
      NextRunAtUtc: expect.stringMatching(/T0[67]:00:00\.000Z$/),
    })
    expect((await set('admin', '0 7 * * *')).status).toBe(200)
    expect((await set('superadmin', '0 25 * * *')).body).toMatchObject({ fields: { schedule: expect.any(String) } })
    expect((await set('superadmin', '')).body).toMatchObject({ Schedule: null, NextRunAtUtc: null })
  })

  test.each([
    ['[API-9] disconnecting', 'DISCONNECTED'],
    ['[API-9] deleting', 'DELETED'],
  ] as const)('%s drops the credentials, stops the schedule and keeps the name', async (title, status) => {
    const { Id, Key } = await add(title)
    await app.as.superadmin.call(connectors.change, {
      params: { ...params(), connectorId: Id },
      body: { schedule: '0 6 * * *' },
    })
    const gone =
      status === 'DELETED'
        ? await app.as.admin.call(connectors.remove, { params: { ...params(), connectorId: Id } })
        : await app.as.admin.call(connectors.disconnect, { params: { clientKey: app.harbour.key, connectorKey: Key } })
    expect(gone.status).toBe(204)
    const { body } = await app.as.admin.call(connectors.find, { params: { connectorId: Id } })
    expect(body).toMatchObject({
      Name: title,
      Status: status,
      NextRunAtUtc: null,
      Properties: [{ Name: 'portal.user' }],
    })
    const left = await app.store.within(app.harbour.id, (db) =>
      db.selectFrom('connectorProperty').select('name').where('connectorId', '=', Id).execute(),
    )
    expect(left).toEqual([])
  })

  test('a disconnected connector is reconnected with its settings, and refuses without them', async () => {
    const { Id, Key } = await add('Again')
    await app.as.admin.call(connectors.disconnect, { params: { clientKey: app.harbour.key, connectorKey: Key } })
    const at = { params: { ...params(), connectorId: Id } }
    expect((await app.as.admin.call(connectors.change, { ...at, body: { status: 'CONNECTED' } })).status).toBe(422)
    const properties = [{ name: 'source.connectionString', value: source.settings }]
    const again = await app.as.admin.call(connectors.change, { ...at, body: { status: 'CONNECTED', properties } })
    expect(again.body).toMatchObject({ Status: 'CONNECTED' })
  })

  test('every change is in the audit log, without the settings', async () => {
    const { Id } = await add('Watched')
    await app.as.admin.call(connectors.assignUsers, { params: { connectorId: Id }, body: { users: [] } })
    const at = { ...params(), connectorId: Id, name: 'portal.user' }
    await app.as.admin.call(connectorProperties.setOne, { params: at, body: { value: app.idOf('user') } })
    await app.as.admin.call(connectors.remove, { params: { ...params(), connectorId: Id } })
    const events = await app.store.within(app.harbour.id, (db) =>
      db.selectFrom('auditEvent').select(['action', 'actorId']).where('objectId', '=', Id).orderBy('id').execute(),
    )
    expect(events.map(({ action }) => action)).toEqual([
      'connector.created',
      'connector.users_assigned',
      'connector.users_assigned',
      'connector.deleted',
    ])
    expect(new Set(events.map(({ actorId }) => actorId))).toEqual(new Set([app.idOf('admin')]))
  })
})
