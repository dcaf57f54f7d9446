/** A customer's database for tests: a PostgreSQL with a table or two, and the settings that a person would enter to reach it. */
import { randomUUID } from 'node:crypto'
import { Client, type ClientConfig } from 'pg'
import { inject } from 'vitest'

export interface SourceDatabase {
  readonly connection: ClientConfig
  /** What stands in `source.connectionString` or `target.connectionString`. */
  readonly settings: Readonly<Record<string, unknown>>
  /** Until it is opened again, whoever reads that table waits. */
  lock(table: string): Promise<Lock>
  query<Row extends object = Record<string, unknown>>(text: string, values?: readonly unknown[]): Promise<Row[]>
}

/** @param setUp statements that make and fill its tables. */
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

interface Lock extends AsyncDisposable {
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
