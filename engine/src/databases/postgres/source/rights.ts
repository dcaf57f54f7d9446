/** Tables and schemas that the user may not read, with the statements that grant it. */
import type pg from 'pg'
import type { MissingSelection } from '../../../ports/source.ts'

interface ChosenNames {
  readonly schemas: readonly string[]
  /** `schema.table` or `table`. */
  readonly tables: readonly string[]
}

/** Of the chosen names: tables without SELECT, schemas without USAGE, and schemas that do not exist. */
export async function hiddenAmong(
  client: pg.Client,
  { schemas, tables }: ChosenNames,
): Promise<readonly MissingSelection[]> {
  const found = await client.query<HiddenRelation>(
    `${tablesNotAllowed}
       AND (c.relname = ANY ($1) OR n.nspname || '.' || c.relname = ANY ($1)) AND (cardinality($2::text[]) = 0 OR n.nspname = ANY ($2))
     UNION ALL
     SELECT nspname, format(E'GRANT USAGE ON SCHEMA %I TO %I;\nGRANT SELECT ON ALL TABLES IN SCHEMA %1$I TO %2$I;', nspname, current_user)
     FROM pg_namespace WHERE nspname = ANY ($2) AND NOT has_schema_privilege(oid, 'USAGE')
     UNION ALL
     SELECT name, NULL FROM unnest($2::text[]) AS name WHERE NOT EXISTS (SELECT FROM pg_namespace WHERE nspname = name)
     ORDER BY name`,
    [tables, schemas],
  )
  return found.rows.map(lackingOf)
}

/** Every table that may not be read, of these schemas or, without any, of all. */
export async function hiddenTables(
  client: pg.Client,
  schemas: readonly string[],
): Promise<readonly MissingSelection[]> {
  const found = await client.query<HiddenRelation>(
    `${tablesNotAllowed} AND NOT c.relispartition AND c.relpersistence <> 't'
       AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')
       AND (cardinality($1::text[]) = 0 OR n.nspname = ANY ($1)) ORDER BY name`,
    [schemas],
  )
  return found.rows.map(lackingOf)
}

function lackingOf({ name, remedy }: HiddenRelation): MissingSelection {
  return remedy === null ? { name } : { name, remedy }
}

interface HiddenRelation {
  readonly name: string
  readonly remedy: string | null
}

const tablesNotAllowed = `SELECT n.nspname || '.' || c.relname AS name,
    concat_ws(E'\n', CASE WHEN NOT has_schema_privilege(n.oid, 'USAGE') THEN format('GRANT USAGE ON SCHEMA %I TO %I;', n.nspname, current_user) END,
      format('GRANT SELECT ON %I.%I TO %I;', n.nspname, c.relname, current_user)) AS remedy
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND n.nspname NOT IN ('pg_catalog', 'information_schema') AND n.nspname !~ '^pg_(toast|temp)'
    AND NOT (has_schema_privilege(n.oid, 'USAGE') AND has_table_privilege(c.oid, 'SELECT'))`
