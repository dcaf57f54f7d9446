/** A PostgreSQL database as a customer's source, with the settings that a user would enter to connect to it. */
import { randomUUID } from 'node:crypto'
import { Client, type ClientConfig } from 'pg'
import { inject } from 'vitest'

export interface SourceDatabase {
  readonly connection: ClientConfig
  /** The value of `source.connectionString` or `target.connectionString`. */
  readonly settings: Readonly<Record<string, unknown>>
  /** Blocks all readers of the table until the lock is released. */
  lock(table: string): Promise<TableLock>
  query<Row extends object = Record<string, unknown>>(text: string, values?: readonly unknown[]): Promise<Row[]>
}

/** @param setUp SQL that creates and fills the tables */
export async function sourceDatabase(setUp: string): Promise<SourceDatabase> {
  const database = `source_${randomUUID().replaceAll('-', '')}`
  const { host, port, user, password } = inject('postgres')
  await run({ host, port, user, password, database: 'postgres' }, `CREATE DATABASE ${database}`)
  const connection = { host, port, user, password, database }
  await run(connection, setUp)
  return {
    connection,
    settings: { host, port, user, password, database, sslmode: 'disable' },
    query: (text, values) => run(connection, text, values),
    async lock(table) {
      const client = new Client(connection)
      await client.connect()
      await client.query(`BEGIN; LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`)
      const open = () => client.end()
      return { open, [Symbol.asyncDispose]: open }
    },
  }
}

interface TableLock extends AsyncDisposable {
  open(): Promise<void>
}

async function run<Row extends object>(
  connection: ClientConfig,
  text: string,
  values?: readonly unknown[],
): Promise<Row[]> {
  const client = new Client(connection)
  await client.connect()
  try {
    const { rows } = await client.query<Row>(text, values === undefined ? [] : [...values])
    return rows
  } finally {
    await client.end()
  }
}
