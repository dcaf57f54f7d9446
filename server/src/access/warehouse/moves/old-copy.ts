/** The database that a warehouse has left: closed at once, marked as stale, and dropped after a day. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Client, escapeIdentifier as q, escapeLiteral } from 'pg'
import type { WarehouseServer } from '../../../connections/databases/warehouse-server.ts'
import type { WarehouseRow } from '../queries.ts'
import { asAdmin, exists } from '../warehouse-database.ts'
import { lockForSession } from '../../../kernel/store/locks.ts'
import { endSessions, endSessionsOnce } from './hold-writers.ts'

type CopyNames = Pick<WarehouseRow, 'databaseName' | 'writerName' | 'readerName'>

export interface StaleMark {
  /** ISO 8601. */
  readonly since: string
  /** Where the warehouse is now. */
  readonly host: string
  readonly port: number
}

export interface CloseOptions {
  /** Whether reporting logins may read the copy until it is dropped. */
  readonly keepsReadable: boolean
  /** How long queries that are running may take to end. Nothing writes meanwhile, so their rows are current. */
  readonly graceMs: number
}

/** Idempotent. Afterwards the server refuses the logins of the organisation, except reporting logins if they may read on. */
export async function closeOldCopy(
  server: WarehouseServer,
  names: CopyNames,
  mark: StaleMark,
  { keepsReadable, graceMs }: CloseOptions,
): Promise<void> {
  await asAdmin(server, undefined, async (admin) => {
    // Whatever applies rights to this copy has ended, and later attempts see that the warehouse has moved.
    await lockForSession(admin, 'warehouse', { subject: names.databaseName })
    if (!(await exists(admin, 'SELECT FROM pg_database WHERE datname = $1', names.databaseName))) return
    await asAdmin(server, names.databaseName, (client) => markStale(client, names, mark))
    const logins = await listLogins(admin, names)
    const closed = logins.filter((login) => !keepsReadable || !isForReports(login))
    for (const login of closed) await admin.query(`ALTER ROLE ${q(login)} NOLOGIN`)
    await revokeConnect(admin, names, closed)
    await waitForQueries(admin, names.databaseName, graceMs)
    for (const login of logins)
      await (closed.includes(login) ? endSessions(admin, login) : endSessionsOnce(admin, login))
  })
}

/** The shared reader, and the logins of persons' programs. */
function isForReports(login: string): boolean {
  return /_reader$|_p_[0-9a-f]{12}$/u.test(login)
}

async function listLogins(admin: Client, { databaseName }: CopyNames): Promise<readonly string[]> {
  const { rows } = await admin.query<{ name: string }>(
    'SELECT rolname AS name FROM pg_roles WHERE rolname ~ $1 ORDER BY rolname',
    [`^${databaseName}_(writer|reader|[psm]_[0-9a-f]{12})$`],
  )
  return rows.map(({ name }) => name)
}

/** As the owner of the database. Access roles lose the right, too: a login of theirs would have it by them. */
async function revokeConnect(
  admin: Client,
  { databaseName, writerName }: CopyNames,
  closed: readonly string[],
): Promise<void> {
  const { rows } = await admin.query<{ name: string }>(
    `SELECT g.rolname AS name FROM pg_database d CROSS JOIN aclexplode(d.datacl) a JOIN pg_roles g ON g.oid = a.grantee
     WHERE d.datname = $1 AND a.privilege_type = 'CONNECT' AND (g.rolname = ANY ($2) OR $3 AND g.rolname ~ '_a_[0-9a-f]{12}$')`,
    [databaseName, closed, closed.some((login) => isForReports(login))],
  )
  const roles = rows.map(({ name }) => name).filter((name) => name !== writerName)
  if (roles.length === 0) return
  await admin.query(
    `BEGIN; SET LOCAL ROLE ${q(writerName)};
     REVOKE CONNECT ON DATABASE ${q(databaseName)} FROM ${roles.map((role) => q(role)).join(', ')}; COMMIT`,
  )
}

async function waitForQueries(admin: Client, databaseName: string, graceMs: number): Promise<void> {
  const endAt = performance.now() + graceMs
  while (performance.now() < endAt) {
    const isBusy = await exists(
      admin,
      `SELECT FROM pg_stat_activity WHERE datname = $1 AND state <> 'idle' AND backend_type = 'client backend' AND pid <> pg_backend_pid()`,
      databaseName,
    )
    if (!isBusy) return
    await sleep(100)
  }
}

/** A table in every schema that reports read, and the comment of the database, say since when the rows are old. */
async function markStale(
  client: Client,
  { databaseName, writerName }: CopyNames,
  { since, host, port }: StaleMark,
): Promise<void> {
  const notice = `These rows are stale since ${since}. The warehouse has moved to ${host}:${port}. This copy will be deleted.`
  await client.query('BEGIN')
  await client.query(`SET LOCAL ROLE ${q(writerName)}`)
  await client.query(`COMMENT ON DATABASE ${q(databaseName)} IS ${escapeLiteral(notice)}`)
  const { rows } = await client.query<{ schema: string; readers: string[] }>(
    `SELECT n.nspname AS schema, ARRAY(SELECT g.rolname::text FROM aclexplode(n.nspacl) a JOIN pg_roles g ON g.oid = a.grantee
       WHERE a.privilege_type = 'USAGE' AND g.rolname <> $1) AS readers
     FROM pg_namespace n WHERE pg_get_userbyid(n.nspowner) = $1`,
    [writerName],
  )
  for (const { schema, readers } of rows) {
    const table = `${q(schema)}.tributary_stale`
    await client.query(
      `CREATE TABLE IF NOT EXISTS ${table} AS SELECT ${escapeLiteral(since)}::timestamptz AS since, ${escapeLiteral(host)} AS host,
         ${port} AS port, ${escapeLiteral(notice)} AS notice`,
    )
    if (readers.length > 0)
      await client.query(`GRANT SELECT ON ${table} TO ${readers.map((role) => q(role)).join(', ')}`)
  }
  await client.query('COMMIT')
}

/** Drops the database with its roles. Idempotent. */
export async function dropCopy(server: WarehouseServer, names: CopyNames): Promise<void> {
  const { databaseName, writerName } = names
  await asAdmin(server, undefined, async (admin) => {
    for (const login of await listLogins(admin, names)) {
      await admin.query(`ALTER ROLE ${q(login)} NOLOGIN`)
      await endSessions(admin, login)
    }
    if (await exists(admin, 'SELECT FROM pg_database WHERE datname = $1', databaseName)) {
      await admin.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND usename = current_user AND pid <> pg_backend_pid()`,
        [databaseName],
      )
      // As its owner: an admin with NOINHERIT does not have the rights of the roles that it is a member of.
      await admin.query(`SET ROLE ${q(writerName)}`)
      await admin.query(`DROP DATABASE ${q(databaseName)}`)
      await admin.query('RESET ROLE')
    }
    const { rows } = await admin.query<{ name: string }>(
      `SELECT rolname AS name FROM pg_roles WHERE rolname ~ $1 ORDER BY rolname ~ '_a_', rolname`,
      [`^${databaseName}_(writer|reader|[apsm]_[0-9a-f]{12})$`],
    )
    for (const { name } of rows) await admin.query(`DROP ROLE ${q(name)}`)
  })
}
