/** The setting of history over HTTP, with real runs. */
import { history } from '@tributary/contract/history'
import { findAuditEvents } from '@tributary/testing/server/app/audit-log.ts'
import { historyRig, type HistoryRig } from '@tributary/testing/server/connectors/history-rig.ts'
import { sourceDatabase } from '@tributary/testing/server/connectors/source-database.ts'
import { runAs, writerOf } from '@tributary/testing/server/access/warehouse-login.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { closedPeriods } from '@tributary/contract/closed-periods'

let rig: HistoryRig
beforeAll(async () => {
  rig = await historyRig()
})
afterAll(() => rig[Symbol.asyncDispose]())

const read = async () => (await rig.app.as.admin.call(history.read, { params: rig.params })).body
const save = (body: object) => rig.app.as.admin.call(history.save, { params: rig.params, body })
const stream = async (name: string) => (await read()).Streams.find(({ Stream }) => Stream === name)
const versions = (table = 'customer') =>
  rig.driver.inWarehouse(
    `SELECT id, city, valid_to IS NULL AS "isCurrent" FROM shop.${table}__history ORDER BY id, valid_from`,
  )

test('[TRUST-6] without the setting no history is kept, and the page shows with how many rows it would begin', async () => {
  await rig.run()
  expect(await read()).toEqual({
    Tables: 'none',
    Chosen: [],
    Streams: [
      {
        Stream: 'public.customer',
        Table: 'customer',
        Reasons: [],
        IsKept: false,
        RetentionDays: null,
        Rows: 2,
        Bytes: expect.any(Number),
        Histories: [],
        Marks: [],
      },
      expect.objectContaining({ Stream: 'public.note', Rows: 1, Histories: [] }),
    ],
  })
  expect((await stream('public.customer'))?.Bytes).toBeGreaterThan(8_000)
})

test('[TRUST-6] chosen tables keep history from the next run on, and the page says since when and under which name', async () => {
  expect((await save({ tables: 'chosen', streams: ['public.customer'] })).body).toMatchObject({
    Tables: 'chosen',
    Chosen: ['public.customer'],
    Streams: [
      { Reasons: ['setting'], IsKept: false, Histories: [] },
      { Reasons: [], IsKept: false, Histories: [] },
    ],
  })
  await rig.run()
  const [cutOff] = (await rig.cutOffs()).slice(-1)
  expect(await stream('public.customer')).toMatchObject({
    IsKept: true,
    Histories: [{ Table: 'customer', Name: 'customer__history', SinceUtc: cutOff, Rows: 2, Bytes: expect.any(Number) }],
  })
  expect(await stream('public.note')).toMatchObject({ IsKept: false, Histories: [] })
  await rig.source.query(`UPDATE customer SET city = 'Hull' WHERE id = 1`)
  await rig.run()
  expect(await versions()).toEqual([
    { id: 1, city: 'Leeds', isCurrent: false },
    { id: 1, city: 'Hull', isCurrent: true },
    { id: 2, city: 'York', isCurrent: true },
  ])
})

test('[TRUST-6] a retention removes row versions that ended before, and only of its table; the default is for good', async () => {
  const { status } = await save({ tables: 'all', retention: { 'public.customer': 1 } })
  expect(status).toBe(200)
  expect(await stream('public.customer')).toMatchObject({ RetentionDays: 1, Reasons: ['setting'] })
  expect(await stream('public.note')).toMatchObject({ RetentionDays: null, Reasons: ['setting'] })
  await rig.run()
  // The superseded version is younger than a day.
  expect(await versions()).toHaveLength(3)
  await runAs(
    await writerOf(rig.app),
    `UPDATE shop.customer__history SET valid_from = valid_from - interval '3 days', valid_to = valid_to - interval '2 days' WHERE valid_to IS NOT NULL;
     UPDATE shop.tributary_history SET since = '2020-01-01T00:00:00.000000Z' WHERE table_name = 'customer'`,
  )
  await rig.run()
  expect(await versions()).toEqual([
    { id: 1, city: 'Hull', isCurrent: true },
    { id: 2, city: 'York', isCurrent: true },
  ])
  await save({ tables: 'all', retention: {} })
  expect(await stream('public.customer')).toMatchObject({ RetentionDays: null })
})

test('[TRUST-6] switched off, what was kept stays and no longer grows', async () => {
  await save({ tables: 'none' })
  await rig.source.query(`UPDATE customer SET city = 'Ripon' WHERE id = 2`)
  await rig.run()
  expect(await stream('public.customer')).toMatchObject({
    Reasons: [],
    IsKept: false,
    Histories: [{ Name: 'customer__history' }],
  })
  expect((await versions()).every((version) => !(version as { isCurrent: boolean }).isCurrent)).toBe(true)
})

test('[TRUST-6] tables of closed periods keep history without the setting, and the page says why', async () => {
  const table = {
    stream: 'public.customer',
    dateColumn: 'city',
    numberColumn: null,
    accountColumn: null,
    amountColumn: null,
  }
  const { status } = await rig.app.as.admin.call(closedPeriods.save, {
    params: rig.params,
    body: { isOn: true, administratorDate: null, table },
  })
  expect(status).toBe(200)
  await rig.run()
  expect(await stream('public.customer')).toMatchObject({ Reasons: ['closedPeriods'], IsKept: true })
  await rig.app.as.admin.call(closedPeriods.save, {
    params: rig.params,
    body: { isOn: false, administratorDate: null, table: null },
  })
})

test('[TRUST-6] in a database of the organisation, sizes are those after the last run: of a table before it keeps history, and of both afterwards', async () => {
  const target = await sourceDatabase('SELECT 1')
  const connectorId = await rig.driver.add('Elsewhere', {}, [
    { name: 'target.connectionString', value: { connector: 'postgres', ...target.settings } },
    { name: 'target.schema', value: 'elsewhere' },
  ])
  const params = { ...rig.params, connectorId }
  const sizes = async () => {
    const { body } = await rig.app.as.admin.call(history.read, { params })
    const found = body.Streams.find(({ Stream }) => Stream === 'public.customer')
    return { bytes: found?.Bytes ?? null, histories: found?.Histories }
  }
  await rig.driver.runToEnd(connectorId)
  const before = await sizes()
  expect(before).toEqual({ bytes: expect.any(Number), histories: [] })
  expect(before.bytes).toBeGreaterThan(8_000)
  await rig.app.as.admin.call(history.save, { params, body: { tables: 'all' } })
  await rig.source.query(`INSERT INTO customer VALUES (9, 'Eve', 'Deal')`)
  await rig.driver.runToEnd(connectorId)
  await rig.source.query(`UPDATE customer SET city = 'Wells' WHERE id = 9`)
  await rig.driver.runToEnd(connectorId)
  const [versions] = await target.query<{ n: number }>('SELECT count(*)::int AS n FROM elsewhere.customer__history')
  const after = await sizes()
  expect(after.histories).toMatchObject([{ Name: 'customer__history', Rows: versions?.n }])
  expect(after.histories?.[0]?.Bytes).toBeGreaterThan(8_000)
})

test.each([
  [{ tables: 'chosen' }, 'streams'],
  [{ tables: 'chosen', streams: ['public.nothing'] }, 'streams'],
  [{ tables: 'all', streams: ['public.customer'] }, 'streams'],
  [{ tables: 'all', retention: { 'public.nothing': 3 } }, 'retention'],
  [{ tables: 'all', retention: { 'public.customer': 0 } }, 'retention'],
])('[TRUST-6] a setting that makes no sense is refused, and nothing is saved: %j', async (body, field) => {
  const before = await read()
  const { status, body: reply } = await save(body)
  expect([status, JSON.stringify(reply)]).toEqual([400, expect.stringContaining(field)])
  expect(await read()).toEqual(before)
})

test('[TRUST-6] administrators set it, members with the connector see it, and others find nothing', async () => {
  const { app, params } = rig
  for (const as of ['user', 'guest', 'otherAdmin', 'visitor'] as const) {
    const { status } = await app.as[as].call(history.save, { params, body: { tables: 'all' } })
    expect(status).toBe(as === 'visitor' ? 401 : as === 'otherAdmin' ? 404 : 403)
  }
  expect((await app.as.otherAdmin.call(history.read, { params })).status).toBe(404)
  const foreign = { clientId: app.summit.id, connectorId: rig.connectorId }
  expect((await app.as.otherAdmin.call(history.read, { params: foreign })).status).toBe(404)
  expect((await app.as.visitor.call(history.read, { params })).status).toBe(401)
  const events = await findAuditEvents(app.store, 'connector.history_set')
  expect(events.at(0)).toMatchObject({ objectId: rig.connectorId, detail: { tables: 'chosen', streams: 1 } })
})
