/** The database: reached, new enough, with the rights it needs, up to date, and with a clock like ours. */
import { Client, type ClientConfig } from 'pg'
import { listMigrationRecords, readMigrations } from '../../kernel/migrations/migrate.ts'
import type { Databases } from '../../databases.ts'
import { listDatabaseProblems } from '../../kernel/store/database-requirements.ts'
import { codeOf, fail, type Finding, ok, warn } from './finding.ts'

export async function checkStore({ store, warehouse, embedded }: Databases): Promise<readonly Finding[]> {
  const place = embedded === null ? `${store.host}:${store.port}` : 'the built-in one'
  const findings = await withClient(store, place, async (client) => [
    await checkAnswer(client, place),
    ...(await listDatabaseProblems(client)).map(({ problem: found, remedy }) => fail('Database', found, remedy)),
    await checkClock(client),
    await checkPlaces(client),
    await checkMigrations(client),
  ])
  const ofWarehouse = await withClient(warehouse.admin, `${warehouse.host}:${warehouse.port}`, checkWarehouse)
  return [...findings, ...ofWarehouse]
}

async function withClient(
  settings: ClientConfig,
  place: string,
  work: (client: Client) => Promise<readonly Finding[]>,
): Promise<readonly Finding[]> {
  const client = new Client({ ...settings, connectionTimeoutMillis: 5_000, statement_timeout: 10_000 })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return await work(client)
  } catch (error) {
    const remedy = 'Check that it runs, the host, the port, the user and the password, and the firewall in between.'
    return [fail('Database', `${place} cannot be reached (${codeOf(error)})`, remedy)]
  } finally {
    await client.end().catch(() => undefined)
  }
}

async function checkAnswer(client: Client, place: string): Promise<Finding> {
  const asked = performance.now()
  const { rows } = await client.query<{ version: string; zone: string }>(
    `SELECT current_setting('server_version') AS version, current_setting('TimeZone') AS zone`,
  )
  const [{ version, zone } = { version: '', zone: '' }] = rows
  const ms = Math.max(1, Math.round(performance.now() - asked))
  const found = `PostgreSQL ${version} (${place}) answers in ${ms} ms; its time zone is ${zone}, Tributary works in UTC`
  if (ms > 100) return warn('Database', found, 'Put Tributary nearer to its database: a page asks it several times.')
  return ok('Database', found)
}

const skewWarnMs = 2_000
const skewFailMs = 60_000

export function judgeClock(check: string, skewMs: number, whose: string): Finding {
  const seconds = (Math.abs(skewMs) / 1_000).toFixed(1)
  const found = `The clock of ${whose} is ${seconds} s ${skewMs < 0 ? 'behind' : 'ahead of'} ours`
  const remedy = 'Let both machines take their time from the network (NTP).'
  if (Math.abs(skewMs) > skewFailMs) return fail(check, found, remedy)
  return Math.abs(skewMs) > skewWarnMs ? warn(check, found, remedy) : ok(check, found)
}

async function checkClock(client: Client): Promise<Finding> {
  const before = Date.now()
  const { rows } = await client.query<{ ms: number }>(
    'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS ms',
  )
  const middle = (before + Date.now()) / 2
  return judgeClock('Clock', (rows[0]?.ms ?? middle) - middle, 'the database')
}

/** What one process of Tributary takes at most: its pool, its queue, and what listens. */
const placesOfOne = 24

async function checkPlaces(client: Client): Promise<Finding> {
  const { rows } = await client.query<{ most: number; taken: number }>(
    `SELECT current_setting('max_connections')::int AS most, (SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend')::int AS taken`,
  )
  const { most = 0, taken = 0 } = rows[0] ?? {}
  const found = `${taken} of ${most} connections are in use`
  if (most - taken >= placesOfOne) return ok('Connections', found)
  return warn('Connections', found, `Raise max_connections: each process of Tributary takes up to ${placesOfOne}.`)
}

async function checkMigrations(client: Client): Promise<Finding> {
  const done = new Set((await listMigrationRecords(client)).map(({ name }) => name))
  const ours = readMigrations().map(({ name }) => name)
  const due = ours.filter((name) => !done.has(name))
  const newer = [...done].filter((name) => !ours.includes(name))
  if (newer.length > 0)
    return fail(
      'Migrations',
      `A newer Tributary has been here (${newer.join(', ')})`,
      'Start that version, or one after it.',
    )
  if (due.length > 0)
    return warn(
      'Migrations',
      `${due.length} are not done yet`,
      'The next start does them. Make a backup before: tributary backup',
    )
  return ok('Migrations', `All ${ours.length} are done`)
}

async function checkWarehouse(client: Client): Promise<readonly Finding[]> {
  const { rows } = await client.query<{ may: boolean }>(
    'SELECT rolsuper OR (rolcreatedb AND rolcreaterole) AS may FROM pg_roles WHERE rolname = current_user',
  )
  if (rows[0]?.may === true)
    return [ok('Warehouse', 'Databases and readers can be made for organisations without a database of their own')]
  const remedy =
    'Give its role CREATEDB CREATEROLE, name another server with TRIBUTARY_WAREHOUSE_URL, or give every organisation a database of its own.'
  return [warn('Warehouse', 'No database can be made for an organisation that has none of its own', remedy)]
}
