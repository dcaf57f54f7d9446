/** Which tables the user may not read, as the statements by which the database's owner lets it. */
import type pg from 'pg'

/** `tables`: `schema.table` or a table's name alone. Null where nothing is missing. */
export async function missingGrants(client: pg.Client, tables: readonly string[]): Promise<string | null> {
  const found = await client.query<{ schema: string | null; table: string }>(
    `SELECT CASE WHEN NOT has_schema_privilege(n.oid, 'USAGE') THEN format('GRANT USAGE ON SCHEMA %I TO %I;', n.nspname, current_user) END AS schema,
       format('GRANT SELECT ON %I.%I TO %I;', n.nspname, c.relname, current_user) AS table
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND n.nspname NOT IN ('pg_catalog', 'information_schema') AND n.nspname !~ '^pg_(toast|temp)'
       AND (c.relname = ANY ($1) OR n.nspname || '.' || c.relname = ANY ($1))
       AND NOT (has_schema_privilege(n.oid, 'USAGE') AND has_table_privilege(c.oid, 'SELECT'))
     ORDER BY n.nspname, c.relname`,
    [tables],
  )
  const statements = new Set(found.rows.flatMap(({ schema, table }) => [schema ?? [], table].flat()))
  return statements.size === 0 ? null : [...statements].join('\n')
}
