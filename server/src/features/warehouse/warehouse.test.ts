import { warehouse } from '@tributary/contract/warehouse'
import type { Warehouse } from '@tributary/contract/warehouse'
import { Client, type ClientConfig } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findAuditEvents } from '@tributary/testing/server/app/audit-log.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'
import { setReaderPassword } from '../../access/warehouse/warehouse-database.ts'
import { ensureWarehouse } from '../../access/warehouse/warehouse.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app[Symbol.asyncDispose]())

const harbour = () => ({ params: { clientId: app.harbour.id } })
const summit = () => ({ params: { clientId: app.summit.id } })

/** As the engine writes: a schema and a table of the writer's. */
async function fill(organisationId: string, schema: string): Promise<void> {
  const { row, writerPassword } = await ensureWarehouse(app.services, organisationId)
  const { host, port } = app.services.warehouse
  const writer = { host, port, database: row.databaseName, user: row.writerName, password: writerPassword }
  await query(
    writer,
    `CREATE SCHEMA ${schema}; CREATE TABLE ${schema}.invoice (id int, total numeric); INSERT INTO ${schema}.invoice VALUES (1, 10.50)`,
  )
}

function readerOf({ Host, Port, Database, User, Password }: Warehouse): ClientConfig {
  return { host: Host, port: Port, database: Database, user: User, password: Password ?? '' }
}

async function query(connection: ClientConfig, text: string): Promise<Record<string, unknown>[]> {
  const client = new Client(connection)
  await client.connect()
  try {
    const { rows } = await client.query<Record<string, unknown>>(text)
    return rows
  } finally {
    await client.end()
  }
}

test('[ENG-3] a SQL client reads every table of the warehouse over TCP, those made later too, and can write nothing', async () => {
  const { body } = await app.as.admin.call(warehouse.newPassword, harbour())
  expect(body.Host).toBe('127.0.0.1')
  await fill(app.harbour.id, 'shop')
  await fill(app.harbour.id, 'cin7')
  const reader = readerOf(body)
  expect(await query(reader, 'SELECT * FROM shop.invoice UNION ALL SELECT * FROM cin7.invoice')).toEqual([
    { id: 1, total: '10.50' },
    { id: 1, total: '10.50' },
  ])
  const { body: details } = await app.as.admin.call(warehouse.read, harbour())
  expect(details).toMatchObject({ Schemas: ['cin7', 'shop'], Password: null, Database: body.Database })
  for (const writing of [
    'INSERT INTO shop.invoice VALUES (2, 1)',
    'SET default_transaction_read_only = off; UPDATE shop.invoice SET total = 0',
    'SET default_transaction_read_only = off; CREATE TABLE shop.mine (id int)',
    'SET default_transaction_read_only = off; CREATE TABLE public.mine (id int)',
    'SET default_transaction_read_only = off; CREATE SCHEMA mine',
    'SET default_transaction_read_only = off; CREATE TEMP TABLE mine (id int)',
    'SET ROLE postgres',
    'SET default_transaction_read_only = off; SELECT lo_create(0)',
    `SET default_transaction_read_only = off; SELECT lo_from_bytea(0, 'x')`,
    'SET default_transaction_read_only = off; SELECT lo_creat(-1)',
    `SET temp_file_limit = '40GB'`,
  ]) {
    await expect(query(reader, writing)).rejects.toThrow(/permission denied|read-only transaction/)
  }
  const limits = await query(
    reader,
    `SELECT current_setting('temp_file_limit') AS disk, current_setting('statement_timeout') AS time`,
  )
  expect(limits).toEqual([{ disk: '4GB', time: '30min' }])
})

test('a reader reaches its own database and no other: not another organisation’s', async () => {
  const { body: ours } = await app.as.admin.call(warehouse.newPassword, harbour())
  const { body: theirs } = await app.as.otherAdmin.call(warehouse.newPassword, summit())
  expect(theirs.Database).not.toBe(ours.Database)
  expect(ours.Database).toMatch(/^w_[0-9a-f]{16}$/)
  for (const database of [theirs.Database, 'postgres', 'template1']) {
    await expect(query({ ...readerOf(ours), database }, 'SELECT 1')).rejects.toThrow(/permission denied for database/)
  }
})

test('where the warehouse shares the server of the store, no reader reaches the store', async () => {
  const { row } = await ensureWarehouse(app.services, app.harbour.id)
  const admin = { ...app.services.warehouse.admin, database: `store_${row.databaseName}` }
  await query(app.services.warehouse.admin, `CREATE DATABASE ${admin.database}`)
  const { body } = await app.as.admin.call(warehouse.newPassword, harbour())
  const atStore = { ...readerOf(body), database: admin.database }
  expect(await query(atStore, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
  const shared = { ...app.services, warehouse: { ...app.services.warehouse, admin } }
  await Promise.all([ensureWarehouse(shared, app.harbour.id), ensureWarehouse(shared, app.summit.id)])
  await expect(query(atStore, 'SELECT 1')).rejects.toThrow(/permission denied for database/)
})

test('[ENG-3] production’s role, which is no superuser, makes a warehouse; one that may not is told what it lacks', async () => {
  await using other = await testApp()
  const { admin, host, port } = other.services.warehouse
  const user = `maker_${other.connection.database}`
  await query(admin, `CREATE ROLE ${user} LOGIN PASSWORD 'maker-password'`)
  await query(admin, `CREATE DATABASE ${user} OWNER ${user}`)
  const maker = { host, port, user, password: 'maker-password', database: user }
  const services = { ...other.services, warehouse: { admin: maker, host, port } }
  await expect(ensureWarehouse(services, other.harbour.id)).rejects.toMatchObject({
    kind: 'settings',
    notice: expect.stringContaining('CREATEDB CREATEROLE'),
  })
  await query(admin, `ALTER ROLE ${user} CREATEDB CREATEROLE`)
  const { row, writerPassword } = await ensureWarehouse(services, other.harbour.id)
  const writer = { host, port, database: row.databaseName, user: row.writerName, password: writerPassword }
  await query(writer, 'CREATE SCHEMA shop; CREATE TABLE shop.invoice (id int); INSERT INTO shop.invoice VALUES (1)')
  await setReaderPassword(services.warehouse, row, 'reader-password')
  const reader = { ...writer, user: row.readerName, password: 'reader-password' }
  expect(await query(reader, 'SELECT * FROM shop.invoice')).toEqual([{ id: 1 }])
  for (const database of [maker.database, 'postgres'])
    await expect(query({ ...reader, database }, 'SELECT 1')).rejects.toThrow(/permission denied for database/)
})

test('a new password is told once, and the former one stops working', async () => {
  const first = await app.as.admin.call(warehouse.newPassword, harbour())
  const second = await app.as.admin.call(warehouse.newPassword, harbour())
  expect(await query(readerOf(second.body), 'SELECT 1 AS one')).toEqual([{ one: 1 }])
  await expect(query(readerOf(first.body), 'SELECT 1')).rejects.toThrow(/password authentication failed/)
  const password = second.body.Password ?? ''
  const stored = await app.store.within(app.harbour.id, (db) => db.selectFrom('warehouse').selectAll().execute())
  expect(JSON.stringify([stored, app.logLines])).not.toContain(password)
  expect((await app.as.admin.call(warehouse.read, harbour())).body.Password).toBeNull()
  const event = {
    actorId: app.idOf('admin'),
    organisationId: app.harbour.id,
    outcome: 'success',
    objectId: second.body.Database,
  }
  const noted = (await findAuditEvents(app.store, 'warehouse.password_set')).slice(-2)
  expect(noted).toMatchObject([event, event])
  expect(JSON.stringify(noted)).not.toContain(password)
})

test('the .pbids file opens Power BI on the database and holds no password', async () => {
  const { body, headers } = await app.as.admin.call(warehouse.pbids, harbour())
  const { body: details } = await app.as.admin.call(warehouse.read, harbour())
  expect(headers['content-disposition']).toBe('attachment; filename="tributary.pbids"')
  expect(body).toEqual({
    version: '0.1',
    connections: [
      {
        details: {
          protocol: 'postgresql',
          address: { server: `${details.Host}:${details.Port}`, database: details.Database },
        },
        options: {},
        mode: 'Import',
      },
    ],
  })
})

test('many who ask at once get one and the same warehouse', async () => {
  const other = await testApp()
  const replies = await Promise.all(
    Array.from({ length: 5 }, () => other.as.admin.call(warehouse.read, { params: { clientId: other.harbour.id } })),
  )
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]))
  expect(new Set(replies.map(({ body }) => body.Database)).size).toBe(1)
  await other[Symbol.asyncDispose]()
})

test('users and guests, and other organisations, learn nothing of it', async () => {
  expect((await app.as.user.call(warehouse.read, harbour())).status).toBe(403)
  expect((await app.as.guest.call(warehouse.newPassword, harbour())).status).toBe(403)
  expect((await app.as.otherAdmin.call(warehouse.read, harbour())).status).toBe(404)
})
