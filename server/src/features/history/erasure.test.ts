/** Erasing a person in history and in marks, over HTTP, with real runs. */
import { closedPeriods } from '@tributary/contract/closed-periods'
import { history } from '@tributary/contract/history'
import { historyErasures } from '@tributary/contract/history-erasures'
import { reportMarks } from '@tributary/contract/report-marks'
import { runs } from '@tributary/contract/runs'
import { findAuditEvents } from '@tributary/testing/server/app/audit-log.ts'
import type { TestClient } from '@tributary/testing/server/app/client.ts'
import { dumpDatabase } from '@tributary/testing/server/app/database-dump.ts'
import { historyRig, type HistoryRig } from '@tributary/testing/server/connectors/history-rig.ts'
import { until } from '@tributary/testing/server/connectors/run-driver.ts'
import { applyChanges } from '@tributary/testing/server/access/warehouse-login.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

let rig: HistoryRig
beforeAll(async () => {
  rig = await historyRig()
  await rig.source
    .query(`ALTER TABLE customer ADD email text, ADD since date, ADD owes numeric(12, 2), ADD agent_id text;
    UPDATE customer SET email = 'ada@old.example', since = '2026-06-01', owes = 1234.56, agent_id = 'ag-1';
    CREATE TABLE invoice (id int PRIMARY KEY, payer int REFERENCES customer, payer_name text, total numeric(12, 2));
    INSERT INTO invoice VALUES (7, 1, 'Ada', 99.5), (8, 2, 'Bob', 10)`)
  const { params, app } = rig
  await app.as.admin.call(history.save, { params, body: { tables: 'all' } })
  const table = {
    stream: 'public.customer',
    dateColumn: 'since',
    numberColumn: null,
    accountColumn: null,
    amountColumn: null,
  }
  await app.as.admin.call(closedPeriods.save, { params, body: { isOn: true, administratorDate: null, table } })
  await rig.run()
  const body = { name: 'June 2026', periodEnd: '2026-06-30' }
  await app.as.admin.call(reportMarks.create, { params, body })
  await rig.source.query(`UPDATE customer SET email = 'ada@new.example', name = 'Ada Lane' WHERE id = 1`)
  await rig.run()
})
afterAll(() => rig[Symbol.asyncDispose]())

const ada = { stream: 'public.customer', column: 'email', value: 'ada@new.example' }
const columns = { customer: ['name', 'email', 'city'] }
const preview = (body: object = {}, as: TestClient = rig.app.as.admin) =>
  as.call(historyErasures.preview, { params: rig.params, body: { ...ada, ...body } })
const erase = (body: object = {}, as: TestClient = rig.app.as.admin) =>
  as.call(historyErasures.start, { params: rig.params, body: { ...ada, columns, ...body } })
const list = async () => (await rig.app.as.admin.call(historyErasures.list, { params: rig.params })).body
const ended = () => until(list, ([latest]) => latest !== undefined && latest.State !== 'underWay')
const marked = () =>
  rig.driver.inWarehouse(
    'SELECT id, name, email, city, since::text, owes FROM shop.reported_june_2026_customer ORDER BY id',
  )
const marks = async () => (await rig.app.as.admin.call(reportMarks.list, { params: rig.params })).body

test('[TRUST-9] a mark of a source without a ledger shows each table that kept history as it was', async () => {
  expect(await marks()).toMatchObject([
    {
      Views: ['reported_june_2026_customer', 'reported_june_2026_invoice', 'reported_june_2026_note'],
      Notice: null,
      Erasures: [],
    },
  ])
  await applyChanges(rig.app)
  expect(await marked()).toMatchObject([{ id: 1, name: 'Ada', email: 'ada@old.example' }, { id: 2 }])
})

test('[TRUST-6] before anything is erased, an administrator sees how many row versions in which tables and marks it concerns', async () => {
  expect((await preview()).body).toEqual({
    Tables: [
      {
        Table: 'customer',
        Name: 'customer__history',
        Versions: 2,
        Columns: [
          { Name: 'name', Type: 'text', IsProposed: true },
          { Name: 'city', Type: 'text', IsProposed: true },
          { Name: 'email', Type: 'text', IsProposed: true },
          { Name: 'agent_id', Type: 'text', IsProposed: false },
        ],
      },
    ],
    Current: 1,
    Marks: [{ Id: expect.any(String), Name: 'June 2026', Versions: 1 }],
  })
  expect((await preview({ value: 'bob@none.example' })).body).toMatchObject({
    Tables: [{ Versions: 0 }],
    Current: 0,
    Marks: [],
  })
})

test.each([
  ['a table without history', { stream: 'public.nothing' }, 'stream'],
  ['an unknown column', { column: 'phone' }, 'column'],
  ['a key', { columns: { customer: ['id'] } }, 'columns'],
  ['an amount', { columns: { customer: ['owes'] } }, 'columns'],
  ['a date', { columns: { customer: ['since'] } }, 'columns'],
  ['another table', { columns: { note: ['words'] } }, 'columns'],
  ['no column', { columns: {} }, 'columns'],
])('[TRUST-6] %s cannot be erased, and nothing is', async (_what, body, field) => {
  const { status, body: reply } = await erase(body)
  expect([status, JSON.stringify(reply)]).toEqual([400, expect.stringContaining(field)])
  expect(await list()).toEqual([])
})

test('[TRUST-6] administrators of the organisation erase; others may not, or find nothing', async () => {
  const { app, connectorId } = rig
  for (const as of ['user', 'guest', 'otherAdmin', 'visitor'] as const) {
    const expected = as === 'visitor' ? 401 : as === 'otherAdmin' ? 404 : 403
    expect((await erase({}, app.as[as])).status).toBe(expected)
    expect((await preview({}, app.as[as])).status).toBe(expected)
    expect((await app.as[as].call(historyErasures.list, { params: rig.params })).status).toBe(expected)
  }
  const params = { clientId: app.summit.id, connectorId }
  expect((await app.as.otherAdmin.call(historyErasures.start, { params, body: { ...ada, columns } })).status).toBe(404)
  expect((await app.as.otherAdmin.call(historyErasures.preview, { params, body: ada })).status).toBe(404)
})

test('[TRUST-6] [TRUST-9] the texts of the person are gone in all versions and in marked views; amounts, keys, dates and other people stay', async () => {
  const before = await marked()
  expect((await erase()).status).toBe(202)
  expect(await ended()).toMatchObject([
    {
      State: 'completed',
      Table: 'customer',
      Column: 'email',
      RequestedBy: 'Amara Okafor',
      Notice: null,
      Tables: [{ Table: 'customer', Name: 'customer__history', Versions: 2, Columns: columns.customer }],
    },
  ])
  const [, bob] = before
  expect(await marked()).toEqual([
    { id: 1, name: null, email: null, city: null, since: '2026-06-01', owes: '1234.56' },
    bob,
  ])
  const versions = 'SELECT name, email, owes, agent_id FROM shop.customer__history WHERE id = 1'
  const cleared = { name: null, email: null, owes: '1234.56', agent_id: 'ag-1' }
  expect(await rig.driver.inWarehouse(versions)).toEqual([cleared, cleared])
})

test('[TRUST-9] the mark notes how many of its row versions were cleared, when, and at whose request', async () => {
  const [erasure] = await list()
  expect(await marks()).toMatchObject([
    { Erasures: [{ Versions: 1, AtUtc: erasure?.CompletedAtUtc?.replace(/\d{3}Z$/, 'Z'), By: 'Amara Okafor' }] },
  ])
})

test('[TRUST-6] neither the audit log nor the log of the run nor the store keeps whom', async () => {
  const detail = { table: 'customer', column: 'email' }
  expect(await findAuditEvents(rig.app.store, 'connector.erasure_started')).toMatchObject([{ detail }])
  expect(await findAuditEvents(rig.app.store, 'connector.person_erased')).toMatchObject([
    { detail: { ...detail, versions: 2, marks: 1 } },
  ])
  const [erasure] = await list()
  const params = { ...rig.params, runId: erasure?.RunId ?? '' }
  const run = (await rig.app.as.admin.call(runs.read, { params })).body
  expect(run).toMatchObject({ Mode: 'erase', Status: 'COMPLETED' })
  expect(run.Lines.map(({ Text }) => Text)).toContain('customer__history: 2 row versions cleared.')
  expect(JSON.stringify(run)).not.toContain(ada.value)
  const dump = await dumpDatabase(rig.app.connection)
  expect(JSON.stringify(dump)).not.toContain(ada.value)
})

test('[TRUST-6] what the source still has becomes a version again with a later run that reads it, and the mark stays erased', async () => {
  await rig.source.query(`UPDATE customer SET owes = 1 WHERE id = 1`)
  await rig.run()
  expect(
    await rig.driver.inWarehouse('SELECT name FROM shop.customer__history WHERE id = 1 AND valid_to IS NULL'),
  ).toEqual([{ name: 'Ada Lane' }])
  expect(await marked()).toMatchObject([{ id: 1, name: null, owes: '1234.56' }, { id: 2 }])
})

test('[TRUST-6] by the key of the person, rows of other tables that refer to it are found and erased, too', async () => {
  const byKey = { column: 'id', value: '1' }
  expect((await preview(byKey)).body).toMatchObject({
    Tables: [
      { Table: 'customer', Versions: 3 },
      { Table: 'invoice', Versions: 1, Columns: [{ Name: 'payer_name', IsProposed: true }] },
    ],
    Current: 2,
  })
  await erase({ ...byKey, columns: { customer: ['name'], invoice: ['payer_name'] } })
  expect(await ended()).toMatchObject([
    {
      State: 'completed',
      Tables: [
        { Table: 'customer', Versions: 1 },
        { Table: 'invoice', Versions: 1 },
      ],
    },
    { Column: 'email' },
  ])
  expect(
    await rig.driver.inWarehouse('SELECT payer_name, total FROM shop.reported_june_2026_invoice ORDER BY id'),
  ).toEqual([
    { payer_name: null, total: '99.50' },
    { payer_name: 'Bob', total: '10.00' },
  ])
  expect(await marks()).toMatchObject([{ Erasures: [{ Versions: 1 }, { Versions: 1 }] }])
})
