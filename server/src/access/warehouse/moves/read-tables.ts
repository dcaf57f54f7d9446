/** Reads the tables of a warehouse, as statements that create them again. */
import type { Client } from 'pg'
import type { WriterName } from './writer-name.ts'

export interface TableStructure {
  /** Qualified and quoted: `shop.invoice`. */
  readonly name: string
  /** The columns that COPY moves, quoted, separated by commas. Generated ones are computed again. */
  readonly copied: string
  /** The table with its columns. */
  readonly create: string
  /** Keys, indexes, identities, options and comments: created once the rows are there. */
  readonly complete: string
  /** The sequences of its identities. */
  readonly sequences: readonly string[]
}

/** By name. @param only the qualified name of one table; default: all */
export async function listTableStructures(
  client: Client,
  { writerName }: WriterName,
  only: string | null = null,
): Promise<readonly TableStructure[]> {
  const { rows } = await client.query<TableStructure>(tablesSql, [writerName, only])
  return rows
}

/** A column with its type, as in CREATE TABLE. Names of NOT NULL constraints exist from PostgreSQL 18 on. */
const columnSql = `format('%I %s%s%s%s', a.attname, format_type(a.atttypid, a.atttypmod),
    CASE WHEN a.attcollation <> t.typcollation AND a.attcollation <> 0 THEN ' COLLATE ' || a.attcollation::regcollation::text ELSE '' END,
    CASE WHEN a.attgenerated = 's' THEN format(' GENERATED ALWAYS AS (%s) STORED', pg_get_expr(d.adbin, d.adrelid))
      WHEN a.attgenerated = 'v' THEN format(' GENERATED ALWAYS AS (%s)', pg_get_expr(d.adbin, d.adrelid))
      WHEN d.adbin IS NOT NULL THEN ' DEFAULT ' || pg_get_expr(d.adbin, d.adrelid) ELSE '' END,
    CASE WHEN NOT a.attnotnull THEN '' ELSE coalesce((SELECT format(' CONSTRAINT %I', k.conname) FROM pg_constraint k
      WHERE k.conrelid = a.attrelid AND k.contype = 'n' AND k.conkey = ARRAY[a.attnum]), '') || ' NOT NULL' END)`

/** What a column has that CREATE TABLE does not say. */
const columnOptionsSql = `CASE WHEN a.attstorage <> t.typstorage THEN format('ALTER TABLE %s ALTER %I SET STORAGE %s;', r.name, a.attname,
      CASE a.attstorage WHEN 'p' THEN 'PLAIN' WHEN 'e' THEN 'EXTERNAL' WHEN 'm' THEN 'MAIN' ELSE 'EXTENDED' END) ELSE '' END
    || CASE WHEN a.attcompression IN ('p', 'l') THEN format('ALTER TABLE %s ALTER %I SET COMPRESSION %s;', r.name, a.attname,
      CASE a.attcompression WHEN 'p' THEN 'pglz' ELSE 'lz4' END) ELSE '' END
    || CASE WHEN coalesce(a.attstattarget, -1) >= 0 THEN format('ALTER TABLE %s ALTER %I SET STATISTICS %s;', r.name, a.attname, a.attstattarget) ELSE '' END
    || CASE WHEN a.attidentity IN ('a', 'd') THEN (SELECT format(
        'ALTER TABLE %s ALTER %I ADD GENERATED %s AS IDENTITY (SEQUENCE NAME %s START %s INCREMENT %s MINVALUE %s MAXVALUE %s CACHE %s%s);',
        r.name, a.attname, CASE a.attidentity WHEN 'a' THEN 'ALWAYS' ELSE 'BY DEFAULT' END, s.seqrelid::regclass, s.seqstart, s.seqincrement,
        s.seqmin, s.seqmax, s.seqcache, CASE WHEN s.seqcycle THEN ' CYCLE' ELSE '' END)
      FROM pg_sequence s WHERE s.seqrelid = pg_get_serial_sequence(r.name, a.attname)::regclass) ELSE '' END`

const tablesSql = `
  SELECT r.name, c.copied,
    format('CREATE %sTABLE %s (%s)%s', CASE r.relpersistence WHEN 'u' THEN 'UNLOGGED ' ELSE '' END, r.name, c.columns, o.options) AS create,
    c.options || k.keys || i.indexes || CASE WHEN r.relreplident = 'f' THEN format('ALTER TABLE %s REPLICA IDENTITY FULL;', r.name) ELSE '' END
      || m.comments AS complete,
    ARRAY(SELECT s.objid::regclass::text FROM pg_depend s JOIN pg_sequence q ON q.seqrelid = s.objid WHERE s.classid = 'pg_class'::regclass
      AND s.refclassid = 'pg_class'::regclass AND s.refobjid = r.oid AND s.deptype = 'i' ORDER BY 1) AS sequences
  FROM (SELECT c.*, format('%I.%I', n.nspname, c.relname) AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE c.relkind = 'r' AND c.relpersistence <> 't' AND pg_get_userbyid(c.relowner) = $1
        AND pg_get_userbyid(n.nspowner) IN ($1, 'pg_database_owner')) AS r
    CROSS JOIN LATERAL (SELECT coalesce(string_agg(${columnSql}, ', ' ORDER BY a.attnum), '') AS columns,
        coalesce(string_agg(quote_ident(a.attname), ', ' ORDER BY a.attnum) FILTER (WHERE a.attgenerated = ''), '') AS copied,
        coalesce(string_agg(${columnOptionsSql}, '' ORDER BY a.attnum), '') AS options
      FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid
        LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
      WHERE a.attrelid = r.oid AND a.attnum > 0 AND NOT a.attisdropped) AS c
    CROSS JOIN LATERAL (SELECT coalesce((SELECT ' WITH (' || string_agg(format('%I = %L', option_name, option_value), ', ' ORDER BY option_name) || ')'
      FROM pg_options_to_table(r.reloptions)), '') AS options) AS o
    CROSS JOIN LATERAL (SELECT coalesce(string_agg(format('ALTER TABLE %s ADD CONSTRAINT %I %s;', r.name, k.conname, pg_get_constraintdef(k.oid)), ''
      ORDER BY k.contype DESC, k.conname), '') AS keys FROM pg_constraint k WHERE k.conrelid = r.oid AND k.contype IN ('p', 'u', 'c', 'x')) AS k
    CROSS JOIN LATERAL (SELECT coalesce(string_agg(pg_get_indexdef(i.indexrelid) || ';', '' ORDER BY i.indexrelid::regclass::text), '') AS indexes
      FROM pg_index i WHERE i.indrelid = r.oid AND NOT EXISTS (SELECT FROM pg_constraint k WHERE k.conindid = i.indexrelid AND k.conrelid = r.oid)) AS i
    CROSS JOIN LATERAL (SELECT coalesce(string_agg(CASE s.objsubid WHEN 0 THEN format('COMMENT ON TABLE %s IS %L;', r.name, s.description)
        ELSE format('COMMENT ON COLUMN %s.%I IS %L;', r.name, a.attname, s.description) END, '' ORDER BY s.objsubid), '') AS comments
      FROM pg_description s LEFT JOIN pg_attribute a ON a.attrelid = s.objoid AND a.attnum = s.objsubid
      WHERE s.classoid = 'pg_class'::regclass AND s.objoid = r.oid) AS m
  WHERE $2::text IS NULL OR r.name = $2
  ORDER BY r.name`
