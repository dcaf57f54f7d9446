import { readableColumnsMax } from '../../queries/readable-tables.ts'

/** The columns that the login may read. Without partitions, which are read with their table, and tables of Tributary's own. */
export const readableColumnsSql = `
  SELECT n.nspname AS schema, c.relname AS name, obj_description(c.oid, 'pg_class') AS comment,
    a.attname AS "columnName", col_description(c.oid, a.attnum) AS "columnComment"
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
  WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND c.relpersistence <> 't' AND NOT c.relispartition
    AND n.nspname <> 'information_schema' AND n.nspname NOT LIKE 'pg\\_%' AND c.relname NOT LIKE 'tributary\\_%'
    AND has_schema_privilege(n.oid, 'USAGE') AND has_column_privilege(c.oid, a.attnum, 'SELECT')
  ORDER BY n.nspname, c.relname, a.attnum LIMIT ${readableColumnsMax}`
