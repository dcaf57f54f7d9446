/**
 * Reads from the catalogue of a warehouse everything that its writer has created, as statements that create it again elsewhere. PostgreSQL
 * itself writes the definitions (`pg_get_viewdef` and the like). Rights are not among them: they follow from the store.
 */
import type { Client } from 'pg'
import { listTableStructures, type TableStructure } from './read-tables.ts'
import type { WriterName } from './writer-name.ts'

export interface WarehouseStructure {
  readonly schemas: readonly string[]
  readonly tables: readonly TableStructure[]
  /** Foreign keys, views and functions, in no order: created once all tables are there. */
  readonly dependants: readonly DependantStructure[]
}

/** A foreign key, a view or a function. */
export interface DependantStructure {
  /** Such as `VIEW shop.unpaid`. */
  readonly name: string
  readonly statement: string
  /** Does nothing if it does not exist. */
  readonly drop: string
}

/** @param client with the settings of `openCopySession` */
export async function readStructure(client: Client, names: WriterName): Promise<WarehouseStructure> {
  return {
    schemas: await listSchemas(client, names),
    tables: await listTableStructures(client, names),
    dependants: [
      ...(await listForeignKeys(client, names)),
      ...(await listViews(client, names)),
      ...(await listFunctions(client, names)),
    ],
  }
}

async function listSchemas(client: Client, { writerName }: WriterName): Promise<readonly string[]> {
  const { rows } = await client.query<{ statement: string }>(
    `SELECT format('CREATE SCHEMA IF NOT EXISTS %I;', n.nspname) || format('COMMENT ON SCHEMA %I IS %L', n.nspname,
       obj_description(n.oid, 'pg_namespace')) AS statement
     FROM pg_namespace n WHERE pg_get_userbyid(n.nspowner) = $1 AND n.nspname <> 'public' ORDER BY n.nspname`,
    [writerName],
  )
  return rows.map(({ statement }) => statement)
}

/** Tributary creates none, but an operator may. They refer to tables that are copied one after the other. */
async function listForeignKeys(client: Client, { writerName }: WriterName): Promise<readonly DependantStructure[]> {
  const { rows } = await client.query<DependantStructure>(
    `SELECT format('CONSTRAINT %I OF %s', k.conname, k.conrelid::regclass) AS name,
       format('ALTER TABLE %s ADD CONSTRAINT %I %s', k.conrelid::regclass, k.conname, pg_get_constraintdef(k.oid)) AS statement,
       format('ALTER TABLE IF EXISTS %s DROP CONSTRAINT IF EXISTS %I', k.conrelid::regclass, k.conname) AS drop
     FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid
     WHERE k.contype = 'f' AND k.conparentid = 0 AND pg_get_userbyid(c.relowner) = $1
     ORDER BY name`,
    [writerName],
  )
  return rows
}

/** Materialised views are filled again when they are created. */
async function listViews(client: Client, { writerName }: WriterName): Promise<readonly DependantStructure[]> {
  const { rows } = await client.query<DependantStructure>(
    `SELECT kind || ' ' || v.name AS name,
       format('CREATE %s %s%s AS %s;', kind, v.name, options, rtrim(pg_get_viewdef(v.oid), ';')) || indexes || comments AS statement,
       format('DROP %s IF EXISTS %s CASCADE', kind, v.name) AS drop
     FROM (
       SELECT c.oid, format('%I.%I', n.nspname, c.relname) AS name, CASE c.relkind WHEN 'm' THEN 'MATERIALIZED VIEW' ELSE 'VIEW' END AS kind,
         coalesce((SELECT ' WITH (' || string_agg(format('%I = %L', option_name, option_value), ', ' ORDER BY option_name) || ')'
           FROM pg_options_to_table(c.reloptions)), '') AS options
       FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
       WHERE c.relkind IN ('v', 'm') AND pg_get_userbyid(c.relowner) = $1 AND pg_get_userbyid(n.nspowner) IN ($1, 'pg_database_owner')) AS v
     CROSS JOIN LATERAL (SELECT coalesce(string_agg(pg_get_indexdef(indexrelid) || ';', '' ORDER BY indexrelid::regclass::text), '') AS indexes
       FROM pg_index WHERE indrelid = v.oid) AS i
     CROSS JOIN LATERAL (SELECT coalesce(string_agg(CASE s.objsubid WHEN 0 THEN format('COMMENT ON %s %s IS %L;', kind, v.name, s.description)
         ELSE format('COMMENT ON COLUMN %s.%I IS %L;', v.name, a.attname, s.description) END, '' ORDER BY s.objsubid), '') AS comments
       FROM pg_description s LEFT JOIN pg_attribute a ON a.attrelid = s.objoid AND a.attnum = s.objsubid
       WHERE s.classoid = 'pg_class'::regclass AND s.objoid = v.oid) AS d
     ORDER BY v.name`,
    [writerName],
  )
  return rows
}

async function listFunctions(client: Client, { writerName }: WriterName): Promise<readonly DependantStructure[]> {
  const { rows } = await client.query<DependantStructure>(
    `SELECT f.kind || f.signature AS name, f.definition || ';' || f.comment || f.rights AS statement,
       format('DROP %s IF EXISTS %s CASCADE', f.kind, f.signature) AS drop
     FROM (
       SELECT CASE p.prokind WHEN 'p' THEN 'PROCEDURE ' ELSE 'FUNCTION ' END AS kind, p.oid::regprocedure::text AS signature,
         rtrim(pg_get_functiondef(p.oid), E'\\n') AS definition,
         coalesce(format('COMMENT ON %s %s IS %L;', CASE p.prokind WHEN 'p' THEN 'PROCEDURE' ELSE 'FUNCTION' END, p.oid::regprocedure,
           obj_description(p.oid, 'pg_proc')), '') AS comment,
         CASE WHEN p.proacl IS NOT NULL AND NOT EXISTS (SELECT FROM aclexplode(p.proacl) WHERE grantee = 0)
           THEN format('REVOKE ALL ON FUNCTION %s FROM PUBLIC;', p.oid::regprocedure) ELSE '' END AS rights
       FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
       WHERE p.prokind IN ('f', 'p') AND pg_get_userbyid(p.proowner) = $1) AS f
     ORDER BY f.signature`,
    [writerName],
  )
  return rows
}
