/**
 * Describes a database as text, so that two can be compared: its schema, and the row count and checksum of each table.
 */
import { Client, type ClientConfig } from 'pg'
import { ephemeralTables } from '../../../server/src/security/backup/tables.ts'

export async function queryDatabase<Row extends object = Record<string, unknown>>(
  connection: ClientConfig,
  text: string,
): Promise<Row[]> {
  const client = new Client(connection)
  await client.connect()
  try {
    const results: unknown = await client.query<Row>(text)
    const last = Array.isArray(results) ? (results.at(-1) as { rows: Row[] }) : (results as { rows: Row[] })
    return last.rows
  } finally {
    await client.end()
  }
}

export interface DatabaseDump {
  readonly shape: readonly string[]
  readonly rows: Readonly<Record<string, { readonly rows: number; readonly sum: string | null }>>
}

/** Omits the rows of tables that no backup contains, and of tables that record migrations, restores and backups. */
export async function dumpDatabase(connection: ClientConfig): Promise<DatabaseDump> {
  const shape = await readSchemaShape(connection)
  const tables = await queryDatabase<{ name: string }>(
    connection,
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' ORDER BY 1`,
  )
  const left: readonly string[] = [...ephemeralTables, 'migration', 'restore', 'backup']
  const figures = tables
    .filter(({ name }) => !left.includes(name))
    .map(
      ({ name }) =>
        `SELECT '${name}' AS name, count(*)::int AS rows, sum(hashtextextended(each::text, 0)::numeric)::text AS sum FROM ${name} AS each`,
    )
  const found = await queryDatabase<{ name: string; rows: number; sum: string | null }>(
    connection,
    `SET tributary.organisation = '*'; ${figures.join(' UNION ALL ')}`,
  )
  return { shape, rows: Object.fromEntries(found.map(({ name, rows, sum }) => [name, { rows, sum }])) }
}

/** Returns every column, constraint, index, policy, trigger and function of the schema in PostgreSQL's notation. */
export async function readSchemaShape(connection: ClientConfig): Promise<readonly string[]> {
  const here = `'public'::regnamespace`
  const rows = await queryDatabase<{ line: string }>(
    connection,
    `SELECT concat_ws(' ', 'table', relname, relrowsecurity, relforcerowsecurity) AS line FROM pg_class WHERE relnamespace = ${here} AND relkind = 'r'
     UNION ALL SELECT concat_ws(' ', 'column', relname, attname, format_type(atttypid, atttypmod), attnotnull, attidentity, pg_get_expr(adbin, adrelid))
       FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
       WHERE relnamespace = ${here} AND relkind = 'r' AND attnum > 0 AND NOT attisdropped
     UNION ALL SELECT concat_ws(' ', 'constraint', conrelid::regclass, conname, pg_get_constraintdef(oid)) FROM pg_constraint WHERE connamespace = ${here}
     UNION ALL SELECT concat_ws(' ', 'index', indexdef) FROM pg_indexes WHERE schemaname = 'public'
     UNION ALL SELECT concat_ws(' ', 'policy', tablename, policyname, cmd, qual, with_check) FROM pg_policies WHERE schemaname = 'public'
     UNION ALL SELECT concat_ws(' ', 'trigger', pg_get_triggerdef(pg_trigger.oid)) FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid
       WHERE relnamespace = ${here} AND NOT tgisinternal
     UNION ALL SELECT concat_ws(' ', 'function', pg_get_functiondef(oid)) FROM pg_proc WHERE pronamespace = ${here}
     ORDER BY 1`,
  )
  return rows.map(({ line }) => line)
}
