/** Reads table models from the catalogue of the warehouse. `describeTables` of the dictionary adds what it says about them. */
import { logicalType } from '@tributary/engine/databases/postgres/types'
import { readDescription } from '@tributary/engine/ports/model'
import type { ClientBase } from 'pg'
import type { ColumnModel, TableModel, TableRelation } from './table-model.ts'

/** Tables and schemas of Tributary's own, such as checkpoints, shadow tables that are being loaded, and rights. */
const ownTables = 'tributary\\_%'

export interface ModelsRequest {
  /** Only those. Default: all schemas except PostgreSQL's. */
  readonly schemas?: readonly string[]
  /** Also the history tables, which otherwise belong to their tables. */
  readonly histories?: boolean
}

/** Lists the tables and views that the login of `client` may read, by schema and name. */
export async function readTableModels(
  client: ClientBase,
  { schemas, histories = false }: ModelsRequest = {},
): Promise<TableModel[]> {
  const { rows } = await client.query<CatalogueTable>(tablesSql, [schemas ?? null, ownTables, histories])
  return rows.map(({ isTable, key, columns, relations, description, ...table }) => ({
    ...table,
    description: readDescription(description) ?? null,
    kind: isTable ? 'table' : 'view',
    key: key ?? [],
    columns: (columns ?? []).map(toColumn),
    relations: relations ?? [],
  }))
}

interface CatalogueTable extends Pick<TableModel, 'schema' | 'name' | 'description'> {
  readonly isTable: boolean
  readonly key: readonly string[] | null
  readonly columns: readonly CatalogueColumn[] | null
  readonly relations: readonly TableRelation[] | null
}

type CatalogueColumn = Omit<ColumnModel, 'kind'>

function toColumn(column: CatalogueColumn): ColumnModel {
  const description = readDescription(column.description) ?? null
  return { ...column, description, kind: logicalType(column.sqlType)?.kind ?? 'other' }
}

const tablesSql = `
  SELECT n.nspname AS schema, c.relname AS name, c.relkind IN ('r', 'p') AS "isTable",
    obj_description(c.oid, 'pg_class') AS description,
    (SELECT json_agg(a.attname ORDER BY k.position)
     FROM pg_index i CROSS JOIN LATERAL unnest(i.indkey::int2[]) WITH ORDINALITY AS k(attnum, position)
       JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.attnum
     WHERE i.indrelid = c.oid AND i.indisprimary) AS key,
    (SELECT json_agg(json_build_object('name', a.attname, 'sqlType', format_type(a.atttypid, a.atttypmod),
       'nullable', NOT a.attnotnull, 'description', col_description(c.oid, a.attnum)) ORDER BY a.attnum)
     FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped) AS columns,
    (SELECT json_agg(json_build_object('columns', names.here, 'schema', fn.nspname, 'table', f.relname,
       'referencedColumns', names.there) ORDER BY o.conname)
     FROM pg_constraint o JOIN pg_class f ON f.oid = o.confrelid JOIN pg_namespace fn ON fn.oid = f.relnamespace
       CROSS JOIN LATERAL (
         SELECT json_agg(h.attname ORDER BY p.position) AS here, json_agg(t.attname ORDER BY p.position) AS there
         FROM unnest(o.conkey, o.confkey) WITH ORDINALITY AS p(here, there, position)
           JOIN pg_attribute h ON h.attrelid = o.conrelid AND h.attnum = p.here
           JOIN pg_attribute t ON t.attrelid = o.confrelid AND t.attnum = p.there) AS names
     WHERE o.conrelid = c.oid AND o.contype = 'f') AS relations
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE c.relkind IN ('r', 'p', 'v', 'm') AND c.relpersistence <> 't'
    AND n.nspname <> 'information_schema' AND n.nspname NOT LIKE 'pg\\_%'
    AND ($1::text[] IS NULL OR n.nspname = ANY ($1)) AND c.relname NOT LIKE $2 AND n.nspname NOT LIKE $2
    AND ($3 OR NOT EXISTS (SELECT FROM pg_index i JOIN pg_class x ON x.oid = i.indexrelid
      WHERE i.indrelid = c.oid AND starts_with(x.relname, 'tributary_current_')))
    AND has_schema_privilege(n.oid, 'USAGE') AND has_table_privilege(c.oid, 'SELECT')
  ORDER BY n.nspname, c.relname`
