/** Which rights the user lacks in the target, as the statements by which the database's owner gives them. */
import type pg from 'pg'
import { quote } from '../types.ts'

interface Rights {
  readonly user: string
  readonly database: string
  readonly isThere: boolean
  readonly mayMakeSchemas: boolean
  readonly mayStage: boolean
  readonly mayUse: boolean | null
  /** Tables of ours that belong to somebody else, who made them or restored them. */
  readonly foreign: readonly string[]
}

/** Asked of the server, for its messages come in many languages. Null where nothing known is missing. */
export async function missingRights(client: pg.Client, schema: string): Promise<string | null> {
  const found = await client.query<Rights>(
    `SELECT current_user AS user, current_database() AS database, n.oid IS NOT NULL AS "isThere",
       has_database_privilege(current_database(), 'CREATE') AS "mayMakeSchemas", has_database_privilege(current_database(), 'TEMPORARY') AS "mayStage",
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

function statementsFor({ user, database, foreign, ...rights }: Rights, schema: string): readonly string[] {
  const to = `TO ${quote(user)};`
  return [
    ...(rights.isThere || rights.mayMakeSchemas ? [] : [`GRANT CREATE ON DATABASE ${quote(database)} ${to}`]),
    ...(rights.mayUse === false ? [`GRANT USAGE, CREATE ON SCHEMA ${quote(schema)} ${to}`] : []),
    ...(rights.mayStage ? [] : [`GRANT TEMPORARY ON DATABASE ${quote(database)} ${to}`]),
    ...foreign.map((name) => `ALTER TABLE ${quote(schema)}.${quote(name)} OWNER ${to}`),
  ]
}
