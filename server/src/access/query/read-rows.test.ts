/** Reading rows page by page and as a stream, on a real PostgreSQL. */
import { openQueryDatabase, type QueryDatabase } from '@tributary/testing/server/access/query-database.ts'
import type { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Expression } from './expression.ts'
import type { JsonFormat } from './json-rows.ts'
import { PositionLost, readRows, streamRows } from './read-rows.ts'
import type { RowPosition } from './row-position.ts'
import type { OrderTerm, TableQuery } from './table-query.ts'

let there: QueryDatabase
beforeAll(async () => {
  there = await openQueryDatabase(`
    CREATE TABLE kinds (
      id bigint PRIMARY KEY, i int, d numeric(40,10), n numeric, f double precision, b boolean, day date, t time, at timestamp, seen timestamptz,
      g uuid, raw bytea, doc json, tags text[], s text
    );
    INSERT INTO kinds VALUES
      (9007199254740993, -1, 123456789012345678901234567890.0123456789, 'Infinity', '-Infinity', true, '2026-01-31', '13:05:00.5',
       '2026-01-31 13:05:00.123456', '2026-01-31 13:05:00+02', '6b1f0c52-0d5a-4c0b-9a51-3f0c6d2e7a10', '\\xfffeff', '{"a" : 1}', '{x}', E'"\\\\\\n\\u0001é😀'),
      (2, NULL, 0, 'NaN', 0.1, NULL, '-infinity', NULL, '0044-03-15 BC', 'infinity', NULL, '', NULL, NULL, '');
    CREATE TABLE many (id int PRIMARY KEY, a int, b text NOT NULL, c numeric(10,2));
    INSERT INTO many SELECT n, nullif(n % 7, 0), chr(97 + n % 5), nullif(n % 11, 3) / 4.0 FROM generate_series(1, 500) AS n;
    CREATE TABLE pair (x text, y int, z int, PRIMARY KEY (x, y));
    INSERT INTO pair SELECT 'é' || n % 9, n, n FROM generate_series(1, 200) AS n;
    CREATE TABLE keyless (a int, b text);
    INSERT INTO keyless SELECT n % 3, 'same' FROM generate_series(1, 300) AS n;
    CREATE VIEW shown AS SELECT a, b FROM many;
    CREATE TABLE wide (id int PRIMARY KEY, s text);
    INSERT INTO wide SELECT n, repeat('x', 2000) FROM generate_series(1, 20000) AS n;`)
})
afterAll(() => there[Symbol.asyncDispose]())

const plain: JsonFormat = { exactNumbers: 'number' }
const exact: JsonFormat = { exactNumbers: 'text' }
const column = (name: string): Expression => ({ type: 'column', name })
const by = (name: string, descending = false): OrderTerm => ({ expression: column(name), descending })

async function streamed(query: TableQuery, format = plain, client: Client = there.client) {
  const { chunks, end } = streamRows(client, query, format)
  const parts: Buffer[] = []
  for await (const chunk of chunks) parts.push(Buffer.from(chunk))
  return { text: Buffer.concat(parts).toString(), ...end() }
}

type ReadPage = (query: TableQuery & { limit: number }) => Promise<{ rows: unknown[]; next: RowPosition | null }>

const waysToRead: readonly [string, ReadPage][] = [
  [
    'at once',
    async (query) => {
      const { json, next } = await readRows(there.client, query, plain)
      return { rows: json.map((row) => JSON.parse(row) as unknown), next }
    },
  ],
  [
    'as a stream',
    async (query) => {
      const { text, next } = await streamed(query)
      return { rows: JSON.parse(`[${text}]`) as unknown[], next }
    },
  ],
]

async function readPages(read: ReadPage, query: TableQuery, limit: number): Promise<unknown[]> {
  const all: unknown[] = []
  for (let after: RowPosition | undefined; ;) {
    const { rows, next } = await read({ ...query, after, limit })
    all.push(...rows)
    if (next === null) return all
    expect(rows).toHaveLength(limit)
    after = next
  }
}

test('[SEE-8] each kind of column becomes JSON without losing a digit', async () => {
  const kinds = await there.table('kinds')
  const { text, rows } = await streamed({ table: kinds, orderBy: [by('i', true)] })
  expect(rows).toBe(2)
  expect(text.split(',\n')).toEqual([
    '{"id":9007199254740993,"i":-1,"d":123456789012345678901234567890.0123456789,"n":"INF","f":"-INF","b":true,"day":"2026-01-31","t":"13:05:00.5","at":"2026-01-31T13:05:00.123456+00:00","seen":"2026-01-31T11:05:00+00:00","g":"6b1f0c52-0d5a-4c0b-9a51-3f0c6d2e7a10","raw":"__7_","doc":"{\\"a\\" : 1}","tags":"{x}","s":"\\"\\\\\\n\\u0001é😀"}',
    '{"id":2,"i":null,"d":0.0000000000,"n":"NaN","f":0.1,"b":null,"day":"0001-01-01","t":null,"at":"0001-01-01T00:00:00+00:00","seen":"9999-12-31T23:59:59.999999+00:00","g":null,"raw":"","doc":null,"tags":null,"s":""}',
  ])
  expect(
    (await streamed({ table: kinds, select: ['id', 'd', 'n'], orderBy: [by('i', true)] }, exact)).text.split(',\n'),
  ).toEqual([
    '{"id":"9007199254740993","d":"123456789012345678901234567890.0123456789","n":"INF"}',
    '{"id":"2","d":"0.0000000000","n":"NaN"}',
  ])
})

test('[SEE-8] the time zone of the session changes nothing', async () => {
  await using other = await openQueryDatabase('CREATE TABLE seen (id int PRIMARY KEY, at timestamptz, local timestamp)')
  await other.client.query(
    `SET TimeZone = 'Asia/Tokyo'; INSERT INTO seen VALUES (1, '2026-01-31 00:00:00+00', '2026-01-31')`,
  )
  expect((await streamed({ table: await other.table('seen') }, plain, other.client)).text).toBe(
    '{"id":1,"at":"2026-01-31T00:00:00+00:00","local":"2026-01-31T00:00:00+00:00"}',
  )
})

test('[SEE-8] properties may have other names than columns, and texts that all rows share', async () => {
  const format: JsonFormat = {
    exactNumbers: 'number',
    properties: (columns) => [
      { name: '@type', text: `#It's "one"` },
      ...columns.map((each) => ({ name: `${each.name}"2`, column: each })),
    ],
  }
  const query = { table: await there.table('many'), select: ['id'], limit: 1 }
  expect((await streamed(query, format)).text).toBe('{"@type":"#It\'s \\"one\\"","id\\"2":1}')
})

test.each(waysToRead)(
  '[SEE-8] pages %s have every row once, in the order, with nulls where the order says',
  async (_, read) => {
    const orders: OrderTerm[][] = [
      [],
      [by('id', true)],
      [by('a')],
      [by('a', true)],
      [{ ...by('a'), nulls: 'last' }],
      [{ ...by('a', true), nulls: 'first' }],
      [by('b'), by('a', true)],
      [by('a'), by('c', true), by('b')],
      [by('c'), by('id', true)],
      [{ expression: { type: 'call', name: 'toupper', operands: [column('b')] } }, by('c')],
      [{ expression: { type: 'arithmetic', operator: 'mod', left: column('id'), right: column('id') } }],
    ]
    const table = await there.table('many')
    for (const orderBy of orders) {
      const { rows: whole } = await read({ table, orderBy, limit: 1_000 })
      expect(whole).toHaveLength(500)
      expect(await readPages(read, { table, orderBy }, 43)).toEqual(whole)
      const filter: Expression = {
        type: 'compare',
        operator: 'eq',
        left: column('b'),
        right: { type: 'literal', kind: 'text', value: 'c' },
      }
      expect(await readPages(read, { table, orderBy, filter }, 20)).toHaveLength(100)
    }
  },
)

test.each(waysToRead)('[SEE-8] pages %s of a table whose key has several columns, and of groups', async (_, read) => {
  const table = await there.table('pair')
  expect(await readPages(read, { table }, 7)).toEqual((await read({ table, limit: 1_000 })).rows)
  const many = await there.table('many')
  const steps = [{ type: 'group', by: ['a', 'b'], aggregates: [{ name: 'Rows', method: 'count' }] }] as const
  const { rows: groups } = await read({ table: many, steps, limit: 1_000 })
  expect(groups).toHaveLength(35)
  expect(await readPages(read, { table: many, steps }, 4)).toEqual(groups)
  const orderBy = [by('Rows', true)]
  expect(await readPages(read, { table: many, steps, orderBy }, 4)).toEqual(
    (await read({ table: many, steps, orderBy, limit: 99 })).rows,
  )
})

test('[SEE-8] the page after a key uses the index, and reads no earlier row', async () => {
  const table = await there.table('wide')
  await there.client.query('ANALYZE wide')
  const { compileJson } = await import('./json-rows.ts')
  const { withLiterals } = await import('./sql-text.ts')
  const { statement } = compileJson({ table, after: ['15000'], limit: 10 }, plain)
  const { rows } = await there.client.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${withLiterals(statement)}`)
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
  expect(plan).toContain('Index Scan using wide_pkey')
  expect(plan).toContain('Index Cond: (id > 15000)')
  expect(plan).not.toContain('Sort')
})

test.each(waysToRead)(
  '[SEE-8] pages %s of a table without a key have equal rows as often as the table',
  async (_, read) => {
    const table = await there.table('keyless')
    const whole = await readPages(read, { table, orderBy: [by('a', true)] }, 17)
    expect(whole).toEqual([2, 1, 0].flatMap((a) => Array.from({ length: 100 }, () => ({ a, b: 'same' }))))
    expect(await readPages(read, { table }, 100)).toHaveLength(300)
  },
)

test.each([
  ['replaced by a refresh', 'CREATE TABLE fresh AS TABLE moved; DROP TABLE moved; ALTER TABLE fresh RENAME TO moved'],
  ['filled again', 'DELETE FROM moved; INSERT INTO moved SELECT n FROM generate_series(1, 50) AS n'],
  ['emptied', 'TRUNCATE moved'],
])('[SEE-8] the pages of a table without a key do not continue after it was %s', async (_, change) => {
  await using own = await openQueryDatabase('CREATE TABLE moved AS SELECT n FROM generate_series(1, 50) AS n')
  const query = { table: await own.table('moved'), limit: 10 }
  const { next } = await readRows(own.client, query, plain)
  const continued = { ...query, after: next ?? undefined }
  expect((await readRows(own.client, continued, plain)).json[0]).toBe('{"n":11}')
  await own.client.query(change)
  await expect(readRows(own.client, continued, plain)).rejects.toThrow(PositionLost)
  await expect(streamed(continued, plain, own.client)).rejects.toThrow(PositionLost)
  expect((await own.client.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
})

test('[SEE-8] a view without a key has no position, and says that rows are missing', async () => {
  const query = { table: await there.table('shown'), limit: 10, orderBy: [by('b')] }
  expect(await readRows(there.client, query, plain)).toMatchObject({ rows: 10, hasMore: true, next: null })
  expect(await streamed(query)).toMatchObject({ rows: 10, hasMore: true, next: null })
  expect(await streamed({ ...query, limit: 500 })).toMatchObject({ rows: 500, hasMore: false, next: null })
})

test('[SEE-8] a position of another query, or one that was made up, is refused', async () => {
  const query = { table: await there.table('many'), orderBy: [by('c')], limit: 10 }
  await expect(readRows(there.client, { ...query, after: ['1'] }, plain)).rejects.toThrow(
    'The page does not belong to this query. Start again without it.',
  )
  await expect(
    readRows(there.client, { ...query, after: ['1', `1); DROP TABLE many; --`] }, plain),
  ).rejects.toMatchObject({ code: '22P02' })
  await expect(streamed({ ...query, after: ['1', `1'); DROP TABLE many; --`] })).rejects.toMatchObject({
    code: '22P02',
  })
  expect((await readRows(there.client, query, plain)).rows).toBe(10)
})

test('[SEE-8] a stream has the rows of one moment, and every row however the bytes are cut', async () => {
  const table = await there.table('wide')
  const { text, rows } = await streamed({ table })
  expect(rows).toBe(20_000)
  const ids = (JSON.parse(`[${text}]`) as { id: number; s: string }[]).map(({ id, s }) =>
    s.length === 2_000 ? id : -1,
  )
  expect(ids).toEqual(Array.from({ length: 20_000 }, (_, at) => at + 1))
})

test('[SEE-8] a reader that waits makes PostgreSQL wait, and one that stops loses only its connection', async () => {
  const client = await there.connect()
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
  const stateOf = async () => {
    const found = await there.client.query<{ wait_event: string | null }>(
      'SELECT wait_event FROM pg_stat_activity WHERE pid = $1',
      [rows[0]?.pid],
    )
    return found.rows[0]?.wait_event
  }
  const reader = streamRows(client, { table: await there.table('wide') }, plain).chunks[Symbol.asyncIterator]()
  await reader.next()
  await expect.poll(stateOf, { timeout: 20_000 }).toBe('ClientWrite')
  await reader.return?.()
  client.end().catch(() => undefined)
  await there.client.query('SELECT pg_terminate_backend($1)', [rows[0]?.pid])
  await expect.poll(stateOf, { timeout: 20_000 }).toBeUndefined()
})
