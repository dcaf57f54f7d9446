import { warehouse, type Warehouse } from '@tributary/contract/warehouse'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'
import { sampleReaders } from './reader-last-seen.ts'
import { ensureWarehouse } from './warehouse.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app[Symbol.asyncDispose]())

const harbour = () => ({ params: { clientId: app.harbour.id } })
const read = async () => (await app.as.admin.call(warehouse.read, harbour())).body

/** A connection of a client program, open until it is disposed. */
async function connect({ Host, Port, Database, User }: Warehouse, password: string | null, program: string) {
  const client = new Client({
    host: Host,
    port: Port,
    database: Database,
    user: User,
    password: password ?? '',
    application_name: program,
  })
  await client.connect()
  return { client, [Symbol.asyncDispose]: () => client.end() }
}

test('an unused login has no last use, but the time when its password was created', async () => {
  const { body: created } = await app.as.admin.call(warehouse.newPassword, harbour())
  expect(created.LastSeen).toBeNull()
  expect(await read()).toMatchObject({ LastSeen: null, PasswordSetAtUtc: new Date(app.clock.now()).toISOString() })
  expect(
    (await app.as.otherAdmin.call(warehouse.read, { params: { clientId: app.summit.id } })).body.PasswordSetAtUtc,
  ).toBeNull()
})

test('time, address and program of the login’s last use are kept after the program disconnects', async () => {
  const { body: created } = await app.as.admin.call(warehouse.newPassword, harbour())
  {
    await using _ = await connect(created, created.Password, 'Mashup Engine (PowerBIDesktop)')
    await sampleReaders(app.services)
  }
  const seen = {
    AtUtc: new Date(app.clock.now()).toISOString(),
    Address: '127.0.0.1',
    Program: 'Mashup Engine (PowerBIDesktop)',
  }
  expect((await read()).LastSeen).toEqual(seen)
  app.clock.advance(60_000)
  await sampleReaders(app.services)
  expect((await read()).LastSeen).toEqual(seen)
  await using _ = await connect(created, created.Password, 'psql')
  expect((await read()).LastSeen).toEqual({ ...seen, AtUtc: new Date(app.clock.now()).toISOString(), Program: 'psql' })
  expect(
    (await app.as.otherAdmin.call(warehouse.read, { params: { clientId: app.summit.id } })).body.LastSeen,
  ).toBeNull()
})

test('a warehouse administrator without superuser rights sees the address and the program, too', async () => {
  await using other = await testApp()
  const { admin, host, port } = other.services.warehouse
  const user = `watcher_${other.connection.database}`
  const root = new Client(admin)
  await root.connect()
  await root.query(`CREATE ROLE ${user} LOGIN CREATEDB CREATEROLE PASSWORD 'watcher-password'`)
  await root.query(`CREATE DATABASE ${user} OWNER ${user}`)
  await root.end()
  const services = {
    ...other.services,
    warehouse: { admin: { host, port, user, password: 'watcher-password', database: user }, host, port },
  }
  const { row } = await ensureWarehouse(services, other.harbour.id)
  const { body } = await other.as.admin.call(warehouse.newPassword, { params: { clientId: other.harbour.id } })
  expect(body.User).toBe(row.readerName)
  await using _ = await connect(body, body.Password, 'a report')
  await sampleReaders(services)
  const seen = await other.store.within(other.harbour.id, (db) =>
    db.selectFrom('warehouse').selectAll().executeTakeFirstOrThrow(),
  )
  expect(seen).toMatchObject({ readerSeenAddress: '127.0.0.1', readerSeenProgram: 'a report' })
})
