import { connectors } from '@tributary/contract/connectors'
import type { FaultReply } from '@tributary/contract/faults'
import { secretMask } from '@tributary/contract/limits'
import { accounting, type ProductCredentials } from '@tributary/contract/accounting'
import { tableSync } from '@tributary/contract/table-sync'
import { connectMysql } from '@tributary/engine/databases/mysql/connection'
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { systemClock } from '../../kernel/clock.ts'
import { decryptCredentials } from '../../connections/databases/stored-credentials.ts'
import { addProduct } from '@tributary/testing/server/connectors/add-product.ts'
import { findAuditEvents } from '@tributary/testing/server/app/audit-log.ts'
import { RunDriver } from '@tributary/testing/server/connectors/run-driver.ts'
import { sourceDatabase } from '@tributary/testing/server/connectors/source-database.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'
import { startWorker } from '../../worker.ts'

let app: TestApp
beforeEach(async () => {
  app = await testApp()
})
afterEach(() => app[Symbol.asyncDispose]())

const blank = { host: '', database: '', schema: '', user: '', password: '' }
type Creds = Readonly<Record<string, string>>

function save(connectorId: string, creds: Creds, more = {}) {
  const path = `/api/xero2sqlproducts/${connectorId}/database-credentials`
  return app.as.admin.send<ProductCredentials & FaultReply>('POST', path, {
    body: { ...more, creds: { ...blank, ...creds } },
  })
}

function read(connectorId: string) {
  return app.as.admin.call(accounting.credentials, { params: { connectorId } })
}

/** A new PostgreSQL database, with credentials as a user enters them. */
async function postgres() {
  const { settings, query } = await sourceDatabase('SELECT 1')
  const { host, port, user, password, database } = settings as Creds
  const encryption = 'off'
  return {
    creds: { connector: 'postgres', host: `${host}:${port}`, database, user, password, encryption } as Creds,
    settings,
    query,
  }
}

async function mariadb() {
  const { host, port, user, password } = inject('mariadb')
  const database = `books_${Math.random().toString(36).slice(2)}`
  const around = { network: app.services.network, clock: systemClock, signal: new AbortController().signal }
  await using connection = await connectMysql(
    { host, port, user, password, database: 'mysql', tls: 'off' },
    around,
    'SELECT 1',
  )
  await connection.run(`CREATE DATABASE ${database}`)
  const creds: Creds = { connector: 'mysql', host: `${host},${port}`, database, user, password, encryption: 'off' }
  const rows = async (text: string) => {
    await using reading = await connectMysql({ host, port, user, password, database, tls: 'off' }, around, 'SELECT 1')
    return [...(await reading.rows(text))]
  }
  return { creds, rows }
}

test('[ACC-2] the password is shown as the mask, is in no log, and must be entered again when the server changes', async () => {
  const id = await addProduct(app, { companyName: 'Harbour Trading Ltd' })
  const { creds } = await postgres()
  const { body: none } = await read(id)
  expect(none).toMatchObject({
    tenantId: expect.any(String),
    tenantName: 'Harbour Trading Ltd',
    creds: { ...blank, savedBy: null },
  })
  const { status, body: saved } = await save(
    id,
    { ...creds, schema: 'xero' },
    { tenantId: none.tenantId, tenantName: none.tenantName },
  )
  expect([status, saved.creds]).toMatchObject([
    200,
    { ...creds, schema: 'xero', password: secretMask, savedBy: 'Amara Okafor' },
  ])
  expect((await read(id)).body).toEqual(saved)
  const masked = { ...creds, password: secretMask }
  expect((await save(id, { ...masked, schema: 'other' })).body.creds.schema).toBe('other')
  for (const change of [
    { host: '127.0.0.1:1' },
    { user: 'another' },
    { encryption: 'verify' },
    { connector: 'mysql' },
  ]) {
    const { body } = await save(id, { ...masked, ...change })
    expect([change, body.code, body.fields]).toEqual([change, 'secretNeeded', { password: 'required' }])
  }
  const partly = await save(id, { host: 'db.example.com' })
  expect([partly.status, Object.keys(partly.body.fields ?? {})]).toEqual([400, ['database', 'user', 'password']])
  const other = await save(id, masked, { tenantId: '00000000-0000-4000-8000-000000000000' })
  expect([other.status, Object.keys(other.body.fields ?? {})]).toEqual([400, ['tenantId']])
  expect(app.logLines.join('\n')).not.toContain(creds['password'])
  const noted = await findAuditEvents(app.store, 'database.credentials_changed')
  const event = { actorId: app.idOf('admin'), organisationId: app.harbour.id, outcome: 'success', objectId: id }
  expect(noted).toMatchObject([event, event])
  expect(JSON.stringify(noted)).not.toContain(creds['password'])
})

test('[ACC-2] a test reports the result for the entered database, or for the one used without it', async () => {
  const id = await addProduct(app, { companyName: 'Harbour Trading Ltd' })
  const { creds } = await postgres()
  const check = async (entered: Creds) => {
    const body = { creds: { ...blank, ...entered } }
    return (await app.as.admin.call(accounting.checkCredentials, { params: { connectorId: id }, body })).body.map(
      ({ Outcome }) => Outcome,
    )
  }
  expect(await check(creds)).toEqual(['passed', 'passed', 'passed', 'passed'])
  expect(await check({ ...creds, password: 'wrong' })).toEqual(['passed', 'failed', 'skipped', 'skipped'])
  expect(await check({})).toEqual(['passed', 'passed', 'passed', 'passed'])
  await app.as.admin.call(tableSync.saveCredentials, {
    params: { clientId: app.harbour.id },
    body: { ...creds, schema: '', host: '127.0.0.1:1' },
  })
  expect((await check({}))[0]).toBe('failed')
  const event = { actorId: app.idOf('admin'), organisationId: app.harbour.id, objectId: id }
  expect(await findAuditEvents(app.store, 'database.credentials_tested')).toMatchObject(
    ['success', 'failure', 'success', 'failure'].map((outcome) => ({ ...event, outcome })),
  )
})

test('[ENG-3] rows are written to the connector’s own target, else to the product’s database, else to the organisation’s', async () => {
  const shop = await sourceDatabase(
    `CREATE TABLE item (id int PRIMARY KEY, name text); INSERT INTO item VALUES (1, 'Crate')`,
  )
  const driver = new RunDriver(app.as.admin, app.harbour.id, shop)
  const worker = await startWorker({ ...app.services, clock: systemClock }, { pollMs: 300 })
  const id = await driver.add('Books')
  const tenant = {
    connectorId: id,
    organisationId: app.harbour.id,
    type: 'xero',
    tenantId: crypto.randomUUID(),
    name: 'Books Ltd',
  }
  await app.store.within(app.harbour.id, (db) => db.insertInto('connectorCompany').values(tenant).execute())
  const [own, ofProduct, ofOrganisation] = [await postgres(), await mariadb(), await postgres()]
  const { clientId } = { clientId: app.harbour.id }
  await app.as.admin.call(tableSync.saveCredentials, {
    params: { clientId },
    body: { ...ofOrganisation.creds, schema: '' },
  })
  await save(id, ofProduct.creds)

  const move = async () => expect(await driver.runToEnd(id)).toMatchObject({ Status: 'COMPLETED' })
  await move()
  expect(await ofProduct.rows('SELECT name FROM `books_item`')).toEqual([{ name: 'Crate' }])
  await save(id, {})
  await move()
  expect(await ofOrganisation.query('SELECT name FROM books.item')).toEqual([{ name: 'Crate' }])
  await save(id, { ...ofProduct.creds, schema: 'ledger' })
  const properties = [
    { name: 'target.connectionString', value: { ...own.settings, connector: 'postgres' } },
    { name: 'target.schema', value: 'mine' },
  ]
  expect(
    (await app.as.admin.call(connectors.change, { params: { clientId, connectorId: id }, body: { properties } }))
      .status,
  ).toBe(200)
  await move()
  expect(await own.query('SELECT name FROM mine.item')).toEqual([{ name: 'Crate' }])
  await worker.stop()
})

test('[ACC-2] disconnecting deletes the password and keeps the other credentials; deleting removes all of them', async () => {
  const id = await addProduct(app, { companyName: 'Harbour Trading Ltd' })
  const { creds } = await postgres()
  await save(id, creds)
  const disconnected = await app.as.admin.call(connectors.disconnectAll, { params: { clientId: app.harbour.id } })
  expect(disconnected.body.map(({ Id }) => Id)).toEqual([id])
  expect((await read(id)).body.creds).toMatchObject({ host: creds['host'], database: creds['database'], password: '' })
  expect((await save(id, { ...creds, password: secretMask })).body.code).toBe('secretNeeded')
  await app.as.admin.call(connectors.remove, { params: { clientId: app.harbour.id, connectorId: id } })
  expect((await read(id)).status).toBe(404)
  const left = await app.store.within(app.harbour.id, (db) => db.selectFrom('productCredential').selectAll().execute())
  expect(left).toEqual([])
})

test('[ACC-2] a stored password copied to another product cannot be decrypted', async () => {
  const [one, other] = [await addProduct(app, { companyName: 'One' }), await addProduct(app, { companyName: 'Other' })]
  const { creds } = await postgres()
  await save(one, creds)
  await save(other, { ...creds, password: 'another' })
  await app.store.within(app.harbour.id, async (db) => {
    const place = (connectorId: string) => ({ organisationId: app.harbour.id, connectorId })
    expect(await decryptCredentials(db, app.services.secrets, place(one))).toMatchObject({
      password: creds['password'],
    })
    const { password } = await db
      .selectFrom('productCredential')
      .select('password')
      .where('connectorId', '=', one)
      .executeTakeFirstOrThrow()
    await db.updateTable('productCredential').set({ password }).where('connectorId', '=', other).execute()
    await expect(decryptCredentials(db, app.services.secrets, place(other))).rejects.toThrow('cannot be read any more')
  })
})
