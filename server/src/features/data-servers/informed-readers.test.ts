/** Who is informed of a move, and what an old copy that stays readable says. */
import { dataServers } from '@tributary/contract/data-servers'
import { type DataServerProcess, startDataServer } from '@tributary/testing/databases/data-server.ts'
import { createLoginFor, runAs, writerOf } from '@tributary/testing/server/access/warehouse-login.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'
import { readMove, runDueMoves, startMove } from '@tributary/testing/server/warehouses/move-rig.ts'
import { registerServer } from '@tributary/testing/server/warehouses/register-server.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ensureWarehouse } from '../../access/warehouse/warehouse.ts'

let west: DataServerProcess
beforeAll(async () => {
  west = await startDataServer()
})
afterAll(() => west[Symbol.asyncDispose]())

/** Returns the id of the other server. The warehouse has a table with 100 rows. */
async function prepare(app: TestApp): Promise<string> {
  const serverId = await registerServer(app, west, { name: 'West', region: 'Dublin' })
  await ensureWarehouse(app.services, app.harbour.id)
  await runAs(
    await writerOf(app),
    'CREATE SCHEMA shop; CREATE TABLE shop.item (id int); INSERT INTO shop.item SELECT generate_series(1, 100)',
  )
  return serverId
}

async function moveEmailsTo(app: TestApp, address: string) {
  const emails = (await app.emailsTo(address)).filter(({ template }) => template.startsWith('warehouse-'))
  return emails.map(({ paragraphs, ...email }) => ({ ...email, text: paragraphs.join('\n') }))
}

test('[SCALE-1] without a stable name everyone with a login is mailed before the move and after it, with both addresses, and others are not', async () => {
  await using app = await testApp()
  const serverId = await prepare(app)
  await createLoginFor(app, app.idOf('user'))
  await startMove(app, serverId)
  const [old, next] = [
    `${app.services.warehouse.host}, port ${app.services.warehouse.port}`,
    `${west.host}, port ${west.port}`,
  ]
  for (const address of ['admin@demo.example', 'user@demo.example']) {
    const before = await moveEmailsTo(app, address)
    expect(before.map(({ template }) => template)).toEqual(['warehouse-moves'])
    expect(before[0]?.subject).toBe('The warehouse of Harbour Trading moves to another server')
    expect(before[0]?.text).toContain(`is being copied from ${old} to ${next}`)
  }
  await runDueMoves(app)
  const { SwitchedAtUtc, State } = await readMove(app)
  expect(State).toBe('KEPT')
  for (const address of ['admin@demo.example', 'user@demo.example']) {
    const after = (await moveEmailsTo(app, address)).slice(1)
    expect(after.map(({ template }) => template)).toEqual(['warehouse-moved'])
    expect(after[0]?.subject).toBe('The warehouse of Harbour Trading has moved: change the server in your reports')
    expect(after[0]?.text).toContain(`is now at ${next}`)
    expect(after[0]?.text).toContain(`refuses your logins since ${SwitchedAtUtc}`)
    expect(after[0]?.action?.url).toContain(`/data/connect?organisation=${app.harbour.id}`)
  }
  expect(await moveEmailsTo(app, 'guest@demo.example')).toEqual([])
})

const endings: readonly (readonly [state: string, does: string, end: (app: TestApp) => Promise<unknown>])[] = [
  [
    'CANCELLED',
    'was cancelled',
    (app) => app.as.superadmin.call(dataServers.cancelMove, { params: { clientId: app.harbour.id } }),
  ],
  [
    'FAILED',
    'could not be completed',
    async (app) => runAs(await writerOf(app), `CREATE TYPE shop.mood AS ENUM ('good')`),
  ],
]
for (const [state, does, end] of endings)
  test(`[SCALE-1] after a move that ended as ${state} everyone who was mailed before learns once that the server stays, and others are not mailed`, async () => {
    await using app = await testApp()
    const serverId = await prepare(app)
    await createLoginFor(app, app.idOf('user'))
    await startMove(app, serverId)
    let hasEnded = false
    await runDueMoves(app, {
      beforeStep: async (step) => {
        if (step !== 'HOLDING' || hasEnded) return
        hasEnded = true
        await end(app)
      },
    })
    await runDueMoves(app)
    expect((await readMove(app)).State).toBe(state)
    const { host, port } = app.services.warehouse
    for (const address of ['admin@demo.example', 'user@demo.example']) {
      const emails = await moveEmailsTo(app, address)
      expect(emails.map(({ template }) => template)).toEqual(['warehouse-moves', 'warehouse-stays'])
      expect(emails[1]?.subject).toBe('The warehouse of Harbour Trading does not move: keep the server in your reports')
      expect(emails[1]?.text).toContain(`to ${west.host}, port ${west.port}, about which we wrote, ${does}`)
      expect(emails[1]?.text).toContain(`stays at ${host}, port ${port}`)
    }
    expect(await moveEmailsTo(app, 'guest@demo.example')).toEqual([])
  })

test('[SCALE-1] an old copy that stays readable says since when it is stale, in a table of each schema, in the comment of the database, and in the mail', async () => {
  await using app = await testApp()
  const serverId = await prepare(app)
  const login = await createLoginFor(app, app.idOf('admin'))
  await startMove(app, serverId, true)
  await runDueMoves(app)
  const { SwitchedAtUtc } = await readMove(app)
  const since = SwitchedAtUtc ?? ''
  const notice = `These rows are stale since ${since}. The warehouse has moved to ${west.host}:${west.port}. This copy will be deleted.`
  const stale = await runAs(
    login,
    `SELECT since = '${since}' AS "isSince", host, port, notice FROM shop.tributary_stale`,
  )
  expect(stale).toEqual([{ isSince: true, host: west.host, port: west.port, notice }])
  const comment = `SELECT shobj_description(oid, 'pg_database') AS comment FROM pg_database WHERE datname = current_database()`
  expect(await runAs(login, comment)).toEqual([{ comment: notice }])
  const [, mail] = await moveEmailsTo(app, 'admin@demo.example')
  expect(mail?.text).toContain(`Its rows are stale since ${since}, as the table tributary_stale in each schema says.`)
  await expect(runAs(login, 'BEGIN READ WRITE; INSERT INTO shop.item VALUES (1)')).rejects.toThrow('permission denied')
  const moved = { ...login, host: west.host, port: west.port }
  expect(await runAs(moved, 'SELECT count(*)::int AS n FROM shop.item')).toEqual([{ n: 100 }])
  await expect(runAs(moved, 'SELECT FROM shop.tributary_stale')).rejects.toThrow('does not exist')
})

test('[SCALE-1] with a stable name no one is informed of a move that was cancelled', async () => {
  await using app = await testApp({ env: { TRIBUTARY_WAREHOUSE_HOST: '{organisation}.data.example.com' } })
  await startMove(app, await prepare(app))
  await app.as.superadmin.call(dataServers.cancelMove, { params: { clientId: app.harbour.id } })
  await runDueMoves(app)
  await runDueMoves(app)
  expect((await readMove(app)).State).toBe('CANCELLED')
  expect(await moveEmailsTo(app, 'admin@demo.example')).toEqual([])
})

test('[SCALE-1] with a stable name no one is informed, the details stay, and the old server refuses', async () => {
  await using app = await testApp({ env: { TRIBUTARY_WAREHOUSE_HOST: '{organisation}.data.example.com' } })
  const id = await prepare(app)
  const login = await createLoginFor(app, app.idOf('admin'))
  await startMove(app, id)
  await runDueMoves(app)
  expect((await readMove(app)).State).toBe('KEPT')
  expect(await moveEmailsTo(app, 'admin@demo.example')).toEqual([])
  await expect(runAs(login, 'SELECT 1')).rejects.toThrow(/not permitted to log in|permission denied/u)
  const { body } = await app.as.superadmin.call(dataServers.placement, { params: { clientId: app.harbour.id } })
  expect(body).toMatchObject({ Host: 'harbour-trading.data.example.com', HasStableHost: true })
})
