/** Makes an organisation's database: its own, with one login that writes and one that may only read. */
import { type Client, escapeIdentifier, escapeLiteral } from 'pg'
import { revokeLargeObjects } from '../../kernel/store/revoke-large-objects.ts'
import type { WarehouseServer } from '../../connections/databases/warehouse-server.ts'
import type { ReaderConnection, WarehouseRow } from './queries.ts'
import { scramVerifier } from './scram.ts'
import { lockForSession, transactionLockStatement } from '../../kernel/store/locks.ts'
import { withClient } from '../../kernel/store/with-client.ts'

/** On the embedded server only members of this role are let in by TCP. */
const tcpReaders = 'tributary_warehouse_reader'
const connectionsMax = 20

/** Whatever is there already stays, so an attempt that was broken off is simply made again. */
export async function ensureDatabase(
  server: WarehouseServer,
  names: WarehouseRow,
  writerPassword: string,
): Promise<void> {
  await asAdmin(server, undefined, async (admin) => {
    // Two may ask for the same warehouse at once; the lock goes with the connection.
    await lockForSession(admin, 'warehouse', { subject: names.databaseName })
    await shutOwnDatabase(admin)
    if (!(await exists(admin, 'SELECT FROM pg_roles WHERE rolname = $1', names.writerName)))
      await makeWriter(admin, names, writerPassword)
    if (!(await exists(admin, 'SELECT FROM pg_roles WHERE rolname = $1', names.readerName)))
      await makeReader(admin, names)
    await letWatch(admin, names)
    if (!(await exists(admin, 'SELECT FROM pg_database WHERE datname = $1', names.databaseName))) {
      await admin.query(
        `CREATE DATABASE ${q(names.databaseName)} OWNER ${q(names.writerName)} ENCODING 'UTF8' TEMPLATE template0`,
      )
    }
    await admin.query(`REVOKE ALL ON DATABASE ${q(names.databaseName)} FROM PUBLIC`)
    await admin.query(`GRANT CONNECT ON DATABASE ${q(names.databaseName)} TO ${q(names.readerName)}`)
    await asAdmin(server, names.databaseName, (inside) => letRead(inside, names))
  })
}

/**
 * The admin's own database may be the store's. Everybody may connect to a new database of PostgreSQL, so the readers
 * would get in, too; whoever does not own it can change nothing about that.
 */
async function shutOwnDatabase(admin: Client): Promise<void> {
  const { rows } = await admin.query<{ name: string }>(
    `SELECT datname AS name FROM pg_database
     WHERE datname = current_database() AND pg_get_userbyid(datdba) = current_user AND has_database_privilege('public', oid, 'CONNECT')`,
  )
  // Two at once would write the same row; the lock goes with the statements, which are one transaction.
  const lock = transactionLockStatement('ownDatabase')
  for (const { name } of rows) await admin.query(`${lock}; REVOKE ALL ON DATABASE ${q(name)} FROM PUBLIC`)
}

/** Each of these makes its role whole or not at all: statements that are sent together are one transaction. */
async function makeWriter(admin: Client, { writerName }: WarehouseRow, password: string): Promise<void> {
  await admin.query(
    // An admin who is no superuser may give databases and privileges only to roles that it is a member of.
    `CREATE ROLE ${q(writerName)} LOGIN CONNECTION LIMIT ${connectionsMax} PASSWORD ${escapeLiteral(scramVerifier(password))};
     GRANT ${q(writerName)} TO CURRENT_USER`,
  )
}

async function makeReader(admin: Client, { readerName }: WarehouseRow): Promise<void> {
  const isByTcp = await exists(
    admin,
    `SELECT FROM pg_roles WHERE rolname = $1 AND pg_has_role(oid, 'MEMBER WITH ADMIN OPTION')`,
    tcpReaders,
  )
  await admin.query(
    `CREATE ROLE ${q(readerName)} LOGIN CONNECTION LIMIT ${connectionsMax};
     ALTER ROLE ${q(readerName)} SET default_transaction_read_only = on
     ${isByTcp ? `; GRANT ${tcpReaders} TO ${q(readerName)}` : ''}`,
  )
}

/** Only a member of a role sees where its connections come from. A superuser sees all, and must not join what lets readers in by TCP. */
async function letWatch(admin: Client, { readerName }: WarehouseRow): Promise<void> {
  if (!(await isSuperuser(admin))) await admin.query(`GRANT ${q(readerName)} TO CURRENT_USER`)
}

/** What the writer makes from now on, schemas and tables, the reader may read. */
async function letRead(admin: Client, { writerName, readerName }: WarehouseRow): Promise<void> {
  const future = `ALTER DEFAULT PRIVILEGES FOR ROLE ${q(writerName)} GRANT`
  await admin.query('REVOKE ALL ON SCHEMA public FROM PUBLIC')
  await revokeLargeObjects(admin)
  await limitReader(admin, readerName)
  await admin.query(`${future} USAGE ON SCHEMAS TO ${q(readerName)}`)
  await admin.query(`${future} SELECT ON TABLES TO ${q(readerName)}`)
}

/**
 * What one query of a report may take. A reader may lift the time limits for its own session, which PostgreSQL cannot forbid; how much of
 * the disk a query may fill is for a superuser alone to set.
 */
async function limitReader(admin: Client, readerName: string): Promise<void> {
  for (const limit of await limitsFor(admin)) await admin.query(`ALTER ROLE ${q(readerName)} SET ${limit}`)
}

async function limitsFor(admin: Client): Promise<readonly string[]> {
  const limits = [`statement_timeout = '30min'`, `idle_in_transaction_session_timeout = '10min'`]
  return (await isSuperuser(admin)) ? [...limits, `temp_file_limit = '4GB'`] : limits
}

function isSuperuser(admin: Client): Promise<boolean> {
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

/** What a reader may have changed of itself. `verifier` null: it has none, or the admin may not see it. */
export interface ReaderStanding {
  readonly readerName: string
  readonly settings: readonly string[]
  readonly isInDatabases: boolean
  readonly verifier: string | null
}

const standings = `SELECT rolname AS "readerName", coalesce(rolconfig, '{}') AS settings,
    EXISTS (SELECT FROM pg_db_role_setting WHERE setrole = role.oid AND setdatabase <> 0) AS "isInDatabases"
  FROM pg_roles AS role WHERE rolname ~ '^w_[0-9a-f]{16}_reader$'`
const verifiers = `SELECT rolname AS "readerName", rolpassword AS verifier FROM pg_authid WHERE rolname ~ '^w_[0-9a-f]{16}_reader$'`

/** Every login may change its own password and settings, which PostgreSQL cannot forbid. A superuser sees both. */
export async function listReaderStandings(server: WarehouseServer): Promise<readonly ReaderStanding[]> {
  return await asAdmin(server, undefined, async (admin) => {
    const { rows } = await admin.query<Omit<ReaderStanding, 'verifier'>>(standings)
    const { rows: known } = (await isSuperuser(admin))
      ? await admin.query<Pick<ReaderStanding, 'readerName' | 'verifier'>>(verifiers)
      : { rows: [] }
    const verifierOf = new Map(known.map(({ readerName, verifier }) => [readerName, verifier]))
    return rows.map((row) => ({ ...row, verifier: verifierOf.get(row.readerName) ?? null }))
  })
}

/** The settings that a reader has, and its password where the verifier is known. */
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

/** As `resetReader` leaves them, each as PostgreSQL lists it. */
export async function readerSettings(server: WarehouseServer): Promise<readonly string[]> {
  const limits = await asAdmin(server, undefined, limitsFor)
  return ['default_transaction_read_only=on', ...limits.map((limit) => limit.replace(" = '", '=').replace(/'$/u, ''))]
}

/** Of a writer that is there already; a new one is made with its password. */
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

/** Of each read-only login that is connected, the connection that was used last. */
export async function listReaderConnections(server: WarehouseServer): Promise<ReaderConnection[]> {
  const { rows } = await asAdmin(server, undefined, (admin) =>
    admin.query<ReaderConnection>(
      `SELECT DISTINCT ON (usename) usename AS "readerName", host(client_addr) AS address, nullif(application_name, '') AS program
       FROM pg_stat_activity WHERE usename ~ '^w_[0-9a-f]{16}_reader$'
       ORDER BY usename, state_change DESC NULLS LAST`,
    ),
  )
  return rows
}

/** The schemas that connectors have made, by name. */
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

function asAdmin<T>(
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

async function exists(admin: Client, question: string, name: string): Promise<boolean> {
  const { rowCount } = await admin.query(question, [name])
  return rowCount !== 0
}

const q = escapeIdentifier
