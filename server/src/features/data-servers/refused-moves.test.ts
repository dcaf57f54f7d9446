/** Moves that end before the switch, what waits meanwhile, and what people are informed of. */
import { dataServers } from '@tributary/contract/data-servers'
import { type DataServerProcess, startDataServer } from '@tributary/testing/databases/data-server.ts'
import { createLoginFor, refreshTable, runAs, writerOf } from '@tributary/testing/server/access/warehouse-login.ts'
import { findAuditEvents } from '@tributary/testing/server/app/audit-log.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'
import { readMove, runDueMoves, startMove } from '@tributary/testing/server/warehouses/move-rig.ts'
import { chooseRegion, registerServer } from '@tributary/testing/server/warehouses/register-server.ts'
import { column, stream, table } from '@tributary/testing/engine/sync/fixtures.ts'
import { afterEach, beforeEach, beforeAll, afterAll, expect, test } from 'vitest'
import { ensureWarehouse } from '../../access/warehouse/warehouse.ts'

let west: DataServerProcess
let app: TestApp
let serverId: string
beforeAll(async () => {
  west = await startDataServer()
})
afterAll(() => west[Symbol.asyncDispose]())
beforeEach(async () => {
  app = await testApp()
  serverId = await registerServer(app, west, { name: 'West', region: 'Dublin' })
  await ensureWarehouse(app.services, app.harbour.id)
  await runAs(
    await writerOf(app),
    'CREATE SCHEMA shop; CREATE TABLE shop.item (id int); INSERT INTO shop.item SELECT generate_series(1, 100)',
  )
})
afterEach(() => app[Symbol.asyncDispose]())

const params = () => ({ clientId: app.harbour.id })
const home = () => app.services.warehouse.port

async function databasesOf(server: DataServerProcess): Promise<number> {
  const [found] = await runAs(
    server.superuser,
    `SELECT count(*)::int AS n FROM pg_database WHERE datname ~ '^w_[0-9a-f]{16}$'`,
  )
  return Number(found?.['n'])
}

test('[SCALE-1] a copy that was tampered with is refused: the warehouse stays, runs continue, and the copy is dropped', async () => {
  const { row } = await ensureWarehouse(app.services, app.harbour.id)
  await startMove(app, serverId)
  await runDueMoves(app, {
    beforeStep: async (state) => {
      if (state === 'VERIFYING')
        await runAs({ ...west.superuser, database: row.databaseName }, 'UPDATE shop.item SET id = 0 WHERE id = 50')
    },
  })
  expect(await readMove(app)).toMatchObject({
    State: 'FAILED',
    Notice: expect.stringContaining('differs from the warehouse in shop.item'),
  })
  const writer = await writerOf(app)
  expect(writer.port).toBe(home())
  await runAs(writer, 'INSERT INTO shop.item VALUES (101)')
  expect(await databasesOf(west)).toBe(0)
  expect(await findAuditEvents(app.store, 'warehouse.move_failed')).toHaveLength(1)
})

test('[SCALE-1] what Tributary has not created is not lost silently: the move is refused and names it', async () => {
  await runAs(await writerOf(app), `CREATE TYPE shop.mood AS ENUM ('good')`)
  await startMove(app, serverId)
  await runDueMoves(app)
  expect(await readMove(app)).toMatchObject({ State: 'FAILED', Notice: expect.stringContaining('the type shop.mood') })
})

test('[SCALE-1] the provider cancels a move before the switch, and not after it', async () => {
  await startMove(app, serverId)
  await runDueMoves(app, {
    beforeStep: async (state) => {
      if (state === 'HOLDING')
        expect((await app.as.superadmin.call(dataServers.cancelMove, { params: params() })).status).toBe(200)
    },
  })
  await runDueMoves(app)
  expect((await readMove(app)).State).toBe('CANCELLED')
  expect((await writerOf(app)).port).toBe(home())
  expect(await findAuditEvents(app.store, 'warehouse.move_cancelled')).toHaveLength(1)
  app.clock.advance(1_000)
  await startMove(app, serverId)
  await runDueMoves(app)
  expect((await app.as.superadmin.call(dataServers.cancelMove, { params: params() })).status).toBe(422)
  expect((await app.as.superadmin.call(dataServers.dropOldCopy, { params: params() })).status).toBe(200)
  await runDueMoves(app)
  expect((await readMove(app)).State).toBe('DONE')
})

test('[SCALE-1] while the last changes are copied nothing writes: a run waits without counting as an attempt', async () => {
  await startMove(app, serverId)
  const refusals: unknown[] = []
  await runDueMoves(app, {
    beforeStep: async (state) => {
      if (state !== 'VERIFYING') return
      const at = { schema: 'shop', connectorId: app.harbour.id }
      await refreshTable(app, at, stream(table('thing', [column('id', { kind: 'text' })])), []).catch(
        (error: unknown) => refusals.push(error),
      )
    },
  })
  expect(refusals).toMatchObject([{ kind: 'busy', code: 'warehouse.moving' }])
  expect((await readMove(app)).State).toBe('KEPT')
})

test('[SCALE-1] a move is refused to the same server, outside the region, to a full server, and twice', async () => {
  const move = (id: string, keepsReadable = false) =>
    app.as.superadmin.call(dataServers.move, { params: params(), body: { serverId: id, keepsReadable } })
  const [first] = (await app.as.superadmin.call(dataServers.list)).body
  expect((await move(first?.Id ?? '')).body).toMatchObject({ message: expect.stringContaining('already') })
  await chooseRegion(app, app.harbour.id, 'Oslo')
  expect((await move(serverId)).body).toMatchObject({ message: expect.stringContaining('region Oslo') })
  await chooseRegion(app, app.harbour.id, null)
  const full = await registerServer(app, west, { name: 'Full', region: null, databasesMax: 0 })
  expect((await move(full)).body).toMatchObject({ message: expect.stringContaining('no room') })
  expect((await move(serverId)).status).toBe(202)
  expect((await move(serverId)).body).toMatchObject({ message: expect.stringContaining('being moved') })
})

test('[SCALE-1] without a stable name everyone with a login is informed before and after, and the old copy says since when it is stale', async () => {
  const login = await createLoginFor(app, app.idOf('admin'))
  await startMove(app, serverId, true)
  await runDueMoves(app)
  const subjects = (await app.emailsTo('admin@demo.example')).map(({ subject }) => subject)
  expect(subjects.slice(-2)).toEqual([
    'The warehouse of Harbour Trading moves to another server',
    'The warehouse of Harbour Trading has moved: change the server in your reports',
  ])
  const [stale] = await runAs(login, 'SELECT since::text, port, notice FROM shop.tributary_stale')
  expect(stale).toMatchObject({ port: west.port, notice: expect.stringContaining('stale since') })
  await expect(runAs(login, 'BEGIN READ WRITE; INSERT INTO shop.item VALUES (1)')).rejects.toThrow('permission denied')
  const moved = { ...login, host: west.host, port: west.port }
  expect(await runAs(moved, 'SELECT count(*)::int AS n FROM shop.item')).toEqual([{ n: 100 }])
})

test('[SCALE-1] with a stable name no one is informed, the details stay, and the old server refuses', async () => {
  await using own = await testApp({ env: { TRIBUTARY_WAREHOUSE_HOST: '{organisation}.data.example.com' } })
  const id = await registerServer(own, west, { name: 'West', region: null })
  await ensureWarehouse(own.services, own.harbour.id)
  const login = await createLoginFor(own, own.idOf('admin'))
  await startMove(own, id)
  await runDueMoves(own)
  expect((await readMove(own)).State).toBe('KEPT')
  expect(
    (await own.emailsTo('admin@demo.example')).filter(({ template }) => template.startsWith('warehouse-')),
  ).toEqual([])
  await expect(runAs(login, 'SELECT 1')).rejects.toThrow(/not permitted to log in|permission denied/u)
  const { body } = await own.as.superadmin.call(dataServers.placement, { params: { clientId: own.harbour.id } })
  expect(body).toMatchObject({ Host: 'harbour-trading.data.example.com', HasStableHost: true })
})
