/**
 * Keeps one real PostgreSQL running beside the server: starts it, finds it again after the server was killed, starts it
 * again when it was killed itself, and lets one Tributary at a time own it.
 */
import { spawn } from 'node:child_process'
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { StartRefused } from '../start-refused.ts'
import { findBinaries, type Binaries } from './binaries.ts'
import { choosePort, openCluster, warehouseReaders, type Cluster } from './cluster.ts'

export interface Embedded {
  /** True when this start made the cluster: only then may trial data be put in. */
  readonly isNew: boolean
  /** For making databases and roles. Reached through the socket only. */
  readonly superuser: pg.ClientConfig
  /** Our own database, as a role that row level security holds for. */
  readonly store: pg.ClientConfig
  /** Where readers of the warehouse connect. */
  readonly warehouse: { readonly host: string; readonly port: number }
  stop(): Promise<void>
}

export interface Running {
  readonly pid: number
  readonly port: number
}

const storeRole = 'tributary_store'
const storeDatabase = 'tributary'
/** Any number will do, as long as every Tributary takes the same. */
export const ownerLock = 7_461_889

/** @param home the data folder; @param settings further `name=value` settings of PostgreSQL. */
export async function startEmbedded(home: string, settings: readonly string[] = []): Promise<Embedded> {
  const binaries = findBinaries()
  const cluster = await openCluster(home, binaries)
  const launch = { binaries, cluster, settings }
  let running = await findOrStart(launch)
  const superuser = superuserOf(cluster, running)
  const owner = await own(superuser, cluster)
  await makeStore(superuser)

  const watch = new AbortController()
  const watching = keepAlive(launch, running, watch.signal, async (next) => {
    running = next
    await owner.renew()
  })
  return {
    ...reach(cluster, running),
    async stop() {
      watch.abort()
      await watching
      await owner.release()
      await stop(running.pid)
    },
  }
}

export function superuserOf(cluster: Cluster, running: Running): pg.ClientConfig {
  return { host: cluster.socketDir, port: running.port, user: 'postgres', database: 'postgres' }
}

export function reach(cluster: Cluster, running: Running): Omit<Embedded, 'stop'> {
  const superuser = superuserOf(cluster, running)
  return {
    isNew: cluster.isNew,
    superuser,
    store: { ...superuser, user: storeRole, database: storeDatabase },
    warehouse: { host: '127.0.0.1', port: running.port },
  }
}

/** One Tributary at a time owns a data folder. */
export class AlreadyOwned extends StartRefused {}

interface Launch {
  readonly binaries: Binaries
  readonly cluster: Cluster
  readonly settings: readonly string[]
}

/** A server left behind by a killed Tributary goes on, with everything it has acknowledged. */
export async function findRunning(cluster: Cluster): Promise<Running | undefined> {
  const found = readPid(cluster)
  if (found === undefined || !isAlive(found.pid)) return undefined
  const client = new pg.Client({
    host: cluster.socketDir,
    port: found.port,
    user: 'postgres',
    database: 'postgres',
    connectionTimeoutMillis: 5_000,
  })
  client.on('error', () => undefined)
  try {
    await client.connect()
    const { rows } = await client.query<{ data_directory: string }>('SHOW data_directory')
    return rows[0]?.data_directory === cluster.dataDir ? found : undefined
  } catch {
    return undefined
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** Lines of postmaster.pid: pid, data folder, start time, port, socket folder, address, shared memory, status. */
function readPid(cluster: Cluster): (Running & { ready: boolean }) | undefined {
  const file = join(cluster.dataDir, 'postmaster.pid')
  if (!existsSync(file)) return undefined
  const lines = readFileSync(file, 'utf8').split('\n')
  const pid = Number.parseInt(lines[0] ?? '', 10)
  const port = Number.parseInt(lines[3] ?? '', 10)
  return Number.isNaN(pid) || Number.isNaN(port) ? undefined : { pid, port, ready: lines[7]?.trim() === 'ready' }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/**
 * Backends of a killed server hold its shared memory for a moment, so a start that fails is tried again for a while. Each
 * time it is looked for first: what is in the way may be a server that another Tributary has just started, and that is
 * still recovering.
 */
async function findOrStart(launch: Launch, port?: number): Promise<Running> {
  const { cluster } = launch
  for (let attempt = 0; ; attempt += 1) {
    const running = (await findRunning(cluster)) ?? (await startOnce(launch, port ?? (await choosePort(cluster.dataDir))))
    if (running !== undefined) return running
    if (attempt === 60) throw new StartRefused(`The built-in PostgreSQL does not start. Its log is ${logFile(cluster)}.`)
    await sleep(500)
  }
}

async function startOnce({ binaries, cluster, settings }: Launch, port: number): Promise<Running | undefined> {
  const log = openSync(logFile(cluster), 'a')
  const wishes = [...defaults, `unix_socket_directories=${cluster.socketDir}`, ...settings].flatMap((setting) => ['-c', setting])
  const { file, args } = binaries.command('postgres', ['-D', cluster.dataDir, '-p', String(port), ...wishes])
  // A process group of its own: Ctrl-C must reach the server first, which then stops the database.
  const child = spawn(file, args, { detached: true, stdio: ['ignore', log, log] })
  closeSync(log)
  child.unref()
  const failure = new AbortController()
  child.once('error', () => failure.abort())
  child.once('exit', () => failure.abort())
  while (!failure.signal.aborted) {
    const found = readPid(cluster)
    if (found?.ready === true && found.pid === child.pid) return found
    await sleep(15)
  }
  return undefined
}

function logFile(cluster: Cluster): string {
  return join(cluster.dataDir, '..', 'postgres.log')
}

const defaults = [
  'listen_addresses=127.0.0.1',
  'password_encryption=scram-sha-256',
  'max_connections=120',
  'shared_buffers=128MB',
  'max_wal_size=2GB',
  // Nothing is replicated from here, so a table made and filled in one transaction need not be logged row by row.
  'wal_level=minimal',
  'max_wal_senders=0',
  'timezone=UTC',
  'log_timezone=UTC',
  'log_checkpoints=off',
]

/** The lock is a session's, so the kernel frees it with the process, however that ends. */
async function own(superuser: pg.ClientConfig, cluster: Cluster) {
  let client = await takeLock(superuser)
  for (let attempt = 0; client === undefined && attempt < 10; attempt += 1) {
    await sleep(200)
    client = await takeLock(superuser)
  }
  if (client === undefined) {
    throw new AlreadyOwned(
      `Another Tributary is running on the data folder ${join(cluster.dataDir, '..')}. Stop it first, or name another folder with TRIBUTARY_DATA_DIR.`,
    )
  }
  return {
    async renew() {
      client = await takeLock(superuser)
    },
    async release() {
      await client?.end().catch(() => undefined)
    },
  }
}

async function takeLock(superuser: pg.ClientConfig): Promise<pg.Client | undefined> {
  const client = new pg.Client({ ...superuser, application_name: `tributary owner ${process.pid}` })
  client.on('error', () => undefined)
  await client.connect()
  const { rows } = await client.query<{ owned: boolean }>('SELECT pg_try_advisory_lock($1) AS owned', [ownerLock])
  if (rows[0]?.owned === true) return client
  await client.end()
  return undefined
}

/** The store's role owns its database and nothing else: no superuser, so that row level security holds for it. */
async function makeStore(superuser: pg.ClientConfig): Promise<void> {
  const client = new pg.Client(superuser)
  await client.connect()
  try {
    await client.query(`DO $$ BEGIN
      IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '${storeRole}') THEN CREATE ROLE ${storeRole} LOGIN; END IF;
      IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '${warehouseReaders}') THEN CREATE ROLE ${warehouseReaders} NOLOGIN; END IF;
    END $$`)
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [storeDatabase])
    if (rowCount === 0) await client.query(`CREATE DATABASE ${storeDatabase} OWNER ${storeRole}`)
    await client.query(`REVOKE ALL ON DATABASE ${storeDatabase}, postgres, template1 FROM PUBLIC`)
  } finally {
    await client.end()
  }
}

/** Looks once a second whether the database lives, and starts it again on the same port when it does not. */
async function keepAlive(
  launch: Launch,
  first: Running,
  signal: AbortSignal,
  restarted: (running: Running) => Promise<void>,
): Promise<void> {
  let running = first
  while (!signal.aborted) {
    await sleep(500, undefined, { signal }).catch(() => undefined)
    if (signal.aborted || isAlive(running.pid)) continue
    try {
      running = await findOrStart(launch, running.port)
      await restarted(running)
    } catch {
      // The next round tries again; meanwhile the server answers 503.
    }
  }
}

/** SIGINT is PostgreSQL's fast shutdown; SIGQUIT after six seconds still loses nothing that was acknowledged. */
async function stop(pid: number): Promise<void> {
  process.kill(pid, 'SIGINT')
  for (let waited = 0; isAlive(pid); waited += 50) {
    if (waited === 6_000) process.kill(pid, 'SIGQUIT')
    if (waited > 9_000) return
    await sleep(50)
  }
}
