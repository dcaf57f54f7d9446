/** A schema of its own in the tests' PostgreSQL, and eyes to look into it. */
import type pg from 'pg'
import { inject } from 'vitest'
import type { Table } from '../model.ts'
import { fitNames } from '../names.ts'
import { quote } from '../postgres/types.ts'
import type { Fields } from './fixtures.ts'
import { makeDatabase } from './postgres.ts'
import { surroundings } from './surroundings.ts'
import type { TargetUnderTest } from './target-bench.ts'
import { facts } from '../targets/postgres/facts.ts'
import { OpenPostgres } from '../targets/postgres/open-target.ts'

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
  const find = async (table: Pick<Table, 'name'>): Promise<string> => {
    const found = await client.query<{ name: string }>(`SELECT name FROM ${quote(schema)}.tributary_table WHERE source_name = $1`, [
      table.name,
    ])
    return `${quote(schema)}.${quote(found.rows[0]?.name ?? '')}`
  }
  return {
    client,
    schema,
    find,
    secrets: [server.password],
    open: async (signal) => new OpenPostgres(settings, surroundings(signal)),
    rows: async (table) => readRows(client, table, await find(table)),
    [Symbol.asyncDispose]: () => client.end(),
  }
}

async function readRows(client: pg.Client, table: Table, from: string): Promise<readonly Fields[]> {
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
