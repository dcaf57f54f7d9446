/** Queries on a PostgreSQL target under a second login, and the proof that this login cannot write. */
import type pg from 'pg'
import { type QueryLimits, QueryRefused, type QueryResult } from '../../../ports/query.ts'
import type { ReadableTable, TargetReader, TargetReading } from '../../../ports/target-reader.ts'
import { type CatalogueRow, groupReadableColumns } from '../../queries/readable-tables.ts'
import type { PostgresTargetSettings } from '../dialect/settings.ts'
import { openSessionPool, type SessionPool } from '../session-pool.ts'
import { quote } from '../types.ts'
import { readableColumnsSql } from './readable-tables.ts'
import { runPostgresQuery } from './run-query.ts'
import { writeRightsSql } from './write-rights.ts'

export const postgresReading: TargetReading<PostgresTargetSettings> = {
  dialect: 'postgres',
  addressOf: ({ address: { host, port, database, sslmode } }) => `postgres ${host}:${port}/${database} ${sslmode}`,
  instructions: ({ address, schema }) =>
    [
      `CREATE ROLE tributary_reader LOGIN PASSWORD '…' NOSUPERUSER NOCREATEDB NOCREATEROLE NOINHERIT;`,
      `GRANT CONNECT ON DATABASE ${quote(address.database)} TO tributary_reader;`,
      `GRANT USAGE ON SCHEMA ${quote(schema)} TO tributary_reader;`,
      `GRANT SELECT ON ALL TABLES IN SCHEMA ${quote(schema)} TO tributary_reader;`,
      `ALTER DEFAULT PRIVILEGES FOR ROLE ${quote(address.user)} IN SCHEMA ${quote(schema)} GRANT SELECT ON TABLES TO tributary_reader;`,
      `-- PostgreSQL 14 and older let everyone create tables in the schema public:`,
      `REVOKE CREATE ON SCHEMA public FROM PUBLIC;`,
    ].join('\n'),
  open: async ({ address, schema }, login, around) => {
    const setUp = () => Promise.resolve()
    return new PostgresReader(
      openSessionPool({ address: { ...address, ...login }, around, side: 'target', setUp }),
      schema,
    )
  },
}

class PostgresReader implements TargetReader {
  readonly #pool: SessionPool
  readonly #schema: string

  constructor(pool: SessionPool, schema: string) {
    this.#pool = pool
    this.#schema = schema
  }

  findWriteRights(): Promise<readonly string[]> {
    return this.#pool.use(async (client) => {
      const { rows } = await client.query<{ finding: string }>(writeRightsSql)
      return rows.map(({ finding }) => finding)
    })
  }

  attemptToWrite(): Promise<readonly string[]> {
    return this.#pool.use(async (client) => {
      const findings: string[] = []
      for (const statement of await this.#listAttempts(client)) {
        const finding = await attempt(client, statement)
        if (finding !== null) findings.push(finding)
      }
      return findings
    })
  }

  async #listAttempts(client: pg.Client): Promise<readonly string[]> {
    const { rows } = await client.query<{ schema: string; table: string; column: string }>(
      `SELECT n.nspname AS schema, c.relname AS table, a.attname AS column FROM pg_class c
       JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = 1 AND NOT a.attisdropped
       WHERE c.relkind = 'r' AND n.nspname = $1 ORDER BY has_table_privilege(c.oid, 'SELECT') DESC, c.relname LIMIT 1`,
      [this.#schema],
    )
    const creating = [
      `CREATE TABLE ${quote(this.#schema)}.tributary_reading_check (x int)`,
      'CREATE SCHEMA tributary_reading_check',
    ]
    const [found] = rows
    if (found === undefined) return creating
    const table = `${quote(found.schema)}.${quote(found.table)}`
    const column = quote(found.column)
    return [
      ...creating,
      `INSERT INTO ${table} SELECT * FROM ${table} WHERE false`,
      `UPDATE ${table} SET ${column} = ${column} WHERE false`,
    ]
  }

  listTables(): Promise<readonly ReadableTable[]> {
    return this.#pool.use(async (client) =>
      groupReadableColumns((await client.query<CatalogueRow>(readableColumnsSql)).rows),
    )
  }

  async query(statement: string, limits: QueryLimits, signal: AbortSignal): Promise<QueryResult> {
    signal.throwIfAborted()
    const session = await this.#pool.take()
    const { processID } = session.client as pg.Client & { readonly processID: number }
    const cancel = () =>
      void this.#pool
        .use((other) => other.query('SELECT pg_cancel_backend($1)', [processID]))
        .catch(() => session.destroy())
    signal.addEventListener('abort', cancel, { once: true })
    try {
      return await runPostgresQuery(session.client, statement, limits)
    } catch (error) {
      signal.throwIfAborted()
      throw error instanceof QueryRefused ? error : await this.#pool.explain(error)
    } finally {
      signal.removeEventListener('abort', cancel)
      session.release()
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return Promise.resolve(this.#pool[Symbol.asyncDispose]())
  }
}

const lacksRight = '42501'
const schemaMissing = '3F000'

/** Null if the right is missing. A server that only allows reading refuses, too, but proves nothing. */
async function attempt(client: pg.Client, statement: string): Promise<string | null> {
  await client.query('BEGIN TRANSACTION READ WRITE')
  try {
    await client.query(statement)
    return `may run ${statement}`
  } catch (error) {
    const { code, message } = error as pg.DatabaseError
    if (code === lacksRight || code === schemaMissing) return null
    if (code === undefined) throw error
    return `was not refused for lack of rights (${message}): ${statement}`
  } finally {
    await client.query('ROLLBACK')
  }
}
