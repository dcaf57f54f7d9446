/** Tables of an Iceberg target, partitioned by month, read by PyIceberg, DuckDB and Spark: counts, sums and checksums equal those of the PostgreSQL target. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { LoadedTable } from '@tributary/engine/databases/iceberg/catalog/catalog'
import { snapshotOf } from '@tributary/engine/databases/iceberg/table/table-files'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makePostgresPair, type PostgresPair } from '../../engine/databases/postgres-pair.ts'
import { alwaysByPosition, LakeUnderTest } from '../../engine/iceberg/lake-under-test.ts'
import { readTargetFigures, type TableFigures } from '../../engine/iceberg/table-figures.ts'

const python = process.env['TRIBUTARY_ICEBERG_PYTHON'] ?? ''
const tables = ['kinds', 'orders', 'order_line']

let pair: PostgresPair
/** Rows that change are written again with their files in one, and deleted by their positions in the other. */
const lakes = new Map<string, LakeUnderTest>()
let expected: readonly TableFigures[]

beforeAll(async () => {
  pair = await makePostgresPair()
  for (const changedRows of ['copied', 'deleted by position']) {
    const lake = await LakeUnderTest.make()
    lake.partitionBy = ['day']
    lake.deletionRule = changedRows === 'copied' ? null : { ...alwaysByPosition, shareMax: 0.5 }
    lakes.set(changedRows, lake)
  }
  await fillSource()
  await runAll()
  await changeSource()
  await runAll()
  const figures = []
  for (const table of tables) figures.push(await readTargetFigures(pair.target, table))
  expected = figures
})
afterAll(async () => {
  for (const lake of lakes.values()) await lake[Symbol.asyncDispose]()
  await pair[Symbol.asyncDispose]()
})

async function fillSource(): Promise<void> {
  await pair.source.query(`
    CREATE TABLE kinds (
      id bigint PRIMARY KEY, small smallint, middle int, money numeric(19,4), wide numeric(38,10), exact numeric(9,2), ratio double precision,
      paid boolean, day date, clock time, at timestamp, seen timestamptz, guid uuid, raw bytea, note text, document json);
    INSERT INTO kinds VALUES
      (1, -32768, -2147483648, 12345678.9000, -1234567890123456789012345678.0123456789, -1.10, 0.1, true, '2026-01-31', '13:05:00.5',
       '2026-01-31 13:05:00.123456', '2026-01-31 13:05:00+02', '6b1f0c52-0d5a-4c0b-9a51-3f0c6d2e7a10', '\\x00fffe5c', 'é "quoted" \\ 🦀', '{"a": [1, 2.50]}'),
      (2, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
      (9007199254740993, 32767, 2147483647, -0.0001, 0.0000000001, 9999999.99, -1.7976931348623157e308, false, '1850-01-01', '00:00',
       '1969-12-31 23:59:59.999999', '1969-12-31 23:59:59.999999+00', 'ffffffff-ffff-ffff-ffff-ffffffffffff', '', '', 'null'),
      (4, 0, 0, 0, 0, 0, 5e-324, true, '9999-12-31', '23:59:59.999999', '9999-12-31 23:59:59.999999', '0001-01-01 00:00:00+00',
       '00000000-0000-0000-0000-000000000000', decode(repeat('ab', 70000), 'hex'), repeat('x', 300000), '[]');
    CREATE TABLE orders (id int PRIMARY KEY, day date NOT NULL, customer text, amount numeric(18,2), changed timestamptz);
    INSERT INTO orders SELECT n, date '2024-01-01' + n % 700, 'Customer ' || n % 977, n * 1.01, '2026-01-01 00:00:00+00'::timestamptz + n * interval '1 second'
      FROM generate_series(1, 50000) AS n;
    CREATE TABLE order_line (order_id int, line int, quantity numeric(12,3), PRIMARY KEY (order_id, line));
    INSERT INTO order_line SELECT n, line, n * 0.125 FROM generate_series(1, 50000) AS n, generate_series(1, 2) AS line`)
}

/** Changed, deleted and added rows in every file, and a column that is added, one that is widened, and one that is renamed. */
async function changeSource(): Promise<void> {
  await pair.source.query(`
    UPDATE orders SET amount = -amount WHERE id % 7 = 0;
    DELETE FROM orders WHERE id % 11 = 0;
    INSERT INTO orders SELECT n, '2026-02-01', NULL, 0.01, NULL FROM generate_series(50001, 51000) AS n;
    DELETE FROM order_line WHERE line = 2 AND order_id % 2 = 0;
    ALTER TABLE orders ADD COLUMN channel text DEFAULT 'shop';
    ALTER TABLE order_line ALTER COLUMN quantity TYPE numeric(16,3);
    ALTER TABLE kinds ALTER COLUMN middle TYPE bigint;
    UPDATE kinds SET middle = 9007199254740993 WHERE id = 4`)
}

async function runAll(): Promise<void> {
  expect(await pair.run()).toMatchObject({ status: 'completed' })
  for (const lake of lakes.values()) expect(await runIntoLake(lake)).toMatchObject({ status: 'completed' })
}

async function runIntoLake(lake: LakeUnderTest) {
  await using target = await lake.open()
  return await pair.run({ target })
}

async function find(changedRows: string, name: string): Promise<LoadedTable> {
  const table = await lakes.get(changedRows)?.find({ name })
  if (table === undefined || table === null) throw new Error(`The lake has no table of ${name}.`)
  return table
}

test.each([
  ['pyiceberg', 'copied'],
  ['duckdb', 'copied'],
  ['spark', 'copied'],
  ['pyiceberg', 'deleted by position'],
  ['duckdb', 'deleted by position'],
  ['spark', 'deleted by position'],
])(
  '[LAKE-6] [LAKE-3] [LAKE-4] %s reads every table and type (changed rows %s), and its counts, sums and checksums equal those of the PostgreSQL target',
  async (reader, changedRows) => {
    const found = await Promise.all(tables.map((name) => find(changedRows, name)))
    const files = found.map(({ metadataLocation }) => fileURLToPath(metadataLocation))
    const deletions = found.map((table) => snapshotOf(table)?.summary['total-position-deletes'] !== '0')
    // A column was added to orders, so every row of it has changed.
    expect(deletions).toEqual([false, false, changedRows !== 'copied'])
    const { stdout } = await promisify(execFile)(
      python,
      [join(import.meta.dirname, 'read-tables.py'), reader, ...files],
      {
        env: { ...process.env, SPARK_LOCAL_IP: '127.0.0.1' },
        maxBuffer: 100_000_000,
      },
    )
    const read = JSON.parse(stdout.slice(stdout.indexOf('[{'))) as readonly TableFigures[]
    expect(read.map(({ rows, columns }) => ({ rows, columns }))).toEqual(expected)
    expect(read[1]?.rows).toBe(46_455)
  },
)
