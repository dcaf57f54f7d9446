/** Checks the database: connection, version, rights, clock, free connections and migrations. */
import type { Client, ClientConfig } from 'pg'
import { withClient } from '../../kernel/store/with-client.ts'
import { listMigrationRecords, readMigrations } from '../../kernel/migrations/migrate.ts'
import type { Databases } from '../../databases.ts'
import { listDatabaseProblems } from '../../kernel/store/database-requirements.ts'
import { errorCodeOf, fail, type DoctorFinding, ok, warn } from './finding.ts'

export async function checkStore({ store, warehouse, embedded }: Databases): Promise<readonly DoctorFinding[]> {
  const server = embedded === null ? `${store.host}:${store.port}` : 'the built-in one'
  const findings = await checkServer(store, server, async (client) => [
    await checkLatency(client, server),
    ...(await listDatabaseProblems(client)).map(({ problem: found, remedy }) => fail('Database', found, remedy)),
    await checkClock(client),
    await checkFreeConnections(client),
    await checkMigrations(client),
  ])
  const warehouseServer = `${warehouse.host}:${warehouse.port}`
  return [...findings, ...(await checkServer(warehouse.admin, warehouseServer, checkWarehouse))]
}

async function checkServer(
  settings: ClientConfig,
  server: string,
  work: (client: Client) => Promise<readonly DoctorFinding[]>,
): Promise<readonly DoctorFinding[]> {
  try {
    return await withClient({ ...settings, connectionTimeoutMillis: 5_000, statement_timeout: 10_000 }, work)
  } catch (error) {
    const remedy = 'Check that it runs, the host, the port, the user and the password, and the firewall in between.'
    return [fail('Database', `${server} cannot be reached (${errorCodeOf(error)})`, remedy)]
  }
}

async function checkLatency(client: Client, server: string): Promise<DoctorFinding> {
  const sentAt = performance.now()
  const { rows } = await client.query<{ version: string; zone: string }>(
    `SELECT current_setting('server_version') AS version, current_setting('TimeZone') AS zone`,
  )
  const [{ version, zone } = { version: '', zone: '' }] = rows
  const ms = Math.max(1, Math.round(performance.now() - sentAt))
  const found = `PostgreSQL ${version} (${server}) answers in ${ms} ms; its time zone is ${zone}, Tributary works in UTC`
  if (ms > 100)
    return warn('Database', found, 'Move Tributary closer to its database: each page needs several queries.')
  return ok('Database', found)
}

const skewWarnMs = 2_000
const skewFailMs = 60_000

export function judgeClock(check: string, skewMs: number, owner: string): DoctorFinding {
  const seconds = (Math.abs(skewMs) / 1_000).toFixed(1)
  const found = `The clock of ${owner} is ${seconds} s ${skewMs < 0 ? 'behind' : 'ahead of'} the clock of this machine`
  const remedy = 'Synchronise the clocks of both machines with NTP.'
  if (Math.abs(skewMs) > skewFailMs) return fail(check, found, remedy)
  return Math.abs(skewMs) > skewWarnMs ? warn(check, found, remedy) : ok(check, found)
}

async function checkClock(client: Client): Promise<DoctorFinding> {
  const before = Date.now()
  const { rows } = await client.query<{ ms: number }>(
    'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS ms',
  )
  const middle = (before + Date.now()) / 2
  return judgeClock('Clock', (rows[0]?.ms ?? middle) - middle, 'the database')
}

/** The maximum of one Tributary process: its pool, its queue and its listeners. */
const connectionsPerProcess = 24

async function checkFreeConnections(client: Client): Promise<DoctorFinding> {
  const { rows } = await client.query<{ max: number; used: number }>(
    `SELECT current_setting('max_connections')::int AS max, (SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend')::int AS used`,
  )
  const { max = 0, used = 0 } = rows[0] ?? {}
  const found = `${used} of ${max} connections are in use`
  if (max - used >= connectionsPerProcess) return ok('Connections', found)
  return warn(
    'Connections',
    found,
    `Raise max_connections: each process of Tributary takes up to ${connectionsPerProcess}.`,
  )
}

async function checkMigrations(client: Client): Promise<DoctorFinding> {
  const done = new Set((await listMigrationRecords(client)).map(({ name }) => name))
  const known = readMigrations().map(({ name }) => name)
  const due = known.filter((name) => !done.has(name))
  const newer = [...done].filter((name) => !known.includes(name))
  if (newer.length > 0)
    return fail(
      'Migrations',
      `A newer version of Tributary has migrated this database (${newer.join(', ')})`,
      'Start that version or a later one.',
    )
  if (due.length > 0)
    return warn(
      'Migrations',
      `${due.length} are not done yet`,
      'The next start runs them. Make a backup first: tributary backup',
    )
  return ok('Migrations', `All ${known.length} are done`)
}

async function checkWarehouse(client: Client): Promise<readonly DoctorFinding[]> {
  const { rows } = await client.query<{ may: boolean }>(
    'SELECT rolsuper OR (rolcreatedb AND rolcreaterole) AS may FROM pg_roles WHERE rolname = current_user',
  )
  if (rows[0]?.may === true)
    return [ok('Warehouse', 'Databases and readers can be created for organisations without their own database')]
  const remedy =
    'Grant its role CREATEDB CREATEROLE, name another server with TRIBUTARY_WAREHOUSE_URL, or give every organisation its own database.'
  return [warn('Warehouse', 'No database can be created for an organisation without its own database', remedy)]
}
