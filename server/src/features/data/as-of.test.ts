/** Rows as they were at a moment, through every door of the warehouse, with the rights of each person. */
import { connectors } from '@tributary/contract/connectors'
import { data } from '@tributary/contract/data'
import { dictionary } from '@tributary/contract/dictionary'
import type { FaultReply } from '@tributary/contract/faults'
import { queries } from '@tributary/contract/queries'
import { getFeed } from '@tributary/testing/server/access/odata-feed.ts'
import { selectAs } from '@tributary/testing/server/access/warehouse-login.ts'
import { historyRig, type HistoryRig, runWithHistory } from '@tributary/testing/server/connectors/history-rig.ts'
import { findAuditEvents } from '@tributary/testing/server/app/audit-log.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../kernel/clock.ts'
import { applyAccess } from '../../access/logins/apply-access.ts'

let rig: HistoryRig
let first = ''
let second = ''
beforeAll(async () => {
  rig = await historyRig()
  await runWithHistory(rig)
  ;[first = '', second = ''] = await rig.cutOffs()
  rig.app.clock.advance(Math.max(0, systemClock.now() - rig.app.clock.now()))
})
afterAll(() => rig[Symbol.asyncDispose]())

type Reader = 'admin' | 'user' | 'guest' | 'otherAdmin'

const params = (table = 'customer') => ({ clientId: rig.app.harbour.id, schema: 'shop', table })
const rows = (query: Readonly<Record<string, string | boolean>>, as: Reader = 'admin', table?: string) =>
  rig.app.as[as].call(data.rows, { params: params(table), query })
const cells = async (query: Readonly<Record<string, string | boolean>>, table?: string) =>
  (await rows(query, 'admin', table)).body.Rows

test('[TRUST-7] the explorer shows rows as they were after a run, sorted, filtered and page by page', async () => {
  expect(await cells({ asOf: first })).toEqual([
    [1, 'Ada', 'Leeds'],
    [2, 'Bob', 'York'],
  ])
  expect(await cells({ asOf: second })).toEqual(await cells({}))
  expect(await cells({ asOf: second })).toEqual([
    [1, 'Ada', 'Hull'],
    [3, 'Cem', 'Bath'],
  ])
  const filters = JSON.stringify([{ column: 'city', operator: 'contains', values: ['York'] }])
  expect(await cells({ asOf: first, filters })).toEqual([[2, 'Bob', 'York']])
  expect(await cells({ asOf: first, sort: 'city', descending: true })).toEqual([
    [2, 'Bob', 'York'],
    [1, 'Ada', 'Leeds'],
  ])
  const page = (await rows({ asOf: first, after: JSON.stringify(['1']) })).body
  expect(page.Rows).toEqual([[2, 'Bob', 'York']])
})

test('[TRUST-7] a table without a key is read as of a moment, too', async () => {
  expect(await cells({ asOf: first }, 'note')).toEqual([['first']])
  expect((await cells({ asOf: second }, 'note')).toSorted()).toEqual([['first'], ['second']])
})

test('[TRUST-7] the copied SQL has the call, and gives the same rows under the login of the person', async () => {
  const { Sql } = (await rows({ asOf: first })).body
  expect(Sql).toContain(`"shop"."customer__as_of"('${first}'::timestamptz) AS t`)
  expect(await selectAs(rig.app, rig.app.idOf('admin'), Sql ?? '')).toEqual([
    [1, 'Ada', 'Leeds'],
    [2, 'Bob', 'York'],
  ])
})

test('[TRUST-7] exports and profiles are of the same moment, and the download is recorded with it', async () => {
  const { body } = await rig.app.as.admin.call(data.csv, { params: params(), query: { asOf: first } })
  expect(String(body)).toContain('Bob')
  expect(String(body)).not.toContain('Cem')
  expect((await findAuditEvents(rig.app.store, 'data.export_downloaded')).at(-1)).toMatchObject({
    detail: { asOf: first },
  })
  const profile = await rig.app.as.admin.call(data.profile, {
    params: params(),
    query: { asOf: first, column: 'city' },
  })
  expect(profile.body.Frequent.map(({ Value }) => Value).toSorted()).toEqual(['Leeds', 'York'])
})

test('[TRUST-7] the feed reads a set, its count and a row as of a moment, and refuses others with words', async () => {
  const feed = (path: string, as: 'admin' | 'otherAdmin' = 'admin') => getFeed(rig.app, path, { as })
  const { body } = await feed(`/shop_customer?asOf=${first}&$select=name&$filter=id%20gt%201`)
  expect(body.value).toEqual([{ name: 'Bob' }])
  expect((await feed(`/shop_customer/$count?asOf=${first}`)).text).toBe('2')
  expect((await feed(`/shop_customer(2)?asOf=${first}`)).body).toMatchObject({ city: 'York' })
  expect((await feed('/shop_customer(2)')).status).toBe(404)
  const early = await feed('/shop_customer?asOf=2020-01-01T00:00:00Z')
  expect([early.status, early.body.error?.code]).toEqual([409, 'outsideHistory'])
  expect(early.body.error?.message).toContain('nothing is known of before')
  expect((await feed('/shop_customer?asOf=yesterday')).status).toBe(400)
  expect((await feed(`/shop_customer?asOf=${first}`, 'otherAdmin')).status).toBe(404)
  const paged = await getFeed(rig.app, `/shop_customer?asOf=${first}`, { headers: { prefer: 'odata.maxpagesize=1' } })
  expect(paged.body['@odata.nextLink']).toContain(`asOf=${first}`)
})

test('[TRUST-7] the runs to choose from are those of the history, the latest first', async () => {
  const { body } = await rig.app.as.admin.call(data.moments, { params: params() })
  expect(body).toEqual({
    Name: 'customer__history',
    SinceUtc: first,
    EndedAtUtc: null,
    Runs: [second, first].map((AsOf) => ({ RunId: expect.any(String), AsOf, Status: 'COMPLETED' })),
  })
})

test('[TRUST-7] a moment before history began, in the future or without history is refused with words, never an empty list', async () => {
  const refused = async (query: Readonly<Record<string, string>>, table?: string) => {
    const { status, body } = await rows(query, 'admin', table)
    return [status, (body as unknown as FaultReply).code, (body as unknown as FaultReply).message]
  }
  expect(await refused({ asOf: '2020-01-01T00:00:00Z' })).toEqual([
    409,
    'outsideHistory',
    expect.stringMatching(/^History of customer starts \d+ \w+ \d{4}.*UTC; nothing is known of before\./u),
  ])
  expect(await refused({ asOf: '2999-01-01T00:00:00Z' })).toEqual([400, 'badInput', expect.stringContaining('future')])
  expect(await refused({ asOf: '2026-02-30T00:00:00Z' })).toEqual([400, 'badInput', expect.anything()])
  expect(await refused({ asOf: 'yesterday' })).toEqual([400, 'badInput', expect.anything()])
})

test('[TRUST-6] history tables belong to their tables: explorer, dictionary and feed do not list them, the SQL editor does', async () => {
  const { app } = rig
  const params0 = { clientId: app.harbour.id }
  const listed = (await app.as.admin.call(data.tables, { params: params0 })).body.flatMap(({ Tables }) => Tables)
  expect(listed.map(({ Name, History }) => [Name, History?.Name])).toEqual([
    ['customer', 'customer__history'],
    ['note', 'note__history'],
  ])
  expect(listed[0]?.History?.SinceUtc).toBe(first)
  expect((await rows({}, 'admin', 'customer__history')).status).toBe(404)
  const words = (await app.as.admin.call(dictionary.list, { params: params0, query: {} })).body
  expect(JSON.stringify(words)).not.toContain('__history')
  const { body } = await app.as.admin.call(queries.tables, { params: params0 })
  expect(body.map(({ Name }) => Name)).toContain('customer__history')
})

test('[TRUST-6] exactly those who read all of the table read its history, its function and views over it, at every door', async () => {
  const { app } = rig
  const statements = [
    'SELECT count(*)::int FROM shop.customer__history',
    `SELECT count(*)::int FROM shop.customer__as_of('${first}')`,
  ]
  const canRead = async (as: 'user' | 'guest'): Promise<unknown[]> => [
    (await rows({ asOf: first }, as)).status,
    ...(await Promise.all(
      statements.map((text) =>
        selectAs(app, app.idOf(as), text).then(
          ([row]) => row?.[0],
          (error: { code?: string }) => error.code,
        ),
      ),
    )),
  ]
  const before = await rows({ asOf: first }, 'user')
  expect(before.status).not.toBe(200)
  await app.as.admin.call(connectors.assignUsers, {
    params: { connectorId: rig.connectorId },
    body: { users: [app.idOf('guest')] },
  })
  await applyAccess(app.services, app.harbour.id)
  expect(await canRead('guest')).toEqual([200, 4, 2])
  expect(await rig.driver.inWarehouse(statements[0] ?? '')).toEqual([{ count: 4 }])
  expect(await rig.driver.inWarehouse(statements[1] ?? '')).toEqual([{ count: 2 }])
  await app.as.admin.call(connectors.assignUsers, { params: { connectorId: rig.connectorId }, body: { users: [] } })
  await applyAccess(app.services, app.harbour.id)
  expect((await rows({ asOf: first }, 'guest')).status).toBe(403)
  for (const clientId of [app.harbour.id, app.summit.id])
    for (const route of [data.rows, data.moments] as const) {
      const at = { params: { ...params(), clientId }, ...(route === data.rows && { query: { asOf: first } }) }
      expect((await app.as.otherAdmin.call(route as typeof data.rows, at)).status).toBe(404)
    }
})
