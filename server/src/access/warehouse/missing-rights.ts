/** Finds out what the role of the warehouse's server lacks, as statements that its operator can run. */
import { type Client, escapeIdentifier as q } from 'pg'
import { Fault } from '@tributary/engine/ports/faults'
import type { WarehouseServer } from '../../connections/databases/warehouse-server.ts'
import type { WarehouseRow } from './queries.ts'
import { asAdmin } from './warehouse-database.ts'

const insufficientPrivilege = '42501'

/** Runs `work`. If PostgreSQL refuses it for lack of rights, throws a `settings` Fault that says what to grant. */
export async function withMissingRights<T>(
  server: WarehouseServer,
  names: Pick<WarehouseRow, 'databaseName'>,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    if ((cause as { readonly code?: unknown }).code !== insufficientPrivilege) throw cause
    const statements = await listMissingRights(server, names).catch(() => [])
    const remedy =
      statements.length === 0
        ? 'The server log has the object that PostgreSQL names. The operator of this server can make the role of TRIBUTARY_WAREHOUSE_URL or DATABASE_URL its owner.'
        : `The operator of this server can grant them with: ${statements.join('; ')}`
    throw new Fault('settings', {
      code: 'warehouse.not_allowed',
      notice: `Tributary lacks rights in its own warehouse, so nothing is loaded there and rights do not change. ${remedy}`,
      cause,
    })
  }
}

interface AdminRole {
  readonly name: string
  readonly mayCreateDatabases: boolean
  readonly mayCreateRoles: boolean
  /** From PostgreSQL 16 on CREATEROLE covers only the roles that a role has created, and SET ROLE is an option of a membership. */
  readonly hasOptions: boolean
}

async function listMissingRights(
  server: WarehouseServer,
  names: Pick<WarehouseRow, 'databaseName'>,
): Promise<readonly string[]> {
  const { attributes, hasDatabase } = await asAdmin(server, undefined, async (admin) => {
    const role = await readAdmin(admin)
    const roles = await listForeignRoles(admin, names, role)
    const { rows } = await admin.query<{ mayConnect: boolean }>(
      `SELECT has_database_privilege(oid, 'CONNECT') AS "mayConnect" FROM pg_database WHERE datname = $1`,
      [names.databaseName],
    )
    return {
      attributes: [...missingAttributes(role), ...grantsOf(roles, role)],
      hasDatabase: rows[0]?.mayConnect === true && roles.length === 0,
    }
  })
  if (!hasDatabase) return attributes
  return [...attributes, ...(await asAdmin(server, names.databaseName, (client) => listForeignRights(client, names)))]
}

export async function readAdmin(admin: Client): Promise<AdminRole> {
  const { rows } = await admin.query<AdminRole>(
    `SELECT rolname AS name, rolsuper OR rolcreatedb AS "mayCreateDatabases", rolsuper OR rolcreaterole AS "mayCreateRoles",
       current_setting('server_version_num')::int >= 160000 AS "hasOptions"
     FROM pg_roles WHERE rolname = current_user`,
  )
  const [role] = rows
  if (role === undefined) throw new Error('The role that is signed in does not exist.')
  return role
}

export function missingAttributes({ name, mayCreateDatabases, mayCreateRoles }: AdminRole): readonly string[] {
  const missing = [...(mayCreateDatabases ? [] : ['CREATEDB']), ...(mayCreateRoles ? [] : ['CREATEROLE'])]
  const attributes = missing.join(' ')
  return missing.length === 0 ? [] : [`ALTER ROLE ${q(name)} ${attributes}`]
}

/** Roles of the warehouse that the admin may not act as or change, for example because another admin has created them. */
async function listForeignRoles(
  admin: Client,
  { databaseName }: Pick<WarehouseRow, 'databaseName'>,
  { hasOptions }: AdminRole,
): Promise<readonly string[]> {
  const mayActAs = `pg_has_role(oid, '${hasOptions ? 'SET' : 'MEMBER'}')`
  const mayChange = hasOptions ? `pg_has_role(oid, 'MEMBER WITH ADMIN OPTION')` : 'true'
  const { rows } = await admin.query<{ name: string }>(
    `SELECT rolname AS name FROM pg_roles
     WHERE rolname ~ $1 AND NOT (${mayChange} AND (${mayActAs} OR rolname ~ '_a_[0-9a-f]{12}$')) ORDER BY 1`,
    [`^${databaseName}_(writer|reader|[apsm]_[0-9a-f]{12})$`],
  )
  return rows.map(({ name }) => name)
}

function grantsOf(roles: readonly string[], { name, hasOptions }: AdminRole): readonly string[] {
  if (roles.length === 0) return []
  const options = hasOptions ? 'ADMIN TRUE, SET TRUE' : 'ADMIN OPTION'
  const list = roles.map((role) => q(role)).join(', ')
  return [`GRANT ${list} TO ${q(name)} WITH ${options}`]
}

/** The copy of the rights belongs to the admin that has created it. */
async function listForeignRights(
  client: Client,
  { databaseName }: Pick<WarehouseRow, 'databaseName'>,
): Promise<readonly string[]> {
  const { rows } = await client.query<{ statement: string }>(
    `SELECT format('ALTER SCHEMA %I OWNER TO %I', nspname, current_user) AS statement FROM pg_namespace
       WHERE nspname = 'tributary_access' AND pg_get_userbyid(nspowner) <> current_user
     UNION ALL
     SELECT format('ALTER TABLE %I.%I OWNER TO %I', nspname, relname, current_user)
       FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
       WHERE nspname = 'tributary_access' AND relkind IN ('r', 'v') AND pg_get_userbyid(relowner) <> current_user`,
  )
  return rows.map(({ statement }, at) => (at === 0 ? `in the database ${databaseName}: ${statement}` : statement))
}
