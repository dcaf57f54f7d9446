/** The servers that hold warehouses: registered, placed on, and read through every door. */
import { data } from '@tributary/contract/data'
import { dataServers } from '@tributary/contract/data-servers'
import { reports } from '@tributary/contract/reports'
import { warehouse } from '@tributary/contract/warehouse'
import { type DataServerProcess, startDataServer } from '@tributary/testing/databases/data-server.ts'
import { assistantOf } from '@tributary/testing/server/access/assistant.ts'
import { switchAssistants } from '@tributary/testing/server/access/assistant-fixture.ts'
import { openDataFixture } from '@tributary/testing/server/access/data-fixture.ts'
import { getFeed } from '@tributary/testing/server/access/odata-feed.ts'
import { createLoginFor, runAs } from '@tributary/testing/server/access/warehouse-login.ts'
import { findAuditEvents } from '@tributary/testing/server/app/audit-log.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'
import { bodyOfServer, chooseRegion, registerServer } from '@tributary/testing/server/warehouses/register-server.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { guardReaders } from '../../access/warehouse/reader-guard.ts'
import { ensureWarehouse } from '../../access/warehouse/warehouse.ts'
import { measureServers } from '../../access/warehouse/servers/check-server.ts'

let app: TestApp
let west: DataServerProcess
beforeAll(async () => {
  ;[app, west] = await Promise.all([testApp(), startDataServer()])
})
afterAll(async () => {
  await app[Symbol.asyncDispose]()
  await west[Symbol.asyncDispose]()
})

const superadmin = () => app.as.superadmin
async function list(own = app) {
  await own.as.superadmin.signIn()
  return (await own.as.superadmin.call(dataServers.list)).body
}

test('[SCALE-1] the server of the settings is the first entry, and its address stays with the settings', async () => {
  const [first] = await list()
  const { host, port } = app.services.warehouse
  expect(first).toMatchObject({
    Name: 'Default',
    IsDefault: true,
    Host: host,
    Port: port,
    User: null,
    AcceptsNew: true,
  })
  const { address, ...common } = bodyOfServer(west, { name: 'Home', region: 'Oslo' })
  const params = { serverId: first?.Id ?? '' }
  const saved = await superadmin().call(dataServers.save, { params, body: common })
  expect(saved.body).toMatchObject({ Name: 'Home', Region: 'Oslo', Host: host })
  expect((await superadmin().call(dataServers.save, { params, body: { ...common, address } })).status).toBe(400)
  expect((await superadmin().call(dataServers.remove, { params })).status).toBe(422)
})

test('[SCALE-1] a server is registered only if it answers and its role has the rights; its password is encrypted and never shown', async () => {
  const body = bodyOfServer(west, { name: 'West', region: 'Dublin', databasesMax: 10 })
  const refused = await superadmin().call(dataServers.create, {
    body: { ...body, address: { ...body.address, password: 'wrong' } },
  })
  expect(refused).toMatchObject({
    status: 422,
    body: { message: expect.stringContaining('password authentication failed') },
  })
  await runAs(west.superuser, `CREATE ROLE weak LOGIN PASSWORD 'weak'`)
  await runAs(west.superuser, 'CREATE DATABASE weak OWNER weak')
  const weak = { ...body, address: { ...body.address, user: 'weak', password: 'weak', database: 'weak' } }
  const { body: told } = await superadmin().call(dataServers.create, { body: weak })
  expect(told).toMatchObject({ message: expect.stringContaining('ALTER ROLE "weak" CREATEDB CREATEROLE') })
  const { status, body: created } = await superadmin().call(dataServers.create, { body })
  expect([status, created]).toMatchObject([
    201,
    { Name: 'West', Region: 'Dublin', Port: west.port, Databases: 0, DatabasesMax: 10 },
  ])
  expect(JSON.stringify(created)).not.toContain(body.address.password)
  const stored = await app.store.across((db) =>
    db.selectFrom('warehouseServer').select('password').where('id', '=', created.Id).executeTakeFirstOrThrow(),
  )
  expect(stored.password).toMatch(/^trb1\./u)
  expect((await superadmin().call(dataServers.create, { body })).body).toMatchObject({ code: 'nameTaken' })
  const params = { serverId: created.Id }
  expect((await superadmin().call(dataServers.check, { params })).body).toMatchObject({ IsReady: true, Problems: [] })
  const { password: _, ...address } = body.address
  const change = { ...body, address: { ...address, host: 'localhost' } }
  const moved = await superadmin().call(dataServers.save, { params, body: change })
  expect(moved.body).toMatchObject({ code: 'badInput', fields: { password: expect.stringContaining('missing') } })
  const same = { ...body, address, name: 'West 2' }
  expect((await superadmin().call(dataServers.save, { params, body: same })).body).toMatchObject({ Name: 'West 2' })
  expect((await superadmin().call(dataServers.remove, { params })).status).toBe(204)
  expect(await list()).toHaveLength(1)
  const saved = (await findAuditEvents(app.store, 'data_server.saved')).map(({ detail }) => detail)
  expect(saved).toContainEqual({ after: { name: 'West', isNew: true } })
  expect(await findAuditEvents(app.store, 'data_server.removed')).toHaveLength(1)
})

test('[SCALE-1] a new warehouse goes to a server of the region that is wished, and where there is most room', async () => {
  await using own = await testApp()
  const serverId = await registerServer(own, west, { name: 'West', region: 'Dublin', databasesMax: 1 })
  await chooseRegion(own, own.harbour.id, 'Dublin')
  await chooseRegion(own, own.summit.id, 'Dublin')
  const { row } = await ensureWarehouse(own.services, own.harbour.id)
  expect(row.serverId).toBe(serverId)
  const events = await findAuditEvents(own.store, 'organisation.data_region_set')
  expect(events[0]?.detail).toEqual({ before: null, after: 'Dublin' })
  const full = ensureWarehouse(own.services, own.summit.id)
  await expect(full).rejects.toMatchObject({ notice: expect.stringContaining('No data server in the region Dublin') })
  await chooseRegion(own, own.summit.id, null)
  expect((await ensureWarehouse(own.services, own.summit.id)).row.serverId).not.toBe(serverId)
  expect((await list(own)).map(({ Databases }) => Databases)).toEqual([1, 1])
  const remove = await own.as.superadmin.call(dataServers.remove, { params: { serverId } })
  expect(remove).toMatchObject({ status: 422, body: { message: expect.stringContaining('Move them') } })
})

test('[SCALE-1] a warehouse on a second server is read through the portal, the feed, a login and an assistant, and its details name it', async () => {
  await using own = await testApp()
  await registerServer(own, west, { name: 'West', region: 'Dublin' })
  await chooseRegion(own, own.harbour.id, 'Dublin')
  const there = await openDataFixture(own)
  const rows = await own.as.admin.call(data.rows, { params: there.params(), query: {} })
  expect([rows.status, rows.body.Rows.length]).toEqual([200, expect.any(Number)])
  expect((await getFeed(own, '/shop_invoice/$count')).text).toMatch(/^\d+$/u)
  const login = await createLoginFor(own, own.idOf('admin'))
  expect(login.port).toBe(west.port)
  const [counted] = await runAs(login, 'SELECT count(*)::int AS n FROM shop.invoice')
  expect(Number(counted?.['n'])).toBeGreaterThan(0)
  await switchAssistants(own, true)
  await using assistant = await assistantOf(own, { userId: own.idOf('admin') })
  const answer = await assistant.call('query', { sql: 'SELECT count(*) AS n FROM shop.invoice' })
  expect(answer.isError).toBe(false)
  const params = { clientId: own.harbour.id }
  const details = await own.as.admin.call(warehouse.read, { params })
  expect(details.body).toMatchObject({ Host: west.host, Port: west.port, Region: 'Dublin' })
  expect((await own.as.admin.call(reports.connection, { params })).body).toMatchObject({ Port: west.port })
  const placement = await own.as.superadmin.call(dataServers.placement, { params })
  expect(placement.body).toMatchObject({
    Server: { Name: 'West', Region: 'Dublin' },
    RegionWish: 'Dublin',
    Port: west.port,
  })
})

test('[SCALE-1] while a server is away only its organisations are affected, and its entry says since when', async () => {
  const away = await startDataServer()
  await using own = await testApp()
  await registerServer(own, away, { name: 'East', region: 'Riga' })
  await chooseRegion(own, own.harbour.id, 'Riga')
  const there = await openDataFixture(own)
  await ensureWarehouse(own.services, own.summit.id)
  await measureServers(own.services)
  expect((await list(own)).map(({ UnreachableSinceUtc }) => UnreachableSinceUtc)).toEqual([null, null])
  expect((await list(own))[1]?.SizeBytes).toBeGreaterThan(1_000_000)
  await away[Symbol.asyncDispose]()
  const reply = await own.as.admin.call(data.rows, { params: there.params(), query: {} })
  expect(reply).toMatchObject({ status: 503, body: { code: 'warehouseUnreachable' } })
  const others = await own.as.otherAdmin.call(warehouse.read, { params: { clientId: own.summit.id } })
  expect(others.status).toBe(200)
  await expect(measureServers(own.services)).rejects.toThrow('ECONNREFUSED')
  expect((await list(own)).map(({ UnreachableSinceUtc }) => UnreachableSinceUtc === null)).toEqual([true, false])
  await expect(guardReaders(own.services)).rejects.toThrow('ECONNREFUSED')
})

test('[SCALE-1] with a stable name, connection details name it instead of the server', async () => {
  await using own = await testApp({ env: { TRIBUTARY_WAREHOUSE_HOST: '{organisation}.data.example.com' } })
  const details = await own.as.admin.call(warehouse.read, { params: { clientId: own.harbour.id } })
  expect(details.body.Host).toBe(`${own.harbour.key}.data.example.com`)
})

test('[SCALE-1] a login on a second server that changed its own settings is set back', async () => {
  await using own = await testApp()
  await registerServer(own, west, { name: 'West', region: 'Dublin' })
  await chooseRegion(own, own.harbour.id, 'Dublin')
  const params = { clientId: own.harbour.id }
  const {
    Host: host,
    Port: port,
    Database: database,
    User: user,
    Password: password,
  } = (await own.as.admin.call(warehouse.newPassword, { params })).body
  const login = { host, port, database, user, password: password ?? '' }
  await runAs(login, `BEGIN READ WRITE; ALTER ROLE "${user}" SET statement_timeout = 0; COMMIT`)
  await guardReaders(own.services)
  expect(await findAuditEvents(own.store, 'warehouse.reader_set_back')).toHaveLength(1)
})
