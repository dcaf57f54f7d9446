/** Rights that the user lacks in a PostgreSQL target, as statements for the owner of the database. */
import type pg from 'pg'
import { quote } from '../types.ts'

interface TargetRights {
  readonly user: string
  readonly database: string
  readonly exists: boolean
  readonly mayCreateSchemas: boolean
  readonly mayStage: boolean
  readonly mayUse: boolean | null
  /** Tables of Tributary that belong to another user, who created or restored them. */
  readonly foreign: readonly string[]
}

/** Queries the catalogue, because error messages come in many languages. Null where no known right is missing. */
export async function missingRights(client: pg.Client, schema: string): Promise<string | null> {
  const found = await client.query<TargetRights>(
    `SELECT current_user AS user, current_database() AS database, n.oid IS NOT NULL AS exists,
       has_database_privilege(current_database(), 'CREATE') AS "mayCreateSchemas", has_database_privilege(current_database(), 'TEMPORARY') AS "mayStage",
       has_schema_privilege(n.oid, 'USAGE') AND has_schema_privilege(n.oid, 'CREATE') AS "mayUse",
       ARRAY(SELECT relname::text FROM pg_class WHERE relnamespace = n.oid AND relkind = 'r' AND starts_with(relname, 'tributary_')
         AND NOT pg_has_role(relowner, 'USAGE') ORDER BY relname) AS foreign
     FROM (SELECT $1::name AS wished) AS of LEFT JOIN pg_namespace n ON n.nspname = of.wished`,
    [schema],
  )
  const [rights] = found.rows
  const statements = rights === undefined ? [] : statementsFor(rights, schema)
  return statements.length === 0 ? null : statements.join('\n')
}

function statementsFor({ user, database, foreign, ...rights }: TargetRights, schema: string): readonly string[] {
  const to = `TO ${quote(user)};`
  return [
    ...(rights.exists || rights.mayCreateSchemas ? [] : [`GRANT CREATE ON DATABASE ${quote(database)} ${to}`]),
    ...(rights.mayUse === false ? [`GRANT USAGE, CREATE ON SCHEMA ${quote(schema)} ${to}`] : []),
    ...(rights.mayStage ? [] : [`GRANT TEMPORARY ON DATABASE ${quote(database)} ${to}`]),
    ...foreign.map((name) => `ALTER TABLE ${quote(schema)}.${quote(name)} OWNER ${to}`),
  ]
}
