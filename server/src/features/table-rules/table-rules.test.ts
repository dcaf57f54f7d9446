/** Filters and masks over HTTP, with real runs. */
import { dictionary } from '@tributary/contract/dictionary'
import { streams } from '@tributary/contract/streams'
import { tableRules } from '@tributary/contract/table-rules'
import { trust } from '@tributary/contract/trust'
import { findAuditEvents } from '@tributary/testing/server/app/audit-log.ts'
import { type HistoryRig, historyRig } from '@tributary/testing/server/connectors/history-rig.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

let rig: HistoryRig
beforeAll(async () => {
  rig = await historyRig()
})
afterAll(() => rig[Symbol.asyncDispose]())

const stream = 'public.customer'
const none = { stream, conditions: [], masks: [] }
const inLeeds = { column: 'city', operator: 'is', values: ['Leeds'] } as const
const hashedName = { table: 'customer', column: 'name', method: 'hash' } as const

const save = (body: object, params = rig.params) => rig.app.as.admin.call(tableRules.save, { params, body })
const read = async () => (await rig.app.as.admin.call(tableRules.read, { params: rig.params })).body
const rulesOf = async (name: string) => (await read()).Streams.find(({ Stream }) => Stream === name)
const customers = () =>
  rig.driver.inWarehouse<{ id: number; name: string }>('SELECT id, name FROM shop.customer ORDER BY id')

test('[SRC-11] rules that are saved before the first run apply to it', async () => {
  const { status, body } = await save({ stream, conditions: [inLeeds], masks: [{ ...hashedName, table: stream }] })
  expect(status).toBe(200)
  expect(body).toEqual({
    Streams: [
      {
        Stream: stream,
        Table: stream,
        Sentence: 'city is ‘Leeds’',
        Conditions: [{ Column: 'city', Operator: 'is', Values: ['Leeds'] }],
        Masks: [{ Table: stream, Column: 'name', Method: 'hash', Characters: null }],
        Tables: [],
        ChangedAtUtc: expect.any(String),
      },
    ],
  })
  await rig.run()
  expect(await customers()).toEqual([{ id: 1, name: expect.stringMatching(/^[0-9a-f]{64}$/u) }])
})

test('[SRC-11] the list names the columns with what each allows, and the dictionary says that the table is filtered and masked', async () => {
  expect((await rulesOf(stream))?.Masks).toMatchObject([{ Table: 'customer', Column: 'name' }])
  expect((await rulesOf(stream))?.Tables).toEqual([
    {
      Name: 'customer',
      Columns: [
        { Name: 'id', Kind: 'integer', Operators: expect.arrayContaining(['isLess']), MayBeMasked: false },
        { Name: 'name', Kind: null, Operators: expect.arrayContaining(['contains']), MayBeMasked: true },
        { Name: 'city', Kind: 'text', Operators: expect.arrayContaining(['startsWith']), MayBeMasked: true },
      ],
    },
  ])
  const { body } = await rig.app.as.admin.call(dictionary.read, { params: rig.params, query: { table: 'customer' } })
  const text = JSON.stringify(body)
  expect(text).toContain('Filtered: only rows where city is ‘Leeds’.')
  expect(text).toContain('Hashed: a keyed hash takes the place of each value.')
})

test('[SRC-11] the list of tables and Trust say that the table is filtered', async () => {
  const { body: listed } = await rig.app.as.admin.call(streams.list, { params: rig.params })
  expect(listed.map(({ Name, Filter }) => [Name, Filter])).toEqual([
    [stream, 'city is ‘Leeds’'],
    ['public.note', null],
  ])
  const { body: trusted } = await rig.app.as.admin.call(trust.read, { params: { clientId: rig.params.clientId } })
  expect(trusted.Sources.map(({ FilteredTables }) => FilteredTables)).toEqual([1])
})

test('[SRC-11] equal values of two connectors of an organisation have equal hashes, and the key is stored encrypted', async () => {
  const [before] = await customers()
  const second = await rig.driver.add('Copy')
  const params = { ...rig.params, connectorId: second }
  await save({ stream, conditions: [], masks: [hashedName] }, params)
  await rig.driver.runToEnd(second)
  const [other] = await rig.driver.inWarehouse<{ name: string }>('SELECT name FROM copy.customer WHERE id = 1')
  expect(other?.name).toBe(before?.name)
  const stored = await rig.app.store.within(rig.app.harbour.id, (db) =>
    db.selectFrom('maskingSecret').selectAll().execute(),
  )
  expect(stored).toMatchObject([{ secret: expect.stringMatching(/^trb1\./u) }])
})

test('[SRC-11] a row that stops matching leaves, and without rules every row comes back as it is in the source', async () => {
  await rig.source.query(
    `UPDATE customer SET city = 'Leeds' WHERE id = 2; UPDATE customer SET city = 'Bath' WHERE id = 1`,
  )
  await rig.run()
  expect((await customers()).map(({ id }) => id)).toEqual([2])
  expect((await save(none)).body).toMatchObject({ Streams: [{ Sentence: null, Masks: [] }, { Stream: 'public.note' }] })
  await rig.run()
  expect(await customers()).toEqual([
    { id: 1, name: 'Ada' },
    { id: 2, name: 'Bob' },
  ])
})

const condition = (one: object) => ({ ...none, conditions: [{ ...inLeeds, ...one }] })
const mask = (one: object) => ({ ...none, masks: [{ ...hashedName, ...one }] })
test.each([
  [condition({ column: 'gone' }), 'gone, which is no column of customer'],
  [condition({ column: 'id', values: ['seven'] }), '‘seven’ is not a number'],
  [condition({ column: 'id', operator: 'contains' }), 'in a way that its type does not allow'],
  [condition({ values: [] }), 'must have a value to compare city with'],
  [condition({ values: ['Leeds', 'York'] }), 'must have one value for city'],
  [condition({ operator: 'isEmpty' }), 'must have no value for city'],
  [condition({ operator: 'about' }), 'operator'],
  [mask({ column: 'id' }), 'identifies rows of customer'],
  [mask({ column: 'gone' }), 'customer.gone, which is no column'],
  [mask({ table: 'note' }), 'note.name, which is no column'],
  [{ ...none, masks: [hashedName, hashedName] }, 'must name each column only once'],
])('[SRC-11] rules that make no sense are refused with words, and nothing is saved: %j', async (body, words) => {
  const before = await read()
  const { status, body: reply } = await save(body)
  expect([status, JSON.stringify(reply)]).toEqual([400, expect.stringContaining(words)])
  expect(await read()).toEqual(before)
})

test('[SRC-11] administrators set and read them, and the audit log has the columns but no values', async () => {
  const { app, params } = rig
  for (const as of ['user', 'guest', 'otherAdmin', 'visitor'] as const) {
    const expected = as === 'visitor' ? 401 : as === 'otherAdmin' ? 404 : 403
    expect((await app.as[as].call(tableRules.save, { params, body: none })).status).toBe(expected)
    expect((await app.as[as].call(tableRules.read, { params })).status).toBe(expected)
  }
  const foreign = { clientId: app.summit.id, connectorId: rig.connectorId }
  expect((await app.as.otherAdmin.call(tableRules.read, { params: foreign })).status).toBe(404)
  expect((await app.as.otherAdmin.call(tableRules.save, { params: foreign, body: none })).status).toBe(404)
  const events = await findAuditEvents(app.store, 'connector.table_rules_set')
  expect(events.at(0)).toMatchObject({
    objectId: rig.connectorId,
    detail: { stream, conditions: 1, masked: 'name' },
  })
  expect(JSON.stringify(events)).not.toContain('Leeds')
})
