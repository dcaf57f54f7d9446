/** Moves that end before the switch, and what waits meanwhile. */
import { dataServers } from '@tributary/contract/data-servers'
import { type DataServerProcess, startDataServer } from '@tributary/testing/databases/data-server.ts'
import { refreshTable, runAs, writerOf } from '@tributary/testing/server/access/warehouse-login.ts'
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

/** What an operator may add by hand, each with the name by which the refusal calls it. A superuser of the old server adds it. */
const additions: readonly (readonly [added: string, name: string, removed: string])[] = [
  ["CREATE TYPE shop.mood AS ENUM ('good')", 'the type shop.mood', 'DROP TYPE shop.mood'],
  [
    `CREATE FUNCTION shop.f() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'; CREATE TRIGGER t BEFORE INSERT ON shop.item FOR EACH ROW EXECUTE FUNCTION shop.f()`,
    'the trigger t of shop.item',
    'DROP FUNCTION shop.f CASCADE',
  ],
  ['CREATE VIEW shop.theirs AS SELECT 1 AS one', 'the view shop.theirs', 'DROP VIEW shop.theirs'],
  [
    'GRANT SELECT ON shop.item TO powerbi',
    'the right SELECT of powerbi on shop.item',
    'REVOKE ALL ON shop.item FROM powerbi',
  ],
  ['GRANT SELECT (id) ON shop.item TO powerbi', 'on shop.item.id', 'REVOKE ALL (id) ON shop.item FROM powerbi'],
  [
    'GRANT USAGE ON SCHEMA shop TO PUBLIC',
    'the right USAGE of PUBLIC on the schema shop',
    'REVOKE ALL ON SCHEMA shop FROM PUBLIC',
  ],
  ['GRANT INSERT ON shop.item TO READER', 'on shop.item', 'REVOKE INSERT ON shop.item FROM READER'],
  ['GRANT READER TO powerbi', 'the membership of powerbi in w_', 'REVOKE READER FROM powerbi'],
  ['CREATE POLICY p ON shop.item USING (id < 50)', 'the policy p of shop.item', 'DROP POLICY p ON shop.item'],
  ['CREATE PUBLICATION feed FOR TABLE shop.item', 'the publication feed', 'DROP PUBLICATION feed'],
  [
    "COMMENT ON INDEX shop.by_id IS 'Of the operator'",
    'the comment of index shop.by_id',
    'COMMENT ON INDEX shop.by_id IS NULL',
  ],
]

test('[SCALE-1] what an operator added by hand and a move would lose is named when the move is requested: it does not begin, and no one is mailed', async () => {
  const { row } = await ensureWarehouse(app.services, app.harbour.id)
  const admin = { ...app.services.warehouse.admin, database: row.databaseName }
  await runAs(admin, 'CREATE INDEX by_id ON shop.item (id)')
  const request = () =>
    app.as.superadmin.call(dataServers.move, { params: params(), body: { serverId, keepsReadable: false } })
  const powerbi = `powerbi_${row.databaseName.slice(2)}`
  const run = (text: string) =>
    runAs(admin, text.replaceAll('READER', row.readerName).replaceAll(/\bpowerbi\b/gu, powerbi))
  await run('CREATE ROLE powerbi')
  try {
    for (const [added, name, removed] of additions) {
      await run(added)
      const { status, body } = await request()
      expect([added, status, body]).toMatchObject([
        added,
        422,
        { message: expect.stringContaining(name.replace('powerbi', powerbi)) },
      ])
      await run(removed)
    }
  } finally {
    await run('DROP ROLE powerbi')
  }
  const { body } = await app.as.superadmin.call(dataServers.placement, { params: params() })
  expect(body.Move).toBeNull()
  expect((await app.emailsTo('admin@demo.example')).filter(({ template }) => template === 'warehouse-moves')).toEqual(
    [],
  )
  expect((await request()).status).toBe(202)
})

test('[SCALE-1] what is added while tables are copied ends the move and is named', async () => {
  await startMove(app, serverId)
  await runDueMoves(app, {
    beforeStep: async (state) => {
      if (state === 'HOLDING') await runAs(await writerOf(app), `CREATE TYPE shop.mood AS ENUM ('good')`)
    },
  })
  expect(await readMove(app)).toMatchObject({ State: 'FAILED', Notice: expect.stringContaining('the type shop.mood') })
  expect((await writerOf(app)).port).toBe(home())
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
