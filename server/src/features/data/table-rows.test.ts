/** The rows of a table over HTTP: pages, order, filters and the SQL to copy. */
import { data, type DataFilter } from '@tributary/contract/data'
import type { FaultReply } from '@tributary/contract/faults'
import { type DataFixture, openDataFixture, toFilters } from '@tributary/testing/server/access/data-fixture.ts'
import { runAs, writerOf } from '@tributary/testing/server/access/warehouse-login.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

let there: DataFixture
beforeAll(async () => {
  there = await openDataFixture()
})
afterAll(() => there[Symbol.asyncDispose]())

async function idsOf(query: Record<string, string | boolean>): Promise<unknown[]> {
  const { status, body } = await there.app.as.admin.call(data.rows, { params: there.params(), query })
  expect([status, body]).toEqual([200, expect.anything()])
  return body.Rows.map(([id]) => id)
}

test('[SEE-4] decimals and 64-bit integers come with all their digits', async () => {
  const { body } = await there.app.as.admin.call(data.rows, {
    params: there.params(),
    query: { filters: toFilters({ column: 'id', operator: 'oneOf', values: ['9007199254740993'] }) },
  })
  expect(body.Rows).toEqual([
    [
      '9007199254740993',
      'INV-250',
      '12345678901234567890.1234567891',
      true,
      '2026-02-28',
      '2026-03-01T00:00:00+00:00',
      '{"a" : 1}',
    ],
  ])
})

test.each([{}, { descending: true }, { sort: 'total' }, { sort: 'total', descending: true }, { sort: 'number' }])(
  '[SEE-4] rows are read page by page forwards and backwards in one order: %j',
  async (query) => {
    const read = async (position: Record<string, string>) =>
      (await there.app.as.admin.call(data.rows, { params: there.params(), query: { ...query, ...position } })).body
    const pages = [await read({})]
    for (let page = pages[0]; page?.HasMore === true;) {
      page = await read({ after: page.Last ?? '' })
      pages.push(page)
    }
    const forward = pages.flatMap(({ Rows }) => Rows.map(([id]) => id))
    expect(pages.map(({ Rows }) => Rows.length)).toEqual([100, 100, 50])
    expect(new Set(forward).size).toBe(250)
    const last = pages.at(-1)
    const backward = [...(last?.Rows ?? [])]
    for (let page = last; page !== undefined && backward.length < 250;) {
      page = await read({ before: page.First ?? '' })
      backward.unshift(...page.Rows)
    }
    expect(backward.map(([id]) => id)).toEqual(forward)
  },
)

test('[SEE-4] a table without a key is paged by place, and a view shows its first rows', async () => {
  const movement = { params: there.params('movement', 'stock') }
  const first = await there.app.as.admin.call(data.rows, movement)
  expect(first.body).toMatchObject({ First: null, HasMore: true })
  const second = await there.app.as.admin.call(data.rows, { ...movement, query: { after: first.body.Last ?? '' } })
  expect(second.body.Rows[0]).toEqual([101, 'west'])
  const view = await there.app.as.admin.call(data.rows, { params: there.params('unpaid') })
  expect(view.body).toMatchObject({ First: null, Last: null })
  await runAs(await writerOf(there.app), 'UPDATE stock.movement SET place = place WHERE n = 200')
  const moved = await there.app.as.admin.call(data.rows, { ...movement, query: { after: second.body.Last ?? '' } })
  expect([moved.status, (moved.body as unknown as FaultReply).code]).toEqual([409, 'rowsMoved'])
})

const big = '9007199254740993'

test.each<[DataFilter, (number | string)[]]>([
  [{ column: 'number', operator: 'contains', values: ['v-7'] }, [7, 70, 71, 72, 73, 74, 75, 76, 77, 78, 79]],
  [
    { column: 'number', operator: 'startsWith', values: ['INV-24'] },
    [24, 240, 241, 242, 243, 244, 245, 246, 247, 248, 249],
  ],
  [{ column: 'number', operator: 'oneOf', values: ['INV-3', 'INV-4'] }, [3, 4]],
  [{ column: 'number', operator: 'empty' }, [5, 6]],
  [{ column: 'total', operator: 'between', values: ['2.5', '5'] }, [2, 3, 4]],
  [{ column: 'total', operator: 'between', values: ['307', ''] }, [246, 247, 248, 249, big]],
  [{ column: 'id', operator: 'between', values: ['', '2'] }, [1, 2]],
  [{ column: 'issued', operator: 'between', values: ['2026-01-03', '2026-01-04'] }, [3, 4]],
  [{ column: 'changed', operator: 'today' }, [1, 2]],
  [{ column: 'changed', operator: 'thisMonth' }, [1, 2, 3]],
  [{ column: 'changed', operator: 'lastMonth' }, [4]],
  [{ column: 'doc', operator: 'contains', values: ['"A"'] }, [big]],
])('[SEE-4] a filter finds its rows: %j', async (filter, expected) => {
  expect(await idsOf({ filters: toFilters(filter), timeZone: 'Pacific/Auckland' })).toEqual(expected.map(String))
})

test('[SEE-4] several filters all match, and the query can be copied as SQL that returns the same rows', async () => {
  const asked = {
    sort: 'total',
    descending: true,
    filters: toFilters(
      { column: 'paid', operator: 'oneOf', values: ['true'] },
      { column: 'number', operator: 'noneOf', values: ["O'Neill"] },
      { column: 'id', operator: 'between', values: ['10', '20'] },
    ),
  }
  const { body } = await there.app.as.admin.call(data.rows, { params: there.params(), query: asked })
  const copied = await runAs(await writerOf(there.app), body.Sql ?? '')
  expect(copied.map(({ id }) => id)).toEqual(body.Rows.map(([id]) => id))
  expect(copied).toHaveLength(6)
})

test.each<[Record<string, string>, string, RegExp]>([
  [{ filters: 'no json' }, 'filters', /filters/],
  [
    { filters: toFilters({ column: 'nowhere', operator: 'empty' }) },
    'filters',
    /“nowhere”, which the table does not have/,
  ],
  [{ filters: toFilters({ column: 'total', operator: 'contains', values: ['1'] }) }, 'filters', /does not have it/],
  [
    { filters: toFilters({ column: 'total', operator: 'between', values: ['many', ''] }) },
    'filters',
    /a number for “total”/,
  ],
  [{ filters: toFilters({ column: 'issued', operator: 'between', values: ['2026-02-30', ''] }) }, 'filters', /a date/],
  [{ filters: toFilters({ column: 'number', operator: 'oneOf' }) }, 'filters', /need a value for “number”/],
  [{ sort: 'nowhere' }, 'sort', /column/],
  [{ after: '["a"]' }, 'after', /./],
  [{ after: '["1","2","3"]' }, 'after', /start again at the first row/],
])('[SEE-4] bad input says what is wrong: %j', async (query, field, message) => {
  const { status, body } = await there.app.as.admin.call(data.rows, { params: there.params(), query })
  const fault = body as unknown as FaultReply
  expect([status, Object.keys(fault.fields ?? {})]).toEqual([400, [field]])
  expect(fault.message).toMatch(message)
})
