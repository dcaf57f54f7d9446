import { expect, test } from 'vitest'
import { readPages } from './pagination.ts'
import type { ListPage } from './pagination.ts'

/** A list served in pages of `size`, whatever limit is requested. With `hasTotal` it also reports its total. */
interface PagedApiFake {
  rows: number[]
  readonly size: number
  readonly hasTotal: boolean
  asked: number[]
}

function page({ rows, size, hasTotal, asked }: PagedApiFake, number: number): ListPage<readonly number[]> {
  asked.push(number)
  const content = rows.slice((number - 1) * size, number * size)
  return {
    number,
    rows: content.length,
    total: hasTotal ? rows.length : null,
    marker: JSON.stringify(content[0] ?? null),
    content,
  }
}

function api(count: number, size: number, hasTotal = true): PagedApiFake {
  return { rows: Array.from({ length: count }, (_, index) => index), size, hasTotal, asked: [] }
}

async function readAll(
  given: PagedApiFake,
  limit: number,
  how: { from?: number; total?: number; onPage?: (number: number) => void } = {},
): Promise<number[]> {
  const { from = 1, total = null, onPage } = how
  const seen: number[] = []
  for await (const { content, number } of readPages({
    fetch: async (asked) => page(given, asked),
    limit,
    from,
    total,
  })) {
    seen.push(...content)
    onPage?.(number)
  }
  return seen
}

test.each([
  { what: 'full pages', given: api(20, 10), limit: 10, asked: [1, 2] },
  { what: 'a partial last page', given: api(25, 10), limit: 10, asked: [1, 2, 3] },
  { what: 'no rows', given: api(0, 10), limit: 10, asked: [1] },
  { what: 'no total', given: api(25, 10, false), limit: 10, asked: [1, 2, 3] },
  { what: 'no total and full pages', given: api(20, 10, false), limit: 10, asked: [1, 2, 3] },
  { what: 'smaller pages than requested', given: api(25, 4), limit: 10, asked: [1, 2, 3, 4, 5, 6, 7] },
])('a list with $what is read to its end and no further', async ({ given, limit, asked }) => {
  expect(await readAll(given, limit)).toEqual(given.rows)
  expect(given.asked).toEqual(asked)
})

test('an API that repeats its first page forever is read once', async () => {
  const stuck = api(10, 10, false)
  const seen: number[] = []
  for await (const { content } of readPages({
    fetch: async (number) => ({ ...page(stuck, 1), number }),
    limit: 10,
    from: 1,
    total: null,
  }))
    seen.push(...content)
  expect(seen).toEqual(stuck.rows)
})

test.each([
  ['an empty page', []],
  ['a repeat of the page before', [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]],
])('%s before the total is reached does not end the list', async (_, odd) => {
  const given = api(30, 10)
  const seen = new Set<number>()
  let isOdd = true
  const fetch = async (number: number): Promise<ListPage<readonly number[]>> => {
    const right = page(given, number)
    if (number !== 2 || !isOdd) return right
    isOdd = false
    return { ...right, rows: odd.length, marker: JSON.stringify(odd[0] ?? null), content: odd }
  }
  for await (const { content } of readPages({ fetch, limit: 10, from: 1, total: null }))
    for (const row of content) seen.add(row)
  expect(seen.size).toBe(30)
})

test('rows that vanish between two pages hide no other row', async () => {
  const given = api(40, 10)
  const kept = given.rows.slice(5)
  const seen = await readAll(given, 10, {
    onPage: (number) => {
      if (number === 1 && given.rows.length === 40) given.rows = kept
    },
  })
  expect(new Set(seen)).toEqual(new Set([...kept, 0, 1, 2, 3, 4]))
})

test('a resumed walk restarts if rows have vanished', async () => {
  expect(await readAll(api(30, 10), 10, { from: 3, total: 40 })).toHaveLength(30)
  expect(await readAll(api(40, 10), 10, { from: 3, total: 40 })).toHaveLength(20)
})

test('a list that never stops changing fails instead of being read forever', async () => {
  const given = api(1_000, 10)
  const shrinking = readAll(given, 10, {
    onPage: () => {
      given.rows = given.rows.slice(1)
    },
  })
  await expect(shrinking).rejects.toMatchObject({ kind: 'passing' })
})
