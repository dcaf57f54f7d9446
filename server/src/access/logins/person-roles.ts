/** Creates, suspends and drops the roles of principals on the warehouse's server. */
import { type Client, escapeIdentifier as q, escapeLiteral } from 'pg'
import type { WarehouseRow } from '../warehouse/queries.ts'
import { isSuperuser, needsTcpRole, tcpReaders } from '../warehouse/warehouse-database.ts'
import type { PrincipalRow } from './queries.ts'
import { principalRoles } from './role-names.ts'
import type { WarehouseCatalogue } from './warehouse-catalogue.ts'

/** Of connections that the server makes for a person, and of a person's programs. */
const connectionsMax = 5

const settings = {
  portal: { statement_timeout: '5min', idle_in_transaction_session_timeout: '1min' },
  assistant: { statement_timeout: '1min', idle_in_transaction_session_timeout: '1min' },
  sql: { statement_timeout: '30min', idle_in_transaction_session_timeout: '10min' },
} as const
export type LoginKind = keyof typeof settings

/** The settings of a login, in the format of `pg_roles.rolconfig`. Only a superuser can limit temporary files. */
export function loginSettings(kind: LoginKind, isAdminSuperuser: boolean): readonly string[] {
  const limits = Object.entries(settings[kind]).map(([name, value]) => `${name}=${value}`)
  return ['default_transaction_read_only=on', ...limits, ...(isAdminSuperuser ? ['temp_file_limit=4GB'] : [])]
}

/** Creates missing roles of a person, and lets the logins sign in or not. Call within a transaction of the admin. */
export async function ensureRoles(
  client: Client,
  names: WarehouseRow,
  { roles: existing }: Pick<WarehouseCatalogue, 'roles'>,
  { principal, mayRead, mayAssist }: WantedLogins,
): Promise<void> {
  const { access, sql, portal, assistant } = principalRoles(names.databaseName, principal.id)
  if (!existing.has(access)) {
    await client.query(`CREATE ROLE ${q(access)} NOLOGIN`)
    await grantConnect(client, names, access)
  }
  const logins = [
    { name: portal, kind: 'portal', verifier: principal.portalVerifier, isOpen: mayRead },
    { name: sql, kind: 'sql', verifier: principal.sqlVerifier, isOpen: mayRead },
    { name: assistant, kind: 'assistant', verifier: principal.assistantVerifier, isOpen: mayAssist },
  ] as const
  for (const { name, kind, verifier, isOpen } of logins) {
    if (verifier !== null && !existing.has(name)) {
      await createLogin(client, { name, access, kind }, verifier)
      if (kind === 'assistant') await grantConnect(client, names, name)
    }
    const canLogin = existing.get(name) ?? verifier !== null
    const mayLogin = isOpen && verifier !== null
    if (canLogin !== mayLogin) await client.query(`ALTER ROLE ${q(name)} ${mayLogin ? 'LOGIN' : 'NOLOGIN'}`)
  }
}

interface WantedLogins {
  readonly principal: PrincipalRow
  readonly mayRead: boolean
  /** Whether the person's assistants may read. */
  readonly mayAssist: boolean
}

function grantConnect(client: Client, names: WarehouseRow, role: string): Promise<void> {
  return asWriter(client, names, `GRANT CONNECT ON DATABASE ${q(names.databaseName)} TO ${q(role)}`)
}

interface NewLogin {
  readonly name: string
  readonly access: string
  readonly kind: LoginKind
}

async function createLogin(client: Client, { name, access, kind }: NewLogin, verifier: string): Promise<void> {
  const superuser = await isSuperuser(client)
  const isReachedByTcp = kind === 'sql' && (await needsTcpRole(client))
  await client.query(
    `CREATE ROLE ${q(name)} LOGIN CONNECTION LIMIT ${connectionsMax} PASSWORD ${escapeLiteral(verifier)}
     ${kind === 'assistant' ? '' : `; GRANT ${q(access)} TO ${q(name)}`}
     ${isReachedByTcp ? `; GRANT ${tcpReaders} TO ${q(name)}` : ''}
     ${superuser ? '' : `; GRANT ${q(name)} TO CURRENT_USER`}`,
  )
  await applySettings(client, name, loginSettings(kind, superuser))
}

async function applySettings(client: Client, name: string, wanted: readonly string[]): Promise<void> {
  for (const [setting = '', value = ''] of wanted.map((each) => each.split('=')))
    await client.query(`ALTER ROLE ${q(name)} SET ${setting} = ${escapeLiteral(value)}`)
}

/** Sets back the settings and the password of a login. */
export async function resetLogin(
  client: Client,
  { databaseName }: Pick<WarehouseRow, 'databaseName'>,
  login: { readonly name: string; readonly kind: LoginKind; readonly verifier: string },
): Promise<void> {
  const { name, kind, verifier } = login
  await client.query(`ALTER ROLE ${q(name)} RESET ALL; ALTER ROLE ${q(name)} IN DATABASE ${q(databaseName)} RESET ALL`)
  await applySettings(client, name, loginSettings(kind, await isSuperuser(client)))
  await client.query(`ALTER ROLE ${q(name)} PASSWORD ${escapeLiteral(verifier)}`)
}

/** Drops roles whose connections have been ended. Their grants in this database are revoked with them. */
export async function dropRoles(client: Client, names: WarehouseRow, roles: readonly string[]): Promise<void> {
  if (roles.length === 0) return
  const list = roles.map((role) => q(role)).join(', ')
  await client.query('BEGIN')
  await client.query(`SET LOCAL ROLE ${q(names.writerName)}`)
  const { rows } = await client.query<{ statement: string }>(
    `SELECT format('REVOKE ALL ON %I.%I FROM %I', n.nspname, c.relname, g.rolname) AS statement
       FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace CROSS JOIN aclexplode(c.relacl) AS a JOIN pg_roles g ON g.oid = a.grantee
       WHERE g.rolname = ANY ($1) AND c.relkind IN ('r', 'p', 'v', 'm')
     UNION
     SELECT format('REVOKE ALL ON SCHEMA %I FROM %I', n.nspname, g.rolname)
       FROM pg_namespace n CROSS JOIN aclexplode(n.nspacl) AS a JOIN pg_roles g ON g.oid = a.grantee WHERE g.rolname = ANY ($1)`,
    [roles],
  )
  for (const { statement } of rows) await client.query(statement)
  await client.query(`REVOKE ALL ON DATABASE ${q(names.databaseName)} FROM ${list}`)
  await client.query('RESET ROLE')
  // Logins first: they are members of the access roles.
  await client.query(`DROP ROLE ${list}`)
  await client.query('COMMIT')
}

/** Keeps logins from signing in. Call before their connections are ended. */
export async function suspendLogins(client: Client, logins: readonly string[]): Promise<void> {
  for (const login of logins) await client.query(`ALTER ROLE ${q(login)} NOLOGIN`)
}

/**
 * Ends the connections of a login, as that login itself: another role sees when they began only if it inherits the login's rights.
 * @param before only connections that began before this time; null: all
 */
export async function endConnections(client: Client, login: string, before: string | null): Promise<void> {
  await client.query('BEGIN')
  await client.query(`SET LOCAL ROLE ${q(login)}`)
  await client.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE usename = current_user AND pid <> pg_backend_pid() AND ($1::timestamptz IS NULL OR backend_start < $1::timestamptz)`,
    [before],
  )
  await client.query('COMMIT')
}

/** Runs one statement with the rights of the writer, who owns the database and its tables. Call within a transaction. */
async function asWriter(client: Client, { writerName }: WarehouseRow, statement: string): Promise<void> {
  await client.query(`SET LOCAL ROLE ${q(writerName)}`)
  await client.query(statement)
  await client.query('RESET ROLE')
}
