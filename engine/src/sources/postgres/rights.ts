/** What was chosen by name and may not be read, with the statements by which the database's owner lets the user. */
import type pg from 'pg'
import type { Lacking } from '../../source.ts'

interface Chosen {
  readonly schemas: readonly string[]
  /** `schema.table` or a table's name alone. */
  readonly tables: readonly string[]
}

/** Tables that are there and may not be read, and schemas that may not be looked into or are not there. */
export async function unreadable(client: pg.Client, { schemas, tables }: Chosen): Promise<readonly Lacking[]> {
  const found = await client.query<{ name: string; remedy: string | null }>(
    `SELECT n.nspname || '.' || c.relname AS name,
       concat_ws(E'\n', CASE WHEN NOT has_schema_privilege(n.oid, 'USAGE') THEN format('GRANT USAGE ON SCHEMA %I TO %I;', n.nspname, current_user) END,
         format('GRANT SELECT ON %I.%I TO %I;', n.nspname, c.relname, current_user)) AS remedy
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND n.nspname NOT IN ('pg_catalog', 'information_schema') AND n.nspname !~ '^pg_(toast|temp)'
       AND (c.relname = ANY ($1) OR n.nspname || '.' || c.relname = ANY ($1)) AND (cardinality($2::text[]) = 0 OR n.nspname = ANY ($2))
       AND NOT (has_schema_privilege(n.oid, 'USAGE') AND has_table_privilege(c.oid, 'SELECT'))
     UNION ALL
     SELECT nspname, format(E'GRANT USAGE ON SCHEMA %I TO %I;\nGRANT SELECT ON ALL TABLES IN SCHEMA %1$I TO %2$I;', nspname, current_user)
     FROM pg_namespace WHERE nspname = ANY ($2) AND NOT has_schema_privilege(oid, 'USAGE')
     UNION ALL
     SELECT name, NULL FROM unnest($2::text[]) AS name WHERE NOT EXISTS (SELECT FROM pg_namespace WHERE nspname = name)
     ORDER BY name`,
    [tables, schemas],
  )
  return found.rows.map(({ name, remedy }) => (remedy === null ? { name } : { name, remedy }))
}
