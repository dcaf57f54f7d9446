/** Files of tables, read by programs of other authors: pyarrow, DuckDB and openpyxl. */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { data } from '@tributary/contract/data'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type DataFixture, openDataFixture } from '../../server/access/data-fixture.ts'
import { applyChanges, runAs, writerOf } from '../../server/access/warehouse-login.ts'

const python = process.env['TRIBUTARY_EXPORTS_PYTHON'] ?? ''
const folder = mkdtempSync(join(tmpdir(), 'tributary-exports-'))

let there: DataFixture
let address: string
beforeAll(async () => {
  there = await openDataFixture()
  await runAs(
    await writerOf(there.app),
    `CREATE TABLE shop.kinds (
       id bigint PRIMARY KEY, small int, exact numeric(38,10), money numeric(19,4), ratio double precision, paid boolean, day date, clock time,
       at timestamp(6), seen timestamptz, raw bytea, note text);
     INSERT INTO shop.kinds VALUES
       (1, -1, -1234567890123456789012345678.0123456789, 12345678.9000, 0.1, true, '2026-01-31', '13:05:00.5', '2026-01-31 13:05:00.123456',
        '2026-01-31 13:05:00+02', '\\xfffeff', 'é "quoted"'),
       (2, NULL, NULL, NULL, 'Infinity', NULL, NULL, NULL, NULL, NULL, NULL, NULL),
       (9007199254740993, 7, 0.0000000001, -0.0001, -2.5, false, '1850-01-01', '00:00', '1969-12-31 23:59:59.999999', '1969-12-31 23:59:59.999999+00',
        '', '=1+1');
     CREATE TABLE shop.formulas (id int PRIMARY KEY, s text);
     INSERT INTO shop.formulas VALUES (1, '=1+1'), (2, '+1'), (3, '-1'), (4, '@SUM(A1)'), (5, E'\\t=1'), (6, '=cmd|'' /C calc''!A0'), (7, 'plain');
     CREATE TABLE shop.many AS SELECT n AS id, (n * 0.01)::numeric(12,2) AS amount, CASE WHEN n % 3 = 0 THEN NULL ELSE 'Row ' || n END AS note FROM generate_series(1, 50000) AS n;
     ALTER TABLE shop.many ADD PRIMARY KEY (id)`,
  )
  await applyChanges(there.app)
  address = await there.app.http.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(async () => {
  rmSync(folder, { recursive: true })
  await there[Symbol.asyncDispose]()
})

interface FileContents {
  readonly names: readonly string[]
  readonly types: readonly unknown[]
  readonly rows: readonly (readonly unknown[])[]
}

async function read(library: string, format: 'parquet' | 'xlsx', table: string): Promise<FileContents> {
  const session = await there.app.as.admin.session()
  const path = data[format].path
    .replace(':clientId', there.app.harbour.id)
    .replace(':schema', 'shop')
    .replace(':table', table)
  const reply = await fetch(`${address}/api${path}`, { headers: { authorization: `Bearer ${session?.accessToken}` } })
  expect(reply.status).toBe(200)
  const file = join(folder, `${table}.${format}`)
  writeFileSync(file, Buffer.from(await reply.arrayBuffer()))
  const { stdout } = await promisify(execFile)(python, [join(import.meta.dirname, 'read-file.py'), library, file], {
    maxBuffer: 100_000_000,
  })
  return JSON.parse(stdout) as FileContents
}

const exactRows = [
  [
    1,
    -1,
    '-1234567890123456789012345678.0123456789',
    '12345678.9000',
    0.1,
    true,
    '2026-01-31',
    '13:05:00.500000',
    '2026-01-31T13:05:00.123456',
  ],
  [2, null, null, null, 'inf', null, null, null, null],
  // JavaScript reads the number with a rounded last digit, so the script sends it as text.
  [
    '9007199254740993',
    7,
    '0.0000000001',
    '-0.0001',
    -2.5,
    false,
    '1850-01-01',
    '00:00:00',
    '1969-12-31T23:59:59.999999',
  ],
]

test.each([
  [
    'pyarrow',
    [
      'int64',
      'int32',
      'decimal128(38, 10)',
      'decimal128(19, 4)',
      'double',
      'bool',
      'date32[day]',
      'time64[us]',
      'timestamp[us]',
      'timestamp[us, tz=UTC]',
      'binary',
      'string',
    ],
    '+00:00',
  ],
  [
    'duckdb',
    [
      'BIGINT',
      'INTEGER',
      'DECIMAL(38,10)',
      'DECIMAL(19,4)',
      'DOUBLE',
      'BOOLEAN',
      'DATE',
      'TIME',
      'TIMESTAMP',
      'TIMESTAMP',
      'BLOB',
      'VARCHAR',
    ],
    '',
  ],
])(
  '[SEE-4] %s reads a Parquet file with exact decimals, dates, times, nulls and text',
  async (library, types, zone) => {
    const found = await read(library, 'parquet', 'kinds')
    expect(found.types).toEqual(types)
    expect(found.rows.map((row) => row.slice(0, 9))).toEqual(exactRows)
    expect(found.rows.map((row) => row.slice(9))).toEqual([
      [`2026-01-31T11:05:00${zone}`, 'bytes //7/', 'é "quoted"'],
      [null, null, null],
      [`1969-12-31T23:59:59.999999${zone}`, 'bytes ', '=1+1'],
    ])
  },
)

test.each(['pyarrow', 'duckdb'])('[SEE-4] %s reads all row groups of a Parquet file', async (library) => {
  const { rows } = await read(library, 'parquet', 'many')
  expect(rows).toHaveLength(50_000)
  expect([rows[0], rows[2], rows[49_999]]).toEqual([
    [1, '0.01', 'Row 1'],
    [3, '0.03', null],
    [50_000, '500.00', 'Row 50000'],
  ])
})

test('[SEE-4] openpyxl finds text and no formula in a workbook', async () => {
  const { rows, types } = await read('openpyxl', 'xlsx', 'formulas')
  expect(rows.map(([, s]) => s)).toEqual(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', `=cmd|' /C calc'!A0`, 'plain'])
  expect(new Set((types as readonly string[][]).map(([, type]) => type))).not.toContain('f')
})

test('[SEE-4] openpyxl reads numbers, dates and truth values of a workbook as such', async () => {
  const { rows } = await read('openpyxl', 'xlsx', 'kinds')
  expect(rows[0]?.slice(0, 7)).toEqual([
    1,
    -1,
    '-1234567890123456789012345678.0123456789',
    12_345_678.9,
    0.1,
    true,
    '2026-01-31T00:00:00',
  ])
  expect(rows[1]?.slice(0, 4)).toEqual([2, null, null, null])
  expect(rows[2]?.[0]).toBe('9007199254740993')
})
