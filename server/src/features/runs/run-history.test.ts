import { connectors } from '@tributary/contract/connectors'
import { runs } from '@tributary/contract/runs'
import { users } from '@tributary/contract/users'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { insertFixtures, type RouteFixtures } from '@tributary/testing/server/app/every-route.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'

let app: TestApp
let things: RouteFixtures

beforeAll(async () => {
  app = await testApp()
  things = await insertFixtures(app, app.harbour, app.idOf('user'))
})
afterAll(() => app[Symbol.asyncDispose]())

test('[UX-PREF-8] the history has every day of a time zone, also days without runs; a run counts on the day it was queued', async () => {
  const zone = 'Pacific/Auckland'
  await app.as.admin.call(users.updateOrganisation, { params: { clientId: app.harbour.id }, body: { timeZone: zone } })
  const { clientId: organisationId, connectorId } = await insertFixtures(app, app.harbour, app.idOf('user'))
  // 15 minutes before and after midnight in that time zone, the day before yesterday.
  const midnight = sql`(date_trunc('day', now() AT TIME ZONE ${zone}) - interval '1 day') AT TIME ZONE ${zone}`
  const at = (minutes: number) => sql<string>`${midnight} + ${minutes} * interval '1 minute'`
  const done = (minutes: number) => ({
    queuedAt: at(minutes),
    startedAt: at(minutes),
    completedAt: sql<string>`${at(minutes)} + interval '90 seconds'`,
  })
  const run = { organisationId, connectorId, mode: 'incremental', trigger: 'schedule', triggeredBy: null } as const
  await app.store.within(organisationId, async (db) => {
    await db
      .insertInto('run')
      .values([
        {
          ...run,
          ...done(-15),
          status: 'COMPLETED',
          rowsRead: 10,
          rowsWritten: 8,
          rowsUpdated: 3,
          rowsDeleted: 1,
          rowsRejected: 2,
        },
        { ...run, ...done(15), status: 'FAILED', rowsRead: 5 },
        { ...run, ...done(30), status: 'COMPLETED', rowsRead: 7, rowsWritten: 7 },
        // The clock was set back during the run.
        { ...run, queuedAt: at(-60 * 30), startedAt: at(-60 * 30), completedAt: at(-60 * 31), status: 'COMPLETED' },
      ])
      .execute()
  })
  const historyIn = async (timeZone?: string) => {
    const query = { days: 5, ...(timeZone !== undefined && { timeZone }) }
    return (await app.as.user.call(runs.history, { params: { clientId: organisationId, connectorId }, query })).body
  }
  const body = await historyIn()
  const none = { Failed: 0, RowsRead: 0, RowsWritten: 0, RowsUpdated: 0, RowsDeleted: 0, RowsRejected: 0, Seconds: 0 }
  expect(body).toMatchObject([
    { ...none, Runs: 0 },
    { ...none, Runs: 1, Seconds: 0 },
    { ...none, Runs: 1, RowsRead: 10, RowsWritten: 8, RowsUpdated: 3, RowsDeleted: 1, RowsRejected: 2, Seconds: 90 },
    { ...none, Runs: 2, Failed: 1, RowsRead: 12, RowsWritten: 7, Seconds: 180 },
    // The run of the connector itself, a moment ago.
    { ...none, Runs: 1 },
  ])
  const today = new Intl.DateTimeFormat('sv-SE', { timeZone: zone }).format(new Date())
  expect(body.at(-1)?.Day).toBe(today)
  // Midnight in Auckland is noon in UTC: all of them are on one day.
  expect((await historyIn('UTC')).map(({ Runs }) => Runs)).toContain(3)
  expect(await historyIn('Mars/Olympus_Mons')).toEqual(body)
  expect(
    (await app.as.admin.call(runs.history, { params: { clientId: organisationId, connectorId } })).body,
  ).toHaveLength(60)
})

test('a connector with years of runs lists the latest thousand and the total count', async () => {
  const { clientId, connectorId, runId } = await insertFixtures(app, app.harbour, app.idOf('user'))
  await app.store.within(clientId, (db) =>
    sql`INSERT INTO run (organisationId, connectorId, mode, trigger, status, queuedAt, completedAt)
      SELECT ${clientId}, ${connectorId}, 'incremental', 'schedule', 'COMPLETED', now() - at * interval '1 hour', now() - at * interval '1 hour'
      FROM generate_series(1, 1200) AS at`.execute(db),
  )
  const { body, headers } = await app.as.admin.call(runs.list, { params: { clientId, connectorId } })
  expect([body.length, headers['x-total-count'], body[0]?.Id]).toEqual([1_000, '1201', runId])
  const query = { page: 13, pageSize: 100 }
  expect((await app.as.admin.call(runs.list, { params: { clientId, connectorId }, query })).body).toHaveLength(1)
})

test('rejected rows are exported without formulas that a spreadsheet would evaluate, and the export is in the audit log', async () => {
  const { clientId: organisationId, runId } = things
  await app.store.within(organisationId, (db) =>
    db
      .insertInto('runRejected')
      .values({
        organisationId,
        runId,
        tableName: '=cmd',
        columnName: 'due',
        reason: 'No such day, "2026-02-30".',
        row: JSON.stringify({ id: '2' }),
      })
      .execute(),
  )
  const { status, body, headers } = await app.as.user.send<string>(
    'GET',
    `/api/tributary/clients/${organisationId}/connectors/${things.connectorId}/runs/${runId}/rejected.csv`,
  )
  expect(status).toBe(200)
  expect(headers).toMatchObject({
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': expect.stringMatching(/^attachment; filename="rejected-rows-\d{4}-\d\d-\d\d\.csv"$/u),
  })
  expect(body.replace(/^\uFEFF/u, '').split('\r\n')).toEqual([
    'Table,Column,Reason,Row',
    'orders,,too long,"{""id"":""1""}"',
    `'=cmd,due,"No such day, ""2026-02-30"".","{""id"":""2""}"`,
    '',
  ])
  const events = await app.store.within(organisationId, (db) =>
    db.selectFrom('auditEvent').select(['objectId', 'detail']).where('action', '=', 'data.export_downloaded').execute(),
  )
  expect(events).toEqual([{ objectId: things.connectorId, detail: { runId } }])
})

test('a schedule preview shows the next five fires in the organisation’s time zone, and an invalid schedule is refused with a message', async () => {
  const preview = (cron: string) =>
    app.as.admin.call(connectors.previewSchedule, { params: { clientId: app.harbour.id }, query: { cron } })
  await app.as.admin.call(users.updateOrganisation, {
    params: { clientId: app.harbour.id },
    body: { timeZone: 'Europe/Copenhagen' },
  })
  const { body } = await preview('30 6 * * 1')
  expect(body.TimeZone).toBe('Europe/Copenhagen')
  const local = new Intl.DateTimeFormat('en-GB', {
    timeZone: 'Europe/Copenhagen',
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
  })
  expect(body.Next.map((at) => local.format(new Date(at)))).toEqual(Array.from({ length: 5 }, () => 'Mon 06:30'))
  expect(body.Next.toSorted()).toEqual(body.Next)
  for (const cron of ['every day', '0 6 * *', '0 0 31 2 *'])
    expect(await preview(cron)).toMatchObject({
      status: 400,
      body: { fields: { cron: expect.stringContaining('five fields') } },
    })
})
