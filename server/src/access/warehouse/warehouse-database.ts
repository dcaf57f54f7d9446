/** Creates and maintains an organisation's warehouse database, with a login that writes and a login that only reads. */
import { type Client, escapeIdentifier, escapeLiteral } from 'pg'
import { revokeLargeObjects } from '../../kernel/store/revoke-large-objects.ts'
import type { WarehouseServer } from '../../connections/databases/warehouse-server.ts'
import type { ReaderConnection, WarehouseRow } from './queries.ts'
import { scramVerifier } from './scram.ts'
import { lockForSession, transactionLockStatement } from '../../kernel/store/locks.ts'
import { withClient } from '../../kernel/store/with-client.ts'

/** The embedded server accepts TCP connections only from members of this role. */
export const tcpReaders = 'tributary_warehouse_reader'
const connectionsMax = 20

/**
 * Idempotent: creates what is missing, so an interrupted attempt can be repeated.
 *
 * @param locale options of CREATE DATABASE; default: those of the server
 */
export async function ensureDatabase(
  server: WarehouseServer,
  names: WarehouseRow,
  writerPassword: string,
  locale = '',
): Promise<void> {
  await asAdmin(server, undefined, async (admin) => {
    // Serialises concurrent requests for the same warehouse. The lock ends with the connection.
    await lockForSession(admin, 'warehouse', { subject: names.databaseName })
    await revokeConnectOnOwnDatabase(admin)
    if (!(await exists(admin, 'SELECT FROM pg_roles WHERE rolname = $1', names.writerName)))
      await createWriter(admin, names, writerPassword)
    if (!(await exists(admin, 'SELECT FROM pg_roles WHERE rolname = $1', names.readerName)))
      await createReader(admin, names)
    await grantMonitoring(admin, names)
    if (!(await exists(admin, 'SELECT FROM pg_database WHERE datname = $1', names.databaseName))) {
      await admin.query(
        `CREATE DATABASE ${q(names.databaseName)} OWNER ${q(names.writerName)} ENCODING 'UTF8' TEMPLATE template0 ${locale}`,
      )
    }
    await limitConnections(admin, names)
    await asAdmin(server, names.databaseName, (inside) => grantReader(inside, names))
  })
}

/**
 * The admin's own database may be the store, to which the readers must not connect. By default every role may connect
 * to a PostgreSQL database, and only its owner can revoke that.
 */
async function revokeConnectOnOwnDatabase(admin: Client): Promise<void> {
  const { rows } = await admin.query<{ name: string }>(
    `SELECT datname AS name FROM pg_database
     WHERE datname = current_database() AND pg_get_userbyid(datdba) = current_user AND has_database_privilege('public', oid, 'CONNECT')`,
  )
  // Concurrent REVOKEs would fail, because they update the same row. Statements that are sent together are one
  // transaction.
  const lock = transactionLockStatement('ownDatabase')
  for (const { name } of rows) await admin.query(`${lock}; REVOKE ALL ON DATABASE ${q(name)} FROM PUBLIC`)
}

/**
 * Only the reader and the admin connect. As the owner of the database: an admin with NOINHERIT does not have the rights of the roles that it is a member of, and
 * PostgreSQL answers its REVOKE with a warning that changes nothing.
 */
async function limitConnections(admin: Client, { databaseName, writerName, readerName }: WarehouseRow): Promise<void> {
  const { rows } = await admin.query<{ name: string }>('SELECT current_user AS name')
  const allowed = [readerName, ...rows.map(({ name }) => name)].map((name) => q(name)).join(', ')
  await admin.query(
    `BEGIN;
     SET LOCAL ROLE ${q(writerName)};
     REVOKE ALL ON DATABASE ${q(databaseName)} FROM PUBLIC;
     GRANT CONNECT ON DATABASE ${q(databaseName)} TO ${allowed};
     COMMIT`,
  )
}

/** Atomic, as is `createReader`: statements that are sent together are one transaction. */
async function createWriter(admin: Client, { writerName }: WarehouseRow, password: string): Promise<void> {
  await admin.query(
    // An admin without superuser rights can assign databases and privileges only to roles that it is a member of.
    `CREATE ROLE ${q(writerName)} LOGIN CONNECTION LIMIT ${connectionsMax} PASSWORD ${escapeLiteral(scramVerifier(password))};
     GRANT ${q(writerName)} TO CURRENT_USER`,
  )
}

async function createReader(admin: Client, { readerName }: WarehouseRow): Promise<void> {
  const isTcpRoleNeeded = await needsTcpRole(admin)
  await admin.query(
    `CREATE ROLE ${q(readerName)} LOGIN CONNECTION LIMIT ${connectionsMax};
     ALTER ROLE ${q(readerName)} SET default_transaction_read_only = on
     ${isTcpRoleNeeded ? `; GRANT ${tcpReaders} TO ${q(readerName)}` : ''}`,
  )
}

/** Whether the server is the embedded one, where only members of `tcpReaders` connect over TCP. */
export function needsTcpRole(admin: Client): Promise<boolean> {
  return exists(
    admin,
    `SELECT FROM pg_roles WHERE rolname = $1 AND pg_has_role(oid, 'MEMBER WITH ADMIN OPTION')`,
    tcpReaders,
  )
}

/**
 * Makes the admin a member of the reader role, because only members see the addresses of its connections. A superuser
 * sees them anyway, and must not become a member of the role that grants TCP access.
 */
async function grantMonitoring(admin: Client, { readerName }: WarehouseRow): Promise<void> {
  if (!(await isSuperuser(admin))) await admin.query(`GRANT ${q(readerName)} TO CURRENT_USER`)
}

/** Lets the reader read all schemas and tables that the writer creates later. */
async function grantReader(admin: Client, { writerName, readerName }: WarehouseRow): Promise<void> {
  await revokeLargeObjects(admin)
  await revokeLocks(admin, writerName)
  await limitReader(admin, readerName)
  await admin.query(
    `BEGIN;
     SET LOCAL ROLE ${q(writerName)};
     REVOKE ALL ON SCHEMA public FROM PUBLIC;
     ALTER DEFAULT PRIVILEGES GRANT USAGE ON SCHEMAS TO ${q(readerName)};
     ALTER DEFAULT PRIVILEGES GRANT SELECT ON TABLES TO ${q(readerName)};
     COMMIT`,
  )
}

/**
 * Leaves advisory locks to the writer, because a reader who held one could delay a run, and keeps readers from writing messages into
 * the write-ahead log. PostgreSQL grants these functions to PUBLIC, and only a superuser can revoke that: otherwise the operator does.
 */
async function revokeLocks(admin: Client, writerName: string): Promise<void> {
  const { rows } = await admin.query<{ signature: string; isLock: boolean }>(
    `SELECT pg_proc.oid::regprocedure::text AS signature, proname ~ 'advisory' AS "isLock" FROM pg_proc
     WHERE pronamespace = 'pg_catalog'::regnamespace AND proname ~ '^pg_(try_)?advisory_|^pg_logical_emit_message$'
       AND has_function_privilege('public', pg_proc.oid, 'EXECUTE')
       AND (SELECT rolsuper FROM pg_roles WHERE rolname = current_user)`,
  )
  for (const { signature, isLock } of rows) {
    if (isLock) await admin.query(`GRANT EXECUTE ON FUNCTION ${signature} TO ${q(writerName)}`)
    await admin.query(`REVOKE EXECUTE ON FUNCTION ${signature} FROM PUBLIC`)
  }
}

/**
 * Limits the time and the disk space of a report's query. PostgreSQL cannot keep a reader from raising the time limits
 * in its session. Only a superuser can set the disk limit.
 */
async function limitReader(admin: Client, readerName: string): Promise<void> {
  for (const limit of await limitsFor(admin)) await admin.query(`ALTER ROLE ${q(readerName)} SET ${limit}`)
}

async function limitsFor(admin: Client): Promise<readonly string[]> {
  const limits = [`statement_timeout = '30min'`, `idle_in_transaction_session_timeout = '10min'`]
  return (await isSuperuser(admin)) ? [...limits, `temp_file_limit = '4GB'`] : limits
}

export function isSuperuser(admin: Client): Promise<boolean> {
  return exists(admin, 'SELECT FROM pg_roles WHERE rolname = current_user AND rolsuper = $1', 'true')
}

export async function setReaderPassword(
  server: WarehouseServer,
  { readerName }: WarehouseRow,
  verifier: string,
): Promise<void> {
  await asAdmin(server, undefined, (admin) =>
    admin.query(`ALTER ROLE ${q(readerName)} PASSWORD ${escapeLiteral(verifier)}`),
  )
}

/** The properties of a reader login that it can change itself. */
export interface ReaderLoginState {
  readonly readerName: string
  readonly settings: readonly string[]
  /** Whether it has settings for single databases. */
  readonly hasDatabaseSettings: boolean
  /** Null if the login has no password, or the admin cannot see it. */
  readonly verifier: string | null
}

const loginStates = `SELECT rolname AS "readerName", coalesce(rolconfig, '{}') AS settings,
    EXISTS (SELECT FROM pg_db_role_setting WHERE setrole = role.oid AND setdatabase <> 0) AS "hasDatabaseSettings"
  FROM pg_roles AS role WHERE rolname ~ '^w_[0-9a-f]{16}_reader$'`
const verifiers = `SELECT rolname AS "readerName", rolpassword AS verifier FROM pg_authid WHERE rolname ~ '^w_[0-9a-f]{16}_reader$'`

/** Lists the reader logins of all installations on the server. Only a superuser sees verifiers. */
export async function listReaderLoginStates(server: WarehouseServer): Promise<readonly ReaderLoginState[]> {
  return await asAdmin(server, undefined, async (admin) => {
    const { rows } = await admin.query<Omit<ReaderLoginState, 'verifier'>>(loginStates)
    const { rows: known } = (await isSuperuser(admin))
      ? await admin.query<Pick<ReaderLoginState, 'readerName' | 'verifier'>>(verifiers)
      : { rows: [] }
    const verifierOf = new Map(known.map(({ readerName, verifier }) => [readerName, verifier]))
    return rows.map((row) => ({ ...row, verifier: verifierOf.get(row.readerName) ?? null }))
  })
}

/** Resets a reader's settings, and its password if the verifier is known. */
export async function resetReader(
  server: WarehouseServer,
  { readerName, databaseName, readerVerifier }: WarehouseRow,
): Promise<void> {
  await asAdmin(server, undefined, async (admin) => {
    await admin.query(
      `ALTER ROLE ${q(readerName)} RESET ALL; ALTER ROLE ${q(readerName)} IN DATABASE ${q(databaseName)} RESET ALL`,
    )
    await admin.query(`ALTER ROLE ${q(readerName)} SET default_transaction_read_only = on`)
    await limitReader(admin, readerName)
    if (readerVerifier !== null)
      await admin.query(`ALTER ROLE ${q(readerName)} PASSWORD ${escapeLiteral(readerVerifier)}`)
  })
}

/** The settings after `resetReader`, in the format of `pg_roles.rolconfig`. */
export async function readerSettings(server: WarehouseServer): Promise<readonly string[]> {
  const limits = await asAdmin(server, undefined, limitsFor)
  return ['default_transaction_read_only=on', ...limits.map((limit) => limit.replace(" = '", '=').replace(/'$/u, ''))]
}

/** Changes the password of an existing writer. `ensureDatabase` creates a missing writer with its password. */
export async function setWriterPassword(
  server: WarehouseServer,
  { writerName }: WarehouseRow,
  password: string,
): Promise<void> {
  await asAdmin(server, undefined, async (admin) => {
    if (await exists(admin, 'SELECT FROM pg_roles WHERE rolname = $1', writerName))
      await admin.query(`ALTER ROLE ${q(writerName)} PASSWORD ${escapeLiteral(scramVerifier(password))}`)
  })
}

/** Returns the most recently used connection of each connected reader login. */
export function listReaderConnections(server: WarehouseServer): Promise<ReaderConnection[]> {
  return asAdmin(server, undefined, async (admin) => {
    const { rows: connected } = await admin.query<{ name: string; isVisible: boolean }>(
      `SELECT DISTINCT usename AS name, pg_has_role(usesysid, 'USAGE') OR pg_has_role('pg_read_all_stats', 'USAGE') AS "isVisible"
       FROM pg_stat_activity WHERE usename ~ '^w_[0-9a-f]{16}_(reader|p_[0-9a-f]{12})$' AND pg_has_role(usesysid, 'MEMBER')`,
    )
    const visible = connected.filter(({ isVisible }) => isVisible).map(({ name }) => name)
    const found = await listLatestConnections(admin, visible)
    // An admin with NOINHERIT sees the addresses only as the login itself. It is no member of the logins of other installations.
    for (const { name } of connected.filter(({ isVisible }) => !isVisible)) {
      await admin.query(`BEGIN READ ONLY; SET LOCAL ROLE ${q(name)}`)
      found.push(...(await listLatestConnections(admin, [name])))
      await admin.query('COMMIT')
    }
    return found
  })
}

async function listLatestConnections(admin: Client, logins: readonly string[]): Promise<ReaderConnection[]> {
  const { rows } = await admin.query<ReaderConnection>(
    `SELECT DISTINCT ON (usename) usename AS "readerName", host(client_addr) AS address, nullif(application_name, '') AS program
     FROM pg_stat_activity WHERE usename = ANY ($1) ORDER BY usename, state_change DESC NULLS LAST`,
    [logins],
  )
  return rows
}

/** Lists the schemas that connectors have created, by name. */
export async function listSchemas(
  server: WarehouseServer,
  { databaseName, writerName }: WarehouseRow,
): Promise<string[]> {
  const { rows } = await asAdmin(server, databaseName, (admin) =>
    admin.query<{ name: string }>(
      'SELECT nspname AS name FROM pg_namespace JOIN pg_roles ON pg_roles.oid = nspowner WHERE rolname = $1 ORDER BY 1',
      [writerName],
    ),
  )
  return rows.map(({ name }) => name)
}

/** Connects as the admin. @param database undefined: the admin's own */
export function asAdmin<T>(
  { admin }: WarehouseServer,
  database: string | undefined,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const connection = {
    ...admin,
    ...(database === undefined ? {} : { database }),
    connectionTimeoutMillis: 10_000,
    application_name: 'tributary warehouse',
  }
  return withClient(connection, work)
}

export async function exists(admin: Client, statement: string, name: string): Promise<boolean> {
  const { rowCount } = await admin.query(statement, [name])
  return rowCount !== 0
}

const q = escapeIdentifier
