import { expect, test } from 'vitest'
import { eachPage } from './pages.ts'
import type { Page } from './pages.ts'

/** A list that answers pages of `size`, whatever was asked; `total` null where the API does not tell it. */
interface Api {
  rows: number[]
  readonly size: number
  readonly tells: boolean
  asked: number[]
}

function page({ rows, size, tells, asked }: Api, number: number): Page<readonly number[]> {
  asked.push(number)
  const content = rows.slice((number - 1) * size, number * size)
  return {
    number,
    rows: content.length,
    total: tells ? rows.length : null,
    first: JSON.stringify(content[0] ?? null),
    content,
  }
}

function api(count: number, size: number, tells = true): Api {
  return { rows: Array.from({ length: count }, (_, index) => index), size, tells, asked: [] }
}

async function readAll(
  given: Api,
  limit: number,
  how: { from?: number; total?: number; onPage?: (number: number) => void } = {},
): Promise<number[]> {
  const { from = 1, total = null, onPage } = how
  const seen: number[] = []
  for await (const { content, number } of eachPage({
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
  { what: 'whole pages', given: api(20, 10), limit: 10, asked: [1, 2] },
  { what: 'a last page that is not full', given: api(25, 10), limit: 10, asked: [1, 2, 3] },
  { what: 'nothing', given: api(0, 10), limit: 10, asked: [1] },
  { what: 'no total', given: api(25, 10, false), limit: 10, asked: [1, 2, 3] },
  { what: 'no total and whole pages', given: api(20, 10, false), limit: 10, asked: [1, 2, 3] },
  { what: 'smaller pages than asked for', given: api(25, 4), limit: 10, asked: [1, 2, 3, 4, 5, 6, 7] },
])('a list of $what is read to its end and no further', async ({ given, limit, asked }) => {
  expect(await readAll(given, limit)).toEqual(given.rows)
  expect(given.asked).toEqual(asked)
})

test('an API that repeats its first page for ever is read once', async () => {
  const stuck = api(10, 10, false)
  const seen: number[] = []
  for await (const { content } of eachPage({
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
  ['the page before once more', [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]],
])('%s before the end that the API itself has told is not taken for the end', async (_, odd) => {
  const given = api(30, 10)
  const seen = new Set<number>()
  let isOdd = true
  const fetch = async (number: number): Promise<Page<readonly number[]>> => {
    const right = page(given, number)
    if (number !== 2 || !isOdd) return right
    isOdd = false
    return { ...right, rows: odd.length, first: JSON.stringify(odd[0] ?? null), content: odd }
  }
  for await (const { content } of eachPage({ fetch, limit: 10, from: 1, total: null }))
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

test('a walk that goes on after rows have vanished begins anew', async () => {
  expect(await readAll(api(30, 10), 10, { from: 3, total: 40 })).toHaveLength(30)
  expect(await readAll(api(40, 10), 10, { from: 3, total: 40 })).toHaveLength(20)
})

test('a list that never stands still is given up, not read for ever', async () => {
  const given = api(1_000, 10)
  const shrinking = readAll(given, 10, {
    onPage: () => {
      given.rows = given.rows.slice(1)
    },
  })
  await expect(shrinking).rejects.toMatchObject({ kind: 'passing' })
})
