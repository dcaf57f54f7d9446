/** From PostgreSQL to MariaDB, whose ways to write a value differ. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import type pg from 'pg'
import { connectMysql, type MysqlConnection } from '../mysql/connection.ts'
import { quote } from '../mysql/quoting.ts'
import { postgresSource } from '../sources/postgres/source.ts'
import { mysqlTarget } from '../targets/mysql/target.ts'
import { makeDatabase } from '../testing/postgres.ts'
import { realClock, surroundings } from '../testing/surroundings.ts'
import type { SyncOutcome } from './request.ts'
import { sync } from './run.ts'

const database = `between_${randomUUID().slice(0, 8)}`
const connectorId = randomUUID()
let source: pg.Client
let mariadb: MysqlConnection
let fence = 0

beforeAll(async () => {
  source = await makeDatabase()
  mariadb = await connectMysql({ ...inject('mariadb'), database: 'mysql', tls: 'off' }, surroundings(), `SET SESSION time_zone = '+00:00'`)
  await mariadb.run(`CREATE DATABASE ${quote(database)}`)
  await mariadb.run(`USE ${quote(database)}`)
})
afterAll(async () => {
  await mariadb.run(`DROP DATABASE ${quote(database)}`)
  await mariadb[Symbol.asyncDispose]()
  await source.end()
})

async function run(): Promise<SyncOutcome> {
  const around = surroundings()
  await using from = await postgresSource.open(
    postgresSource.parse({ 'source.connectionString': { ...inject('postgres'), database: source.database, sslmode: 'disable' } }),
    around,
  )
  await using to = await mysqlTarget.open({ ...inject('mariadb'), database, tls: 'off', prefix: '' }, around)
  const writer = { connectorId, runId: randomUUID(), fence: ++fence }
  const { signal } = around
  return await sync({ source: from, target: to, writer, wish: 'incremental', report: () => {}, tell: () => {}, clock: realClock, signal })
}

test('booleans and instants arrive as they are, by replacement and by merge, as parts of a key and in a column of text', async () => {
  await source.query(`CREATE DOMAIN consent AS boolean;
    CREATE TABLE visit (at timestamptz, indoors boolean, paid consent, until timestamptz(3), odd boolean, PRIMARY KEY (at, indoors));
    INSERT INTO visit VALUES ('2024-03-31 03:30:00.123456+02', true, false, '1969-07-20 20:17:40.5+00', NULL), ('2024-01-01', false, NULL, 'infinity', true)`)
  expect((await run()).status).toBe('completed')
  const rows = () => mariadb.rows('SELECT * FROM visit ORDER BY at')
  const first = { at: '2024-01-01 00:00:00.000000', indoors: '0', paid: null, until: null, odd: '1' }
  const second = { at: '2024-03-31 01:30:00.123456', indoors: '1', paid: '0', until: '1969-07-20 20:17:40.500', odd: null }
  expect(await rows()).toEqual([first, second])

  await source.query(
    `UPDATE visit SET paid = NOT paid, until = until + interval '1 hour' WHERE indoors; DELETE FROM visit WHERE NOT indoors`,
  )
  expect((await run()).status).toBe('completed')
  expect(await rows()).toEqual([{ ...second, paid: '1', until: '1969-07-20 21:17:40.500' }])

  // A number's column cannot hold a boolean, so there is a column of text beside it from now on.
  await source.query(
    `ALTER TABLE visit DROP COLUMN paid; ALTER TABLE visit ADD COLUMN paid timestamptz DEFAULT '2024-05-06 07:08:09+00'; ALTER TABLE visit DROP COLUMN odd; ALTER TABLE visit ADD COLUMN odd date DEFAULT '2024-05-06'`,
  )
  expect((await run()).status).toBe('completed')
  expect(await mariadb.rows('SELECT indoors, paid__text, odd__text FROM visit')).toEqual([
    { indoors: '1', paid__text: '2024-05-06 07:08:09+00', odd__text: '2024-05-06' },
  ])
})
