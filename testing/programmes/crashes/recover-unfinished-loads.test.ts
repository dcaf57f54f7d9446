import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { loads } from '@tributary/contract/loads'
import type { SheetCell } from '@tributary/contract/cells'
import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { LoadClient, planForLoads, type PlanFixture, saveDatabase, selectRows } from '../../server/excel/load-sheets.ts'
import { sourceDatabase } from '../../server/connectors/source-database.ts'
import { findAuditEvents } from '../../server/app/audit-log.ts'
import { testApp, type TestApp } from '../../server/app/test-app.ts'

let app: TestApp
let plan: PlanFixture
let user: LoadClient
let target: pg.ClientConfig
beforeEach(async () => {
  app = await testApp()
  plan = await planForLoads(app)
  user = new LoadClient(app.as.user)
  const { connection, settings } = await sourceDatabase('SELECT 1')
  const { host, port, user: login, password, database } = settings as Record<string, string>
  await saveDatabase(app, {
    connector: 'postgres',
    host: `${host}:${port}`,
    database,
    schema: 'plan',
    user: login,
    password,
    encryption: 'off',
  })
  target = connection
})
afterEach(() => app[Symbol.asyncDispose]())

const sheet = (...amounts: readonly string[]) => ({
  columns: ['Amount'],
  rows: amounts.map((amount): SheetCell[] => [{ n: amount }]),
})
const amounts = async () =>
  (await selectRows(target, 'SELECT "Amount" FROM plan."B2SBudget2026"')).map(([amount]) => Number(amount)).toSorted()

async function begin(...wanted: readonly string[]) {
  const loadId = await user.begin({ versionId: plan.versionId }, sheet(...wanted))
  return { loadId, seen: (await user.check(loadId)).Seen }
}

async function run(connection: pg.ClientConfig, text: string): Promise<void> {
  const client = new pg.Client(connection)
  await client.connect()
  await client.query(text)
  await client.end()
}

const refuse = (when: string) =>
  `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${when} RETURN NEW; END $$;`

test('[ENG-5] a load whose receipt could not be written is committed: the next request recovers it from the target', async () => {
  await user.load({ versionId: plan.versionId }, sheet('1'))
  const { loadId, seen } = await begin('2', '3')
  const lost = refuse(`IF NEW.status IN ('LOADED', 'FAILED') THEN RAISE EXCEPTION 'lost'; END IF;`)
  await run(app.connection, `${lost} CREATE TRIGGER lost BEFORE UPDATE ON load FOR EACH ROW EXECUTE FUNCTION refuse()`)
  expect((await user.commit(loadId, seen)).status).toBe(500)
  expect((await user.read(loadId).catch(() => null))?.Status).not.toBe('LOADED')
  await run(app.connection, 'DROP TRIGGER lost ON load')
  expect(await user.read(loadId)).toMatchObject({ Status: 'LOADED', Rows: 2, RowsBefore: 1, Changes: 2 })
  expect(await amounts()).toEqual([2, 3])
  expect((await app.as.user.call(loads.changes, { params: { loadId } })).body).toHaveLength(2)
})

test('[ENG-5] a load that is interrupted while it writes changes nothing and fails; the next one starts from the former rows', async () => {
  await user.load({ versionId: plan.versionId }, sheet('1'))
  const { loadId, seen } = await begin('2', '3')
  const holder = new pg.Client(target)
  await holder.connect()
  await holder.query('BEGIN; LOCK TABLE plan."B2SBudget2026" IN EXCLUSIVE MODE')
  const committing = user.commit(loadId, seen)
  const waiting = `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND pid <> pg_backend_pid()`
  while ((await selectRows(target, waiting)).length === 0) await sleep(20)
  await selectRows(target, `SELECT pg_terminate_backend(pid)::text FROM (${waiting}) AS those`)
  expect((await committing).status).toBe(422)
  const ended = once(holder, 'end')
  await holder.end()
  await ended
  expect(await user.read(loadId)).toMatchObject({ Status: 'FAILED', Changes: 0, Slices: [] })
  expect(await amounts()).toEqual([1])
  expect((await app.as.user.call(loads.changes, { params: { loadId } })).body).toEqual([])
  expect(await user.load({ versionId: plan.versionId }, sheet('4'))).toMatchObject({ Status: 'LOADED', RowsBefore: 1 })
  expect(await amounts()).toEqual([4])
})

test('[ENG-5] a load whose process died between the two databases is recovered by the next load', async () => {
  await user.load({ versionId: plan.versionId }, sheet('1'))
  const { loadId } = await begin('2')
  // The state after a crash between the two databases: prepared, nothing written.
  await app.store.within(app.harbour.id, (db) =>
    db.updateTable('load').set({ status: 'COMMITTING', committingAt: new Date() }).where('id', '=', loadId).execute(),
  )
  await user.load({ versionId: plan.versionId }, sheet('3'))
  expect((await user.read(loadId)).Status).toBe('FAILED')
  expect(await amounts()).toEqual([3])
})

test('[ENG-5] fifty thousand rows are loaded completely, and loaded again without a change', async () => {
  const rows = Array.from({ length: 50_000 }, (_, at): SheetCell[] => [
    `line ${at}`,
    { n: `${at}.25` },
    { d: '2026-01-31' },
  ])
  const big = { columns: ['Line', 'Amount', 'Day'], rows }
  const first = await user.load({ versionId: plan.versionId }, big)
  expect(first).toMatchObject({ Rows: 50_000, Changes: 50_000, Totals: [{ Before: '0', After: '1249987500' }] })
  const again = await user.load({ versionId: plan.versionId }, big)
  expect(again).toMatchObject({ Rows: 50_000, RowsBefore: 50_000, Changes: 0 })
  expect(await selectRows(target, 'SELECT count(*) FROM plan."B2SBudget2026"')).toEqual([['50000']])
}, 180_000)

test('[ENG-5] an undo whose receipt could not be written is recovered, with both receipts', async () => {
  await user.load({ versionId: plan.versionId }, sheet('1'))
  const { Id: second } = await user.load({ versionId: plan.versionId }, sheet('2'))
  const lost = refuse(
    `IF NEW.status IN ('LOADED', 'FAILED') AND OLD.status = 'COMMITTING' THEN RAISE EXCEPTION 'lost'; END IF;`,
  )
  await run(app.connection, `${lost} CREATE TRIGGER lost BEFORE UPDATE ON load FOR EACH ROW EXECUTE FUNCTION refuse()`)
  expect((await user.undo(second)).status).toBe(500)
  await run(app.connection, 'DROP TRIGGER lost ON load')
  expect(await amounts()).toEqual([1])
  const [undoing] = (await app.as.user.call(loads.list)).body
  expect(await user.read(undoing?.Id ?? '')).toMatchObject({ Status: 'LOADED', Undoes: second })
  expect(await user.read(second)).toMatchObject({ Status: 'UNDONE', UndoneBy: undoing?.Id })
  const undone = {
    actorId: app.idOf('user'),
    organisationId: app.harbour.id,
    outcome: 'success',
    objectId: undoing?.Id,
  }
  expect(await findAuditEvents(app.store, 'load.undone')).toMatchObject([undone])
})
