import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, inject, test } from 'vitest'
import type { Column, Table } from '../../ports/model.ts'
import { connectMysql, type MysqlConnection } from './connection.ts'
import { quote } from './quoting.ts'
import type { MysqlReach } from './settings.ts'
import { fitNames } from '../sql-target/names.ts'
import { column, type RowFields, stream, table } from '@tributary/testing/engine/sync/fixtures.ts'
import { connectionContext } from '@tributary/testing/engine/sync/source-context.ts'
import { newWriter, type TargetUnderTest } from '@tributary/testing/conformance/target/target-bench.ts'
import { testTarget } from '@tributary/testing/conformance/target/target-suite.ts'
import { facts } from './target-facts.ts'
import { mysqlTarget } from './target.ts'

testTarget('MariaDB as a target', async (): Promise<TargetUnderTest> => {
  const { reach, connection } = await makeDatabase()
  return {
    open: (signal) => mysqlTarget.open({ ...reach, prefix: '' }, connectionContext(signal)),
    rows: (table) => readRows(connection, table),
    report: (which, connectorId) =>
      connection.rows(
        `SELECT * FROM tributary_${which} WHERE connector = ? ORDER BY ${which === 'run' ? 'started_at' : 'table_name'}`,
        [connectorId],
      ),
    drop: async (table) => void (await connection.run(`DROP TABLE ${quote(table.name)}`)),
    asOf: async (of, moment) => {
      const call = connection.rows('CALL as_of(?, ?)', [of, moment.slice(0, 26)])
      // What the server says, without the words that people read in the portal.
      const [rows] = (await call.catch((error: Error) => Promise.reject(error.cause))) as unknown as [object[]]
      return rows.map((row) => `(${Object.values(row).join(',')})`).toSorted()
    },
    secrets: [reach.password],
    [Symbol.asyncDispose]: async () => {
      await connection.run(`DROP DATABASE ${quote(reach.database)}`)
      await connection[Symbol.asyncDispose]()
    },
  }
})

test('a table gets its name although the database gave way to somebody else who waited for it', async () => {
  const { reach, connection: other } = await makeDatabase()
  await using target = await mysqlTarget.open({ ...reach, prefix: '' }, connectionContext())
  const writer = newWriter()
  await target.begin(writer)
  const orders = table('orders', [column('id', { kind: 'integer', bytes: 4 }, false)])
  // A statement that has changed more rows proceeds: it is the other one.
  await other.run('START TRANSACTION')
  const states = Array.from(
    { length: 500 },
    (_, at) => `('${at === 0 ? writer.connectorId : 'another'}', '${at === 0 ? 'orders' : at}', 1, UTC_TIMESTAMP())`,
  )
  await other.run(`INSERT INTO tributary_state (connector, stream, fence, updated_at) VALUES ${states.join(', ')}`)
  const preparing = target.prepare(stream(orders))
  await waitsFor(other, 'UPDATE tributary_state')
  await other.run(
    `INSERT INTO tributary_table (name, connector, stream, source_name) VALUES ('orders', 'another', '', '')`,
  )
  await other.run('ROLLBACK')
  await preparing
  expect(await other.rows('SELECT name, connector FROM tributary_table')).toEqual([
    { name: 'orders', connector: writer.connectorId },
  ])
  await other.run(`DROP DATABASE ${quote(reach.database)}`)
  await other[Symbol.asyncDispose]()
})

/** Resolves once a statement of another session that begins like this waits in this database. */
async function waitsFor(connection: MysqlConnection, statement: string): Promise<void> {
  const held = `SELECT 1 FROM information_schema.processlist WHERE db = DATABASE() AND command = 'Query' AND time_ms > 50 AND info LIKE '${statement}%'`
  while ((await connection.rows(held)).length === 0) await sleep(20)
}

async function makeDatabase(): Promise<{ reach: MysqlReach; connection: MysqlConnection }> {
  const reach: MysqlReach = { ...inject('mariadb'), database: 'mysql', tls: 'off' }
  const connection = await connectMysql(reach, connectionContext(), `SET SESSION time_zone = '+00:00'`)
  const database = `target_${randomUUID().slice(0, 8)}`
  await connection.run(`CREATE DATABASE ${quote(database)}`)
  await connection.run(`USE ${quote(database)}`)
  return { reach: { ...reach, database }, connection }
}

async function readRows(connection: MysqlConnection, table: Table): Promise<readonly RowFields[]> {
  const [owned] = await connection.rows('SELECT name FROM tributary_table WHERE source_name = ?', [table.name])
  const names = fitNames(
    table.columns.map((column) => column.name),
    facts.identifierMax,
  )
  const columns = table.columns.map(
    (column, at) => `${canonical(column, quote(names.get(column.name) ?? column.name))} AS c${at}`,
  )
  const rows = await connection.rows(
    `SELECT ${columns.join(', ')} FROM ${quote(owned?.['name'] ?? table.name)} ORDER BY 1`,
  )
  const sorted = rows.map((row) => table.columns.map((_, at) => row[`c${at}`] ?? null))
  return sorted.toSorted(
    (a, b) =>
      Number(a[0]) - Number(b[0]) ||
      String(a[0]).localeCompare(String(b[0])) ||
      String(a[1]).localeCompare(String(b[1])),
  )
}

function canonical({ type }: Column, name: string): string {
  const short = (expression: string) => `TRIM(TRAILING '.' FROM TRIM(TRAILING '0' FROM CAST(${expression} AS CHAR)))`
  switch (type.kind) {
    case 'boolean':
      return `IF(${name}, 't', IF(${name} IS NULL, NULL, 'f'))`
    case 'time':
    case 'localTimestamp':
      return short(name)
    case 'instant':
      return `CONCAT(${short(name)}, '+00')`
    case 'bytes':
      return `CONCAT('\\\\x', LOWER(HEX(${name})))`
    default:
      return name
  }
}
