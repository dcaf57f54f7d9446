import { connectorProperties } from '@tributary/contract/connector-properties'
import { connectors } from '@tributary/contract/connectors'
import { secretMask } from '@tributary/contract/limits'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { verifyAuditChain } from '../../security/audit/verify-chain.ts'
import { decryptSettings } from '../../connections/connectors/connector-settings.ts'
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

function propertyOf(connector: { Properties: readonly { Name: string; Value?: unknown }[] }, name: string): unknown {
  return connector.Properties.find((property) => property.Name === name)?.Value
}

test('a secret never leaks: masked in every reply, encrypted in the store, absent from the log', async () => {
  const connector = await add('Sealed')
  expect(propertyOf(connector, 'source.connectionString')).toMatchObject({
    password: secretMask,
    host: source.settings['host'],
  })
  const replies = [
    await app.as.superadmin.call(connectors.list, { params: params() }),
    await app.as.superadmin.call(connectors.read, { params: { ...params(), connectorId: connector.Id } }),
    await app.as.superadmin.call(connectorProperties.list, { params: { ...params(), connectorId: connector.Id } }),
  ]
  const stored = await app.store.within(app.harbour.id, (db) =>
    db.selectFrom('connectorProperty').selectAll().execute(),
  )
  const events = await app.store.within(app.harbour.id, (db) => db.selectFrom('auditEvent').selectAll().execute())
  expect(JSON.stringify([replies.map(({ body }) => body), stored, events, app.logLines])).not.toContain(unlikely)
})

test('the mask keeps the stored secret, and a new value replaces it', async () => {
  const { Id } = await add('Kept')
  const sealed = () => app.store.within(app.harbour.id, (db) => openProperty(db, Id))
  const value = { ...source.settings, database: 'other', password: secretMask }
  const kept = await app.as.admin.call(connectorProperties.set, {
    params: { ...params(), connectorId: Id },
    body: [{ name: 'source.connectionString', value }],
  })
  expect(kept.status).toBe(200)
  expect(await sealed()).toMatchObject({ database: 'other', password: unlikely })
  const replaced = { ...value, password: 'canary-second' }
  await app.as.admin.call(connectorProperties.setOne, {
    params: { ...params(), connectorId: Id, name: 'source.connectionString' },
    body: { value: replaced },
  })
  expect(await sealed()).toMatchObject({ password: 'canary-second' })
})

test.each([
  ['another host', { host: 'evil.example.com' }],
  ['another port', { port: 6_543 }],
  ['another user', { user: 'root' }],
  ['another encryption', { sslmode: 'require' }],
])('%s asks for the secret again, in saving and in testing', async (_, change) => {
  const { Id } = await add(`Moved ${JSON.stringify(change)}`)
  const property = { name: 'source.connectionString', value: { ...source.settings, password: secretMask, ...change } }
  const at = { params: { ...params(), connectorId: Id } }
  const replies = [
    await app.as.admin.call(connectorProperties.set, { ...at, body: [property] }),
    await app.as.admin.call(connectorProperties.replace, { ...at, body: [property] }),
    await app.as.admin.call(connectors.change, { ...at, body: { properties: [property] } }),
    await app.as.admin.call(connectors.check, {
      params: params(),
      body: { type: 'postgres', connectorId: Id, properties: [property] },
    }),
  ]
  for (const { status, body } of replies) {
    expect(status).toBe(422)
    expect(body).toMatchObject({ code: 'secretNeeded', fields: { 'source.connectionString.password': 'required' } })
  }
})

test('a duplicate property is refused, so that one value cannot pass the check for another', async () => {
  const { Id } = await add('Twice')
  const name = 'source.connectionString'
  const moved = { ...source.settings, host: 'evil.example.com' }
  const twice = [
    { name, value: { ...moved, password: 'anything' } },
    { name, value: { ...moved, password: secretMask } },
  ]
  const at = { params: { ...params(), connectorId: Id } }
  const replies = [
    await app.as.admin.call(connectorProperties.set, { ...at, body: twice }),
    await app.as.admin.call(connectorProperties.replace, { ...at, body: twice }),
    await app.as.admin.call(connectors.change, { ...at, body: { properties: twice } }),
    await app.as.admin.call(connectors.check, {
      params: params(),
      body: { type: 'postgres', connectorId: Id, properties: twice },
    }),
  ]
  for (const { status, body } of replies) {
    expect({ status, body }).toMatchObject({
      status: 422,
      body: { code: 'settingsWrong', fields: { [name]: expect.any(String) } },
    })
  }
})

test('the secret of a connector is tested with its own type only', async () => {
  const { Id } = await add('Typed')
  const { sslmode: _, ...reach } = source.settings
  const properties = [{ name: 'source.connectionString', value: { ...reach, password: secretMask } }]
  const { status, body } = await app.as.admin.call(connectors.check, {
    params: params(),
    body: { type: 'mysql', connectorId: Id, properties },
  })
  expect({ status, body }).toMatchObject({
    status: 400,
    body: { code: 'badInput', fields: { type: expect.any(String) } },
  })
})

test('ids are case-insensitive: a secret saved with an upper-case id can be decrypted, and the audit log stays valid', async () => {
  const { Id } = await add('Capitals')
  const value = { ...source.settings, password: 'canary-capitals' }
  const reply = await app.as.superadmin.call(connectorProperties.set, {
    params: { clientId: app.harbour.id.toUpperCase(), connectorId: Id.toUpperCase() },
    body: [{ name: 'source.connectionString', value }],
  })
  expect(reply.status).toBe(200)
  const read = await app.as.admin.call(connectors.read, {
    params: { clientId: app.harbour.id.toUpperCase(), connectorId: Id },
  })
  expect(read.status).toBe(200)
  await app.store.within(app.harbour.id, async (db) => {
    expect(await openProperty(db, Id)).toMatchObject({ password: 'canary-capitals' })
  })
  expect((await verifyAuditChain(app.store, app.harbour.id)).brokenAt).toBeNull()
})

test('a test cannot use the settings of another organisation’s connector', async () => {
  const { Id } = await add('Lent')
  const property = { name: 'source.connectionString', value: { ...source.settings, password: secretMask } }
  const { status } = await app.as.otherAdmin.call(connectors.check, {
    params: { clientId: app.summit.id },
    body: { type: 'postgres', connectorId: Id, properties: [property] },
  })
  expect(status).toBe(404)
})

async function openProperty(db: Parameters<typeof decryptSettings>[0], connectorId: string) {
  const settings = await decryptSettings(db, app.services.secrets, { organisationId: app.harbour.id, connectorId })
  return settings['source.connectionString']
}
