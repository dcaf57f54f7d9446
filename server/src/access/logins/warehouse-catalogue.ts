/** Reads from the warehouse which tables and views there are, whose they are, and who is granted what. */
import { type Client, escapeIdentifier as q, escapeLiteral } from 'pg'
import type { WarehouseRow } from '../warehouse/queries.ts'
import { granteePattern, principalRolePattern } from './role-names.ts'

/** A table or view that the writer has created. */
export interface WarehouseRelation {
  readonly oid: number
  readonly schema: string
  readonly name: string
  readonly kind: 'table' | 'view'
  /** Reads what it refers to with the rights of the caller, instead of those of its owner. Tables: false. */
  readonly isInvokerView: boolean
  /** The relations that a view refers to. */
  readonly refersTo: readonly number[]
  /** The column with the id of the row's slice, if any. */
  readonly sliceColumn: string | null
  /** Whether persons see only the rows of their slices. */
  readonly isLimitedByRows: boolean
  /** The connector, or the writer of the organisation's own tables, and its stream. Null: a view or a table of the product itself. */
  readonly claim: TableClaim | null
  /** The access roles that may read it, and the shared reader. */
  readonly grantees: readonly string[]
}

interface TableClaim {
  readonly connector: string
  readonly stream: string
  readonly sourceName: string
}

interface WarehouseSchemaGrants {
  readonly name: string
  readonly grantees: readonly string[]
}

export interface WarehouseCatalogue {
  readonly relations: readonly WarehouseRelation[]
  readonly schemas: readonly WarehouseSchemaGrants[]
  /** The roles of principals that exist on the server for this database, and whether they may sign in. */
  readonly roles: ReadonlyMap<string, boolean>
}

export const rowPolicy = 'tributary_rows'

/** Reads with the rights of the writer, in one transaction. @param client of the admin */
export async function readCatalogue(client: Client, names: WarehouseRow): Promise<WarehouseCatalogue> {
  await client.query('BEGIN READ ONLY')
  await client.query(`SET LOCAL ROLE ${q(names.writerName)}`)
  const catalogue = await readAll(client, names)
  await client.query('COMMIT')
  return catalogue
}

async function readAll(client: Client, names: WarehouseRow): Promise<WarehouseCatalogue> {
  const schemas = await listSchemaGrants(client, names)
  const claims = await listClaims(client, schemas)
  const relations = await listRelations(client, names)
  const { rows: roles } = await client.query<{ name: string; canLogin: boolean }>(
    'SELECT rolname AS name, rolcanlogin AS "canLogin" FROM pg_roles WHERE rolname ~ $1',
    [principalRolePattern(names.databaseName)],
  )
  return {
    schemas,
    roles: new Map(roles.map(({ name, canLogin }) => [name, canLogin])),
    relations: relations.map((relation) => ({
      ...relation,
      claim: claims.get(`${relation.schema}\t${relation.name}`) ?? null,
    })),
  }
}

/** Shadow tables and staging tables are not among them: they are not for readers, and disappear. */
async function listRelations(
  client: Client,
  { writerName, databaseName }: WarehouseRow,
): Promise<readonly Omit<WarehouseRelation, 'claim'>[]> {
  const { rows } = await client.query<Omit<WarehouseRelation, 'claim'>>(
    `SELECT c.oid::int8::float8 AS oid, n.nspname AS schema, c.relname AS name, CASE WHEN c.relkind IN ('v', 'm') THEN 'view' ELSE 'table' END AS kind,
       EXISTS (SELECT FROM pg_options_to_table(c.reloptions) WHERE option_name = 'security_invoker' AND option_value::boolean) AS "isInvokerView",
       ARRAY(SELECT DISTINCT d.refobjid::int8::float8 FROM pg_rewrite r JOIN pg_depend d ON d.classid = 'pg_rewrite'::regclass AND d.objid = r.oid
         WHERE r.ev_class = c.oid AND d.refclassid = 'pg_class'::regclass AND d.refobjid <> c.oid) AS "refersTo",
       (SELECT min(a.attname::text) FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
         AND lower(a.attname) = 'sliceid' AND a.atttypid = 'uuid'::regtype) AS "sliceColumn",
       c.relrowsecurity AND EXISTS (SELECT FROM pg_policy WHERE polrelid = c.oid AND polname = $3) AS "isLimitedByRows",
       ARRAY(SELECT g.rolname::text FROM aclexplode(c.relacl) AS a JOIN pg_roles g ON g.oid = a.grantee
         WHERE a.privilege_type = 'SELECT' AND g.rolname ~ $2) AS grantees
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE pg_get_userbyid(c.relowner) = $1 AND pg_get_userbyid(n.nspowner) = $1 AND c.relkind IN ('r', 'p', 'v', 'm')
       AND c.relpersistence <> 't' AND NOT starts_with(c.relname, 'tributary_new_') AND NOT starts_with(c.relname, 'tributary_former_')
     ORDER BY n.nspname, c.relname`,
    [writerName, granteePattern(databaseName), rowPolicy],
  )
  return rows
}

async function listSchemaGrants(
  client: Client,
  { writerName, databaseName }: WarehouseRow,
): Promise<readonly WarehouseSchemaGrants[]> {
  const { rows } = await client.query<WarehouseSchemaGrants>(
    `SELECT n.nspname AS name, ARRAY(SELECT g.rolname::text FROM aclexplode(n.nspacl) AS a JOIN pg_roles g ON g.oid = a.grantee
       WHERE a.privilege_type = 'USAGE' AND g.rolname ~ $2) AS grantees
     FROM pg_namespace n WHERE pg_get_userbyid(n.nspowner) = $1 AND NOT starts_with(n.nspname, 'pg_') ORDER BY n.nspname`,
    [writerName, granteePattern(databaseName)],
  )
  return rows
}

/** Whose each table is, by schema and name. The engine keeps this in a table in each schema that it writes. */
async function listClaims(
  client: Client,
  schemas: readonly WarehouseSchemaGrants[],
): Promise<ReadonlyMap<string, TableClaim>> {
  const { rows: known } = await client.query<{ schema: string }>(
    `SELECT n.nspname AS schema FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE c.relname = 'tributary_table' AND c.relkind = 'r' AND n.nspname = ANY ($1)`,
    [schemas.map(({ name }) => name)],
  )
  if (known.length === 0) return new Map()
  const parts = known.map(
    ({ schema }) =>
      `SELECT ${escapeLiteral(schema)} AS schema, name, connector, stream, source_name AS "sourceName" FROM ${q(schema)}.tributary_table`,
  )
  const { rows } = await client.query<TableClaim & { readonly schema: string; readonly name: string }>(
    parts.join(' UNION ALL '),
  )
  return new Map(rows.map(({ schema, name, ...claim }) => [`${schema}\t${name}`, claim]))
}
