/** Files of the rows of a table, over HTTP, read back by other readers. */
import type { AddressInfo } from 'node:net'
import { data } from '@tributary/contract/data'
import { adminOf, type DataFixture, openDataFixture } from '@tributary/testing/server/access/data-fixture.ts'
import { applyChanges, runAs, writerOf } from '@tributary/testing/server/access/warehouse-login.ts'
import { findAuditEvents } from '@tributary/testing/server/app/audit-log.ts'
import { until } from '@tributary/testing/server/connectors/run-driver.ts'
import { uploadFile } from '@tributary/testing/server/excel/load-sheets.ts'
import { parquetMetadata, parquetReadObjects } from 'hyparquet'
import { DEFAULT_PARSERS } from 'hyparquet/src/convert.js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { writeXlsx } from './xlsx-writer.ts'

let there: DataFixture
let address: string
beforeAll(async () => {
  there = await openDataFixture()
  const { app } = there
  await runAs(await writerOf(app), kinds)
  await applyChanges(app)
  await app.http.listen({ host: '127.0.0.1', port: 0 })
  address = `http://127.0.0.1:${(app.http.server.address() as AddressInfo).port}`
})
afterAll(() => there[Symbol.asyncDispose]())

const kinds = `
  CREATE TABLE shop.kinds (
    id bigint PRIMARY KEY, i int, d numeric(38,10), n numeric, f double precision, b boolean, day date, t time, at timestamp(6), seen timestamptz,
    g uuid, raw bytea, doc json, s text);
  INSERT INTO shop.kinds VALUES
    (9007199254740993, -1, -1234567890123456789012345678.0123456789, 12345678901234567890.5, 0.1, true, '2026-01-31', '13:05:00.5',
     '2026-01-31 13:05:00.123456', '2026-01-31 13:05:00+02', '6b1f0c52-0d5a-4c0b-9a51-3f0c6d2e7a10', '\\xfffeff', '{"a" : 1}', 'é "quoted", and' || chr(10) || 'more'),
    (2, NULL, 12.5, NULL, 'Infinity', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '=1+1'),
    (3, 7, -0.5, -3, -2.5, false, '1850-01-01', '00:00', NULL, NULL, NULL, '', NULL, '');
  CREATE TABLE shop.formulas (id int PRIMARY KEY, s text);
  INSERT INTO shop.formulas VALUES (1, '=1+1'), (2, '+1'), (3, '-1'), (4, '@SUM(A1)'), (5, E'\\t=1'), (6, E'\\r=1'), (7, 'plain'), (8, '_x0041_');
  CREATE VIEW shop.endless AS SELECT n AS id, ${[1, 2, 3, 4].map((part) => `sha512((n || '.${part}')::bytea)::text`).join(' || ')} AS s FROM generate_series(1, 2000000) AS n;
  CREATE VIEW shop.vast AS SELECT n AS id, repeat('x', n) AS s FROM unnest(ARRAY[1, 300000000]) AS n;
  CREATE TABLE shop.large AS SELECT n AS id, repeat('x', 200) AS s FROM generate_series(1, 100000) AS n;
  ALTER TABLE shop.large ADD PRIMARY KEY (id);`

type Format = 'csv' | 'xlsx' | 'parquet'

async function download(
  format: Format,
  table: string,
  {
    query = {},
    as = 'admin',
    signal,
  }: { query?: Record<string, string>; as?: 'admin' | 'guest'; signal?: AbortSignal } = {},
): Promise<Response> {
  const session = await there.app.as[as].session()
  const { path } = data[format]
  const url = path.replace(':clientId', there.app.harbour.id).replace(':schema', 'shop').replace(':table', table)
  return fetch(`${address}/api${url}?${new URLSearchParams(query).toString()}`, {
    headers: { authorization: `Bearer ${session?.accessToken}` },
    ...(signal && { signal }),
  })
}

async function bytesOf(response: Response): Promise<Buffer> {
  if (response.status !== 200) throw new Error(await response.text())
  return Buffer.from(await response.arrayBuffer())
}

test('[SEE-4] a CSV has every row in its order, with numbers and text as they are', async () => {
  const response = await download('csv', 'kinds')
  expect(response.headers.get('content-disposition')).toBe('attachment; filename="kinds.csv"')
  expect((await bytesOf(response)).toString().split('\r\n')).toEqual([
    '\uFEFFid,i,d,n,f,b,day,t,at,seen,g,raw,doc,s',
    `2,,12.5000000000,,INF,,,,,,,,,'=1+1`,
    `3,7,-0.5000000000,-3,-2.5,false,1850-01-01,00:00:00,,,,,,`,
    '9007199254740993,-1,-1234567890123456789012345678.0123456789,12345678901234567890.5,0.1,true,2026-01-31,13:05:00.5,2026-01-31T13:05:00.123456+00:00,2026-01-31T11:05:00+00:00,6b1f0c52-0d5a-4c0b-9a51-3f0c6d2e7a10,__7_,"{""a"" : 1}","é ""quoted"", and\nmore"',
    '',
  ])
})

test('[SEE-4] a file has the filtered and sorted rows, and the download is in the audit log', async () => {
  const filters = JSON.stringify([{ column: 'id', operator: 'between', values: ['1', '4'] }])
  const text = (
    await bytesOf(await download('csv', 'invoice', { query: { filters, sort: 'id', descending: 'true' } }))
  ).toString()
  expect(
    text
      .split('\r\n')
      .slice(1, -1)
      .map((line) => line.split(',')[0]),
  ).toEqual(['4', '3', '2', '1'])
  const [event] = (await findAuditEvents(there.app.store, 'data.export_downloaded')).slice(-1)
  expect(event).toMatchObject({
    actorId: there.app.idOf('admin'),
    organisationId: there.app.harbour.id,
    objectId: 'shop.invoice',
    detail: { schema: 'shop', table: 'invoice', format: 'csv', filters: 1, sort: 'id' },
  })
})

test('[SEE-4] text that looks like a formula is text in CSV and XLSX', async () => {
  const csv = (await bytesOf(await download('csv', 'formulas'))).toString()
  for (const cell of [`'=1+1`, `'+1`, `'-1`, `'@SUM(A1)`, `'\t=1`, `"'\r=1"`]) expect(csv).toContain(`,${cell}\r\n`)
  const { Sheets } = await uploadFile(there.app, 'formulas.xlsx', await bytesOf(await download('xlsx', 'formulas')))
  const [heading, ...rows] = Sheets[0]?.FirstRows ?? []
  expect(heading).toEqual(['id', 's'])
  expect(rows.map(([, s]) => s)).toEqual(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', 'plain', '_x0041_'])
})

test('[SEE-4] a workbook has numbers, dates and truth values, and text where Excel would lose digits', async () => {
  const { Sheets } = await uploadFile(there.app, 'kinds.xlsx', await bytesOf(await download('xlsx', 'kinds')))
  const [, second, third, first] = Sheets[0]?.FirstRows ?? []
  expect(second?.slice(0, 5)).toEqual([{ n: '2' }, null, { n: '12.5000000000' }, null, 'INF'])
  expect(third?.slice(0, 8)).toEqual([
    { n: '3' },
    { n: '7' },
    { n: '-0.5000000000' },
    { n: '-3' },
    { n: '-2.5' },
    false,
    '1850-01-01',
    '00:00:00',
  ])
  expect(first?.slice(0, 12)).toEqual([
    '9007199254740993',
    { n: '-1' },
    '-1234567890123456789012345678.0123456789',
    '12345678901234567890.5',
    { n: '0.1' },
    true,
    { d: '2026-01-31' },
    '13:05:00.500',
    { d: '2026-01-31T13:05:00.123' },
    { d: '2026-01-31T11:05:00' },
    '6b1f0c52-0d5a-4c0b-9a51-3f0c6d2e7a10',
    '__7_',
  ])
})

test('[SEE-4] rows beyond the limit of a sheet continue in the next one', async () => {
  const column = { name: 'n', kind: 'integer', sqlType: 'integer', nullable: false, description: null } as const
  const table = {
    schema: 'shop',
    name: 'numbers',
    kind: 'table',
    columns: [column],
    key: ['n'],
    description: null,
    relations: [],
  } as const
  async function* rows() {
    yield [[1], [2], [3]]
    yield [[4], [5]]
  }
  const parts: Buffer[] = []
  const exported = { table, columns: [column], rows: rows() }
  for await (const part of writeXlsx(exported, { rows: 2, size: 1_000_000 })) parts.push(part)
  const { Sheets } = await uploadFile(there.app, 'numbers.xlsx', Buffer.concat(parts))
  expect(Sheets.map(({ Name, FirstRows }) => [Name, FirstRows])).toEqual([
    ['numbers', [['n'], [{ n: '1' }], [{ n: '2' }]]],
    ['numbers 2', [['n'], [{ n: '3' }], [{ n: '4' }]]],
    ['numbers 3', [['n'], [{ n: '5' }]]],
  ])
})

test('[SEE-4] a Parquet file has exact decimals, microseconds and nulls', async () => {
  const bytes = await bytesOf(await download('parquet', 'kinds'))
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer
  const metadata = parquetMetadata(file)
  const elementOf = (name: string) => metadata.schema.find((element) => element.name === name)
  expect(elementOf('d')).toMatchObject({ converted_type: 'DECIMAL', precision: 38, scale: 10 })
  expect(elementOf('seen')).toMatchObject({
    logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MICROS' },
  })
  // The reader makes doubles of decimals, so it is given their bytes.
  delete elementOf('d')?.converted_type
  const parsers = { ...DEFAULT_PARSERS, timestampFromMicroseconds: (value: bigint) => value }
  const rows = await parquetReadObjects({ file, metadata, parsers, utf8: false })
  const unscaled = (value: unknown) =>
    BigInt.asIntN(128, BigInt(`0x${Buffer.from(value as Uint8Array).toString('hex')}`))
  expect(rows.map(({ d }) => unscaled(d))).toEqual([
    125_000_000_000n,
    -5_000_000_000n,
    -12345678901234567890123456780123456789n,
  ])
  expect(rows[2]).toMatchObject({
    id: 9007199254740993n,
    i: -1,
    n: '12345678901234567890.5',
    f: 0.1,
    b: true,
    day: new Date('2026-01-31'),
    t: 47_100_500_000n,
    at: 1_769_864_700_123_456n,
    seen: 1_769_857_500_000_000n,
    g: '6b1f0c52-0d5a-4c0b-9a51-3f0c6d2e7a10',
    raw: new Uint8Array([0xff, 0xfe, 0xff]),
    doc: '{"a" : 1}',
  })
  expect(rows[0]).toMatchObject({
    id: 2n,
    i: null,
    n: null,
    f: Number.POSITIVE_INFINITY,
    b: null,
    day: null,
    seen: null,
    raw: null,
  })
})

test.each<Format>(['csv', 'xlsx', 'parquet'])('[SEE-4] a %s of many rows is complete', async (format) => {
  const bytes = await bytesOf(await download(format, 'large'))
  if (format === 'csv') expect(bytes.toString().split('\r\n')).toHaveLength(100_002)
  if (format === 'parquet') {
    const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer
    expect(Number(parquetMetadata(file).num_rows)).toBe(100_000)
    expect(parquetMetadata(file).row_groups.length).toBeGreaterThan(1)
  }
  if (format === 'xlsx') expect(bytes.subarray(0, 2).toString()).toBe('PK')
})

test('[SEE-4] a download that is left ends on the server, and the person can start another one; two at once are refused', async () => {
  const { app } = there
  const left = new AbortController()
  const response = await download('csv', 'large', { signal: left.signal })
  const reader = response.body?.getReader()
  await reader?.read()
  const second = await download('csv', 'invoice')
  expect([second.status, ((await second.json()) as { code: string }).code]).toEqual([409, 'exportRunning'])
  left.abort()
  const running = () =>
    runAs(adminOf(app), `SELECT pid FROM pg_stat_activity WHERE query LIKE 'COPY%large%' AND state = 'active'`)
  expect(await until(running, (rows) => rows.length === 0)).toEqual([])
  await until(
    () => download('csv', 'invoice'),
    ({ status }) => status === 200,
  )
})

test.each<Format>(['csv', 'xlsx', 'parquet'])(
  '[SEE-4] a reader of a %s that stops makes the query wait',
  async (format) => {
    const left = new AbortController()
    const start = () => download(format, 'endless', { signal: left.signal })
    const response = await until(start, ({ status }) => status === 200)
    await response.body?.getReader().read()
    const sent: number[] = []
    const readSent = async () => {
      const [row] = await runAs(
        adminOf(there.app),
        'SELECT tuples_processed::float8 AS rows FROM pg_stat_progress_copy',
      )
      sent.push(Number(row?.['rows']))
      return sent
    }
    await until(readSent, (all) => all.length > 10 && new Set(all.slice(-10)).size === 1)
    left.abort()
    expect(sent.at(-1)).toBeGreaterThan(0)
    // Those that are on the way. All of them would have a gigabyte.
    expect(sent.at(-1)).toBeLessThan(200_000)
  },
)

test('[SEE-4] a value that is too large for a file breaks the download off, and the server stays', async () => {
  const response = await until(
    () => download('csv', 'vast'),
    ({ status }) => status !== 409,
  )
  await expect(bytesOf(response)).rejects.toThrow('terminated')
  expect((await download('csv', 'invoice')).status).toBe(200)
})

test('[SEE-4] the rows of a file are those that the person may read, and faults before the first row are replies', async () => {
  expect((await bytesOf(await download('csv', 'invoice', { as: 'guest' }))).toString()).toContain('INV-250')
  expect((await download('csv', 'nothing', { as: 'guest' })).status).toBe(404)
  expect((await download('parquet', 'invoice', { query: { sort: 'nowhere' } })).status).toBe(400)
})
