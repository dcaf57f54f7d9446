import { randomUUID } from 'node:crypto'
import { inject } from 'vitest'
import type { Column, Table } from '../../model.ts'
import { connectMysql, type MysqlConnection, quote } from '../../mysql/connection.ts'
import type { MysqlReach } from '../../mysql/settings.ts'
import { fitNames } from '../../names.ts'
import type { Fields } from '../../testing/fixtures.ts'
import { surroundings } from '../../testing/surroundings.ts'
import { type TargetUnderTest } from '../../testing/target-bench.ts'
import { testTarget } from '../../testing/target-suite.ts'
import { facts } from './facts.ts'
import { mysqlTarget } from './target.ts'

testTarget('MariaDB as a target', async (): Promise<TargetUnderTest> => {
  const { reach, connection } = await makeDatabase()
  return {
    open: (signal) => mysqlTarget.open({ ...reach, prefix: '' }, surroundings(signal)),
    rows: (table) => readRows(connection, table),
    secrets: [reach.password],
    [Symbol.asyncDispose]: async () => {
      await connection.run(`DROP DATABASE ${quote(reach.database)}`)
      await connection[Symbol.asyncDispose]()
    },
  }
})

async function makeDatabase(): Promise<{ reach: MysqlReach; connection: MysqlConnection }> {
  const reach: MysqlReach = { ...inject('mariadb'), database: 'mysql', tls: 'off' }
  const connection = await connectMysql(reach, surroundings(), `SET SESSION time_zone = '+00:00'`)
  const database = `target_${randomUUID().slice(0, 8)}`
  await connection.run(`CREATE DATABASE ${quote(database)}`)
  await connection.run(`USE ${quote(database)}`)
  return { reach: { ...reach, database }, connection }
}

async function readRows(connection: MysqlConnection, table: Table): Promise<readonly Fields[]> {
  const [owned] = await connection.rows('SELECT name FROM tributary_table WHERE source_name = ?', [table.name])
  const names = fitNames(
    table.columns.map((column) => column.name),
    facts.identifierMax,
  )
  const columns = table.columns.map((column, at) => `${canonical(column, quote(names.get(column.name) ?? column.name))} AS c${at}`)
  const rows = await connection.rows(`SELECT ${columns.join(', ')} FROM ${quote(owned?.['name'] ?? table.name)} ORDER BY 1`)
  const sorted = rows.map((row) => table.columns.map((_, at) => row[`c${at}`] ?? null))
  return sorted.toSorted(
    (a, b) => Number(a[0]) - Number(b[0]) || String(a[0]).localeCompare(String(b[0])) || String(a[1]).localeCompare(String(b[1])),
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
