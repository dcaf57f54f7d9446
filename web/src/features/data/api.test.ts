/** Reading a table page by page, further than the pages that stay in memory. */
import { InfiniteQueryObserver, QueryClient } from '@tanstack/react-query'
import { fakeServer } from '@tributary/testing/web/fake-server.ts'
import { expect, test } from 'vitest'
import { dataRows } from './api.ts'

const pageRows = 100
const pages = 45
const location = { clientId: '00000000-0000-4000-8000-000000000001', schema: 'stock', table: 'movement' }
const view = { filters: [], sort: null, isDescending: false, asOf: null }

/** A table whose rows are numbered. Without a key it has no position of its first row, and nothing before a position. */
function serveRows(hasKey: boolean): void {
  const rowsFrom = (start: number, end: number) => Array.from({ length: end - start }, (_, at) => [start + at])
  fakeServer({
    'GET /tributary/clients/:clientId/data/tables/:schema/:table/rows': ({ url }) => {
      const read = (name: string) => JSON.parse(url.searchParams.get(name) ?? 'null') as [string] | null
      const before = read('before')?.[0]
      if (before !== undefined && !hasKey) throw new Error('This table has no key.')
      const start = before === undefined ? Number(read('after')?.[0] ?? -1) + 1 : Math.max(0, Number(before) - pageRows)
      const end = Math.min(start + pageRows, pages * pageRows)
      return {
        Rows: rowsFrom(start, end),
        First: hasKey ? JSON.stringify([String(start)]) : null,
        Last: JSON.stringify([String(end - 1)]),
        HasMore: before === undefined ? end < pages * pageRows : start > 0,
        Sql: 'SELECT',
      }
    },
  })
}

test.each([true, false])(
  '[SEE-4] rows are read to the end and back to the first one, with a key: %s',
  async (hasKey) => {
    serveRows(hasKey)
    const query = new InfiniteQueryObserver(new QueryClient(), dataRows(location, view))
    const stop = query.subscribe(() => undefined)
    const numbers = () =>
      query.getCurrentResult().data?.pages.flatMap(({ Rows }) => Rows.map(([number]) => number)) ?? []
    await query.refetch()
    while (query.getCurrentResult().hasNextPage) await query.fetchNextPage()
    expect([numbers()[0], numbers().at(-1)]).toEqual([2_500, 4_499])
    while (query.getCurrentResult().hasPreviousPage) await query.fetchPreviousPage()
    expect(numbers()).toEqual(Array.from({ length: 2_000 }, (_, number) => number))
    expect(query.getCurrentResult().data?.pages.map(({ start }) => start)).toEqual(
      Array.from({ length: 20 }, (_, page) => page * pageRows),
    )
    await query.fetchNextPage()
    expect(numbers().at(-1)).toBe(2_099)
    stop()
  },
)
