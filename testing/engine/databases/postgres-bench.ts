/** A separate schema in the tests' PostgreSQL, with queries that inspect it. */
import type pg from 'pg'
import { inject } from 'vitest'
import type { Table } from '@tributary/engine/ports/model'
import { fitNames } from '@tributary/engine/databases/sql-target/names'
import { quote } from '@tributary/engine/databases/postgres/types'
import type { RowFields } from '../sync/fixtures.ts'
import { makeDatabase } from './postgres.ts'
import { connectionContext } from '../sync/source-context.ts'
import type { TargetUnderTest } from '../../conformance/target/target-bench.ts'
import { facts } from '@tributary/engine/databases/postgres/target-facts'
import { postgresTarget } from '@tributary/engine/databases/postgres/target'

export interface PostgresBench extends TargetUnderTest {
  readonly client: pg.Client
  readonly schema: string
  /** The table's quoted name with its schema. */
  find(table: Pick<Table, 'name'>): Promise<string>
}

export async function makePostgresBench(): Promise<PostgresBench> {
  const server = inject('postgres')
  const client = await makeDatabase()
  const schema = 'Target_1'
  const settings = { address: { ...server, database: client.database ?? '', sslmode: 'disable' as const }, schema }
  const open = (signal?: AbortSignal) => postgresTarget.open(settings, connectionContext(signal))
  return postgresBench({ client, schema, open, secrets: [server.password] })
}

/** @param place how to open the target, its schema, and a client that may read it */
export function postgresBench(place: Pick<PostgresBench, 'client' | 'schema' | 'open' | 'secrets'>): PostgresBench {
  const { client, schema } = place
  const find = async (table: Pick<Table, 'name'>): Promise<string> => {
    const found = await client.query<{ name: string }>(
      `SELECT name FROM ${quote(schema)}.tributary_table WHERE source_name = $1`,
      [table.name],
    )
    return `${quote(schema)}.${quote(found.rows[0]?.name ?? '')}`
  }
  return {
    ...place,
    find,
    rows: async (table) => readRows(client, table, await find(table)),
    report: async (which, connectorId) => {
      const found = await client.query<{ row: Record<string, unknown> }>(
        `SELECT to_jsonb(t) AS row FROM ${quote(schema)}.${quote(`tributary_${which}`)} AS t WHERE connector = $1 ORDER BY ${which === 'run' ? 'started_at' : 'table_name'}`,
        [connectorId],
      )
      return found.rows.map(({ row }) =>
        Object.fromEntries(Object.entries(row).map(([name, value]) => [name, asText(value)])),
      )
    },
    drop: async (table) => void (await client.query(`DROP TABLE ${await find(table)}`)),
    asOf: async (table, moment) => {
      const call = `${quote(schema)}.${quote(`${table}__as_of`)}`
      const found = await client.query<{ row: string }>(`SELECT ROW(t.*)::text AS row FROM ${call}($1) t ORDER BY 1`, [
        moment,
      ])
      return found.rows.map(({ row }) => row)
    },
    [Symbol.asyncDispose]: () => client.end(),
  }
}

async function readRows(client: pg.Client, table: Table, from: string): Promise<readonly RowFields[]> {
  const names = fitNames(
    table.columns.map((column) => column.name),
    facts.identifierMax,
  )
  const physical = table.columns.map((column) => ({ name: quote(names.get(column.name) ?? ''), type: column.type }))
  const list = physical.map(({ name, type }) =>
    type.kind === 'boolean' ? `CASE ${name} WHEN true THEN 't' WHEN false THEN 'f' END` : `${name}::text`,
  )
  const order = physical.map(({ name }) => name).join(', ')
  const found = await client.query<(string | null)[]>({
    text: `SELECT ${list.join(', ')} FROM ${from} ORDER BY ${order}`,
    rowMode: 'array',
  })
  return found.rows
}

/** Converts JSON timestamps such as `2026-11-20T08:00:00+00:00` to PostgreSQL's text format. */
function asText(value: unknown): string | null {
  if (typeof value !== 'string') return value === null ? null : JSON.stringify(value)
  return value.replace(/^(\d{4}-\d\d-\d\d)T(.*)\+00:00$/, '$1 $2+00')
}
