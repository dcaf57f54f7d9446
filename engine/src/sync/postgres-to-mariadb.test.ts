/** From PostgreSQL to MariaDB, whose ways to write a value differ. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import type pg from 'pg'
import { connectMysql, type MysqlConnection } from '../databases/mysql/connection.ts'
import { quote } from '../databases/mysql/quoting.ts'
import { postgresSource } from '../databases/postgres/source/source.ts'
import { mysqlTarget } from '../databases/mysql/target.ts'
import { makeDatabase } from '@tributary/testing/engine/databases/postgres.ts'
import { realClock, connectionContext } from '@tributary/testing/engine/sync/source-context.ts'
import type { SyncOutcome } from './sync-request.ts'
import type { UnknownValues } from '../encoding/unsupported-values.ts'
import { sync } from './run.ts'

const database = `between_${randomUUID().slice(0, 8)}`
const connectorId = randomUUID()
let source: pg.Client
let mariadb: MysqlConnection
let fence = 0
let lines: string[] = []

beforeAll(async () => {
  source = await makeDatabase()
  mariadb = await connectMysql(
    { ...inject('mariadb'), database: 'mysql', tls: 'off' },
    connectionContext(),
    `SET SESSION time_zone = '+00:00'`,
  )
  await mariadb.run(`CREATE DATABASE ${quote(database)}`)
  await mariadb.run(`USE ${quote(database)}`)
})
afterAll(async () => {
  await mariadb.run(`DROP DATABASE ${quote(database)}`)
  await mariadb[Symbol.asyncDispose]()
  await source.end()
})

async function run(unknownValues: UnknownValues = 'null'): Promise<SyncOutcome> {
  lines = []
  const around = connectionContext()
  await using from = await postgresSource.open(
    postgresSource.parse({
      'source.connectionString': { ...inject('postgres'), database: source.database, sslmode: 'disable' },
    }),
    around,
  )
  await using to = await mysqlTarget.open(
    { ...inject('mariadb'), database, tls: 'off', prefix: '', unknownValues },
    around,
  )
  const writer = { connectorId, runId: randomUUID(), fence: ++fence }
  const { signal } = around
  return await sync({
    source: from,
    target: to,
    writer,
    syncMode: 'incremental',
    report: () => {},
    log: (line) => void lines.push(line),
    clock: realClock,
    signal,
  })
}

test('booleans and instants arrive as they are, by replacement and by merge, as parts of a key and in a column of text', async () => {
  await source.query(`CREATE DOMAIN consent AS boolean;
    CREATE TABLE visit (at timestamptz, indoors boolean, paid consent, until timestamptz(3), odd boolean, PRIMARY KEY (at, indoors));
    INSERT INTO visit VALUES ('2024-03-31 03:30:00.123456+02', true, false, '1969-07-20 20:17:40.5+00', NULL), ('2024-01-01', false, NULL, 'infinity', true)`)
  expect((await run()).status).toBe('completed')
  const rows = () => mariadb.rows('SELECT * FROM visit ORDER BY at')
  const first = { at: '2024-01-01 00:00:00.000000', indoors: '0', paid: null, until: null, odd: '1' }
  const second = {
    at: '2024-03-31 01:30:00.123456',
    indoors: '1',
    paid: '0',
    until: '1969-07-20 20:17:40.500',
    odd: null,
  }
  expect(await rows()).toEqual([first, second])

  await source.query(
    `UPDATE visit SET paid = NOT paid, until = until + interval '1 hour' WHERE indoors; DELETE FROM visit WHERE NOT indoors`,
  )
  expect((await run()).status).toBe('completed')
  expect(await rows()).toEqual([{ ...second, paid: '1', until: '1969-07-20 21:17:40.500' }])

  // A number's column cannot hold a moment, so it becomes text.
  await source.query(
    `ALTER TABLE visit DROP COLUMN paid; ALTER TABLE visit ADD COLUMN paid timestamptz DEFAULT '2024-05-06 07:08:09+00'; ALTER TABLE visit DROP COLUMN odd; ALTER TABLE visit ADD COLUMN odd date DEFAULT '2024-05-06'`,
  )
  expect((await run()).status).toBe('completed')
  expect(await mariadb.rows('SELECT indoors, paid, odd FROM visit')).toEqual([
    { indoors: '1', paid: '2024-05-06 07:08:09+00', odd: '2024-05-06' },
  ])
})

test('[ENG-1] a row with a value that MariaDB does not know is rejected with its reason, in each run until it is corrected', async () => {
  await source.query(`CREATE TABLE measured (id int PRIMARY KEY, amount numeric, share float8, day date, at timestamp, moment timestamptz);
    INSERT INTO measured VALUES (1, 1.5, 1.5, '2024-01-01', '2024-01-01', '2024-01-01'),
      (2, 'NaN', 1, '2024-01-01', NULL, NULL), (3, 1, '-Infinity', '2024-01-01', NULL, NULL), (4, 1, 1, 'infinity', NULL, NULL),
      (5, 1, 1, '0044-03-15 BC', NULL, NULL), (6, 1, 1, NULL, '-infinity', NULL), (7, 1, 1, NULL, NULL, '20000-01-01 00:00+00')`)
  const rejected = [
    ['2', 'amount', 'NaN'],
    ['3', 'share', '-Infinity'],
    ['4', 'day', 'infinity'],
    ['5', 'day', '0044-03-15 BC'],
    ['6', 'at', '-infinity'],
    ['7', 'moment', '20000-01-01 00:00:00'],
  ] as const
  for (const _ of ['read', 'compared']) {
    const { status, streams } = await run('reject')
    const measured = streams.find(({ stream }) => stream.table.name === 'measured')
    expect(status).toBe('completed')
    expect(measured?.progress.rowsRejected).toBe(rejected.length)
    expect(measured?.rejected.map(({ row, column }) => [row['id'], column]).toSorted()).toEqual(
      rejected.map(([id, column]) => [id, column]),
    )
    for (const [at, [, , value]] of rejected.entries())
      expect(measured?.rejected.toSorted((a, b) => Number(a.row['id']) - Number(b.row['id']))[at]?.reason).toContain(
        `has no value for ‘${value}’`,
      )
    expect(await mariadb.rows('SELECT id FROM measured')).toEqual([{ id: '1' }])
  }
  await source.query('UPDATE measured SET amount = 7 WHERE id = 2')
  await run('reject')
  expect(await mariadb.rows('SELECT id FROM measured')).toEqual([{ id: '1' }, { id: '2' }])
})

test('[ENG-1] where rows are to be stored without such values, they are, and the run says how many values it left empty', async () => {
  await source.query(`CREATE TABLE lasting (id int PRIMARY KEY, amount numeric, until date);
    INSERT INTO lasting VALUES (1, 'NaN', 'infinity'), (2, 2, '2024-01-01'), (3, 3, '0044-03-15 BC')`)
  const { status, streams } = await run('null')
  expect(status).toBe('completed')
  expect(streams.find(({ stream }) => stream.table.name === 'lasting')?.progress.rowsRejected).toBe(0)
  expect(lines).toContain(
    'public.lasting: 3 values were left empty, for the target does not know them (NaN, infinity, years before 1 or after 9999).',
  )
  expect(
    (await mariadb.rows('SELECT id, amount IS NULL AS a, until FROM lasting ORDER BY id')).map((row) => [
      row['a'],
      row['until'],
    ]),
  ).toEqual([
    ['1', null],
    ['0', '2024-01-01'],
    ['0', null],
  ])
})
