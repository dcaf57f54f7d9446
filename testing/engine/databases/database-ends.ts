/** PostgreSQL and MariaDB databases as source or target of a sync, with their contents in the same text format. */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { inject } from 'vitest'
import { connectMysql, type MysqlConnection } from '@tributary/engine/databases/mysql/connection'
import { quote as quoteMysql } from '@tributary/engine/databases/mysql/quoting'
import { quote as quotePostgres } from '@tributary/engine/databases/postgres/types'
import type { ConnectorProperties } from '@tributary/engine/ports/source'
import type { RowFields } from '../sync/fixtures.ts'
import { endAndDrop, makeDatabase } from './postgres.ts'
import { connectionContext } from '../sync/source-context.ts'

export type EndKind = 'postgres' | 'mysql'

export interface DatabaseEnd extends AsyncDisposable {
  readonly kind: EndKind
  /** The connector's properties for this side. */
  readonly properties: ConnectorProperties
  run(sql: string): Promise<unknown>
  /** Resolves when a read from now on knows that it sees what was written so far: no older transaction of the server is running. */
  settle(): Promise<void>
  quote(name: string): string
  /** Reads a table with values as text. The result has no columns if there is no such table. */
  read(table: string): Promise<TableContents>
  /** Returns the sorted rows of a table as text; empty if there is no such table. */
  rows(table: string): Promise<readonly string[]>
  /** Returns the name of the stream's table in a target. */
  nameOf(stream: string): Promise<string>
}

export interface TableContents {
  readonly columns: readonly string[]
  readonly rows: readonly RowFields[]
}

export function makeEnd(kind: EndKind, side: 'source' | 'target'): Promise<DatabaseEnd> {
  return kind === 'postgres' ? makePostgres(side) : makeMariadb(side)
}

const schema = 'Shop'

async function makePostgres(side: 'source' | 'target'): Promise<DatabaseEnd> {
  const client = await makeDatabase()
  const address = { ...inject('postgres'), database: client.database, sslmode: 'disable' }
  const at = side === 'target' ? schema : 'public'
  return {
    kind: 'postgres',
    properties:
      side === 'target'
        ? { 'target.connectionString': address, 'target.schema': schema }
        : { 'source.connectionString': address },
    run: (sql) => client.query(sql),
    settle: () => settlePostgres(client),
    quote: quotePostgres,
    read: (table) => readPostgres(client, at, table),
    rows: async (table) => sorted(await readPostgres(client, at, table)),
    nameOf: async (stream) => {
      const found = await client.query<{ name: string }>(
        `SELECT name FROM ${quotePostgres(at)}.tributary_table WHERE stream = $1`,
        [stream],
      )
      return found.rows[0]?.name ?? ''
    },
    [Symbol.asyncDispose]: () => endAndDrop(client),
  }
}

/** Transactions of other tests count, too: the number of the oldest one is the checkpoint of a read. */
async function settlePostgres(client: pg.Client): Promise<void> {
  const written = await client.query<{ last: string }>('SELECT txid_current()::text AS last')
  for (;;) {
    const oldest = await client.query<{ isLater: boolean }>(
      'SELECT txid_snapshot_xmin(txid_current_snapshot()) > $1::bigint AS "isLater"',
      [written.rows[0]?.last],
    )
    if (oldest.rows[0]?.isLater === true) return
    await sleep(20)
  }
}

function sorted({ rows }: TableContents): readonly string[] {
  return rows.map((row) => JSON.stringify(row)).toSorted()
}

/** @param at the schema */
export async function readPostgres(client: pg.Client, at: string, table: string): Promise<TableContents> {
  const columns = await client.query<{ name: string; type: string }>(
    `SELECT column_name AS name, data_type AS type FROM information_schema.columns WHERE table_schema = $1 AND table_name = $2 ORDER BY ordinal_position`,
    [at, table],
  )
  if (columns.rows.length === 0) return { columns: [], rows: [] }
  const values = columns.rows.map(({ name, type }) => postgresText(quotePostgres(name), type))
  const text = `SELECT ${values.join(', ')} FROM ${quotePostgres(at)}.${quotePostgres(table)}`
  const { rows } = await client.query<(string | null)[]>({ text, rowMode: 'array' })
  return { columns: columns.rows.map(({ name }) => name), rows }
}

function postgresText(name: string, type: string): string {
  if (type.startsWith('timestamp')) return `to_char(${name}, 'YYYY-MM-DD HH24:MI:SS.US')`
  if (type === 'boolean') return `${name}::int::text`
  return type === 'bytea' ? `upper(encode(${name}, 'hex'))` : `${name}::text`
}

async function makeMariadb(side: 'source' | 'target'): Promise<DatabaseEnd> {
  const reach = { ...inject('mariadb'), tls: 'off' as const }
  const connection = await connectMysql(
    { ...reach, database: 'mysql' },
    connectionContext(),
    `SET SESSION time_zone = '+00:00'`,
  )
  const database = `end_${randomUUID().slice(0, 8)}`
  await connection.run(`CREATE DATABASE ${quoteMysql(database)} CHARACTER SET utf8mb4 COLLATE utf8mb4_bin`)
  await connection.run(`USE ${quoteMysql(database)}`)
  return {
    kind: 'mysql',
    properties: {
      [`${side}.connectionString`]: { ...reach, database },
      ...(side === 'target' ? { 'target.schema': '' } : {}),
    },
    run: (sql) => connection.run(sql),
    settle: async () => {},
    quote: quoteMysql,
    read: (table) => readMariadb(connection, table),
    rows: async (table) => sorted(await readMariadb(connection, table)),
    nameOf: async (stream) =>
      (await connection.rows('SELECT name FROM tributary_table WHERE stream = ?', [stream]))[0]?.['name'] ?? '',
    async [Symbol.asyncDispose]() {
      await connection.run(`DROP DATABASE ${quoteMysql(database)}`)
      await connection[Symbol.asyncDispose]()
    },
  }
}

async function readMariadb(connection: MysqlConnection, table: string): Promise<TableContents> {
  const columns = await connection.rows(
    'SELECT column_name AS name, data_type AS type FROM information_schema.columns WHERE table_schema = DATABASE() AND table_name = ? ORDER BY ordinal_position',
    [table],
  )
  if (columns.length === 0) return { columns: [], rows: [] }
  const values = columns.map(({ name, type }, at) => `${mariadbText(quoteMysql(name ?? ''), type ?? '')} AS c${at}`)
  const rows = await connection.rows(`SELECT ${values.join(', ')} FROM ${quoteMysql(table)}`)
  return {
    columns: columns.map(({ name }) => name ?? ''),
    rows: rows.map((row) => columns.map((_, at) => row[`c${at}`] ?? null)),
  }
}

function mariadbText(name: string, type: string): string {
  if (type === 'datetime' || type === 'timestamp') return `DATE_FORMAT(${name}, '%Y-%m-%d %H:%i:%s.%f')`
  return type.endsWith('blob') || type.endsWith('binary') ? `HEX(${name})` : `CAST(${name} AS CHAR)`
}
