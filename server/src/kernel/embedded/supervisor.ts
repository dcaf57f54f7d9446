/**
 * Supervises the embedded PostgreSQL: starts it, takes it over after a server was killed, restarts it after it was killed,
 * and lets one Tributary at a time own it.
 */
import { spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { isDiskFull } from './disk-space.ts'
import type { Log } from '../log/log.ts'
import { StartRefused } from '../start-error.ts'
import { withClient } from '../store/with-client.ts'
import { findBinaries, type PostgresBinaries } from './binaries.ts'
import { choosePort, openCluster, warehouseReaders, type PostgresCluster } from './cluster.ts'
import { startOrphanGuard } from './orphan-guard.ts'
import { createDataFolderLock, type DataFolderLock } from './owner-lock.ts'
import { findRunning, isRunning, readPid, stopPostgres, superuserOf, type RunningPostgres } from './postmaster.ts'

export interface EmbeddedPostgres {
  /** True if this start initialised the cluster. Only then may trial data be inserted. */
  readonly isNew: boolean
  /** Creates databases and roles. Connects over the socket only. */
  readonly superuser: pg.ClientConfig
  /** The store, as a role that is subject to row level security. */
  readonly store: pg.ClientConfig
  /** Where the warehouse's readers connect. */
  readonly warehouse: { readonly host: string; readonly port: number }
  stop(): Promise<void>
}

export interface EmbeddedPostgresOptions {
  /** Additional PostgreSQL settings, as `name=value`. */
  readonly settings?: readonly string[]
  /** Logs unexpected ends of the database and attempts to restart it. */
  readonly log?: Pick<Log, 'warn'>
  /** How long the database keeps running after this process was killed, in ms, so that another Tributary can take it over. */
  readonly orphanMs?: number
}

const storeRole = 'tributary_store'
const storeDatabase = 'tributary'

/** @param home the data folder. */
export async function startEmbedded(home: string, options: EmbeddedPostgresOptions = {}): Promise<EmbeddedPostgres> {
  const { settings = [], log, orphanMs } = options
  const binaries = findBinaries()
  const cluster = await openCluster(home, binaries)
  const launch = { binaries, cluster, settings }
  // Before the database starts, so that a kill at any time leaves no orphan.
  const dismissGuard = startOrphanGuard(home, orphanMs)
  try {
    const { running, lock } = await findAndTakeOwnership(launch)
    try {
      await makeStore(superuserOf(cluster, running))
    } catch (error) {
      await lock.release()
      await stopPostgres(running)
      throw error
    }
    const stopSupervising = supervise(launch, lock, running, log)
    return {
      ...connectionsOf(cluster, running),
      async stop() {
        const last = await stopSupervising()
        await lock.release()
        await stopPostgres(last, isDiskFull(cluster.dataDir))
        dismissGuard()
      },
    }
  } catch (error) {
    dismissGuard()
    throw error
  }
}

export function connectionsOf(cluster: PostgresCluster, running: RunningPostgres): Omit<EmbeddedPostgres, 'stop'> {
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

interface PostgresLaunch {
  readonly binaries: PostgresBinaries
  readonly cluster: PostgresCluster
  readonly settings: readonly string[]
}

const inBetweenMs = 30_000

/** Retries if the database stops meanwhile: its previous owner may be shutting it down. */
async function findAndTakeOwnership(launch: PostgresLaunch) {
  const { cluster } = launch
  const giveUpAt = performance.now() + inBetweenMs
  for (;;) {
    const running = await findOrStart(launch)
    try {
      return { running, lock: await takeOwnership(cluster, running) }
    } catch (error) {
      if (error instanceof StartRefused || performance.now() > giveUpAt) throw error
      await sleep(200)
    }
  }
}

async function takeOwnership(cluster: PostgresCluster, running: RunningPostgres): Promise<DataFolderLock> {
  const lock = createDataFolderLock(superuserOf(cluster, running))
  for (let attempt = 0; attempt < 10; attempt += 1) {
    if (await lock.take()) return lock
    await sleep(200)
  }
  throw new AlreadyOwned(
    `Another Tributary is running on the data folder ${join(cluster.dataDir, '..')}. Stop it first, or name another folder with TRIBUTARY_DATA_DIR.`,
  )
}

/**
 * Retries a failed start for a while, because backends of a killed server hold its shared memory for a moment. Each attempt
 * looks for a running server first: another Tributary may have just started one that is still recovering.
 */
async function findOrStart(launch: PostgresLaunch): Promise<RunningPostgres> {
  const { cluster } = launch
  for (let attempt = 0; ; attempt += 1) {
    const running = (await findRunning(cluster)) ?? (await startOnce(launch, await choosePort(cluster.dataDir)))
    if (running !== undefined) return running
    if (attempt === 60)
      throw new StartRefused(`The built-in PostgreSQL does not start. Its log is ${logFile(cluster)}.`)
    await sleep(500)
  }
}

/** Undefined if it ends before it is ready, or is stopped because the signal aborts. */
async function startOnce(
  { binaries, cluster, settings }: PostgresLaunch,
  port: number,
  signal?: AbortSignal,
): Promise<RunningPostgres | undefined> {
  const log = openSync(logFile(cluster), 'a')
  const wishes = [...defaults, `unix_socket_directories=${cluster.socketDir}`, ...settings].flatMap((setting) => [
    '-c',
    setting,
  ])
  const { file, args } = binaries.command('postgres', ['-D', cluster.dataDir, '-p', String(port), ...wishes])
  // A separate process group: Ctrl-C must reach the server, which then stops the database.
  const child = spawn(file, args, { detached: true, stdio: ['ignore', log, log] })
  closeSync(log)
  child.unref()
  const failure = new AbortController()
  child.once('error', () => failure.abort())
  child.once('exit', () => failure.abort())
  while (!failure.signal.aborted) {
    const found = readPid(cluster)
    if (found !== undefined && found.ready && found.pid === child.pid) return { ...found, child }
    if (signal?.aborted === true && child.pid !== undefined) await stopPostgres({ pid: child.pid, port, child })
    await sleep(15)
  }
  return undefined
}

function logFile(cluster: PostgresCluster): string {
  return join(cluster.dataDir, '..', 'postgres.log')
}

const defaults = [
  'listen_addresses=127.0.0.1',
  'password_encryption=scram-sha-256',
  'max_connections=120',
  'shared_buffers=128MB',
  'max_wal_size=2GB',
  // Without replication, a table that is created and filled in one transaction needs no WAL record per row.
  'wal_level=minimal',
  'max_wal_senders=0',
  'timezone=UTC',
  'log_timezone=UTC',
  'log_checkpoints=off',
]

/** The store's role owns its database and is no superuser, so that row level security applies to it. */
async function makeStore(superuser: pg.ClientConfig): Promise<void> {
  await withClient(superuser, async (client) => {
    await client.query(`DO $$ BEGIN
      IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '${storeRole}') THEN CREATE ROLE ${storeRole} LOGIN; END IF;
      IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '${warehouseReaders}') THEN CREATE ROLE ${warehouseReaders} NOLOGIN; END IF;
    END $$`)
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [storeDatabase])
    if (rowCount === 0) await client.query(`CREATE DATABASE ${storeDatabase} OWNER ${storeRole}`)
    await client.query(`REVOKE ALL ON DATABASE ${storeDatabase}, postgres, template1 FROM PUBLIC`)
  })
}

const pollMs = 500
/** The longest backoff between failed attempts. */
const pauseMaxMs = 10_000

/**
 * Checks twice a second that the database is alive and restarts it on the same port if it is not. On a full disk it waits for
 * free space, because an attempt would only fill the log. Meanwhile calls receive 503.
 */
function supervise(
  launch: PostgresLaunch,
  lock: DataFolderLock,
  started: RunningPostgres,
  log: EmbeddedPostgresOptions['log'],
): () => Promise<RunningPostgres> {
  const ending = new AbortController()
  const { signal } = ending
  const { cluster } = launch
  let running = started
  let failures = 0
  let reported: string | null = null

  async function watch(): Promise<void> {
    while (!signal.aborted) {
      await sleep(Math.min(pollMs * 2 ** failures, pauseMaxMs), undefined, { signal }).catch(() => undefined)
      if (signal.aborted) return
      const isWell = await check().catch(() => false)
      failures = isWell ? 0 : failures + 1
    }
  }

  /** Returns false if an attempt to restart has failed. */
  async function check(): Promise<boolean> {
    if (!isRunning(running)) {
      if (isDiskFull(cluster.dataDir)) {
        report(
          'the built-in PostgreSQL has ended, because its disk is full: once there is space it starts again by itself',
        )
        return true
      }
      report('the built-in PostgreSQL has ended and is started again')
      const next = (await findRunning(cluster)) ?? (await startOnce(launch, running.port, signal))
      if (next === undefined) return false
      running = next
    }
    // When one of its processes crashes, PostgreSQL ends all sessions and continues with the same postmaster.
    if (!lock.isHeld) await lock.take()
    if (reported !== null) log?.warn('the built-in PostgreSQL runs again')
    reported = null
    return true
  }

  function report(event: string): void {
    if (reported !== event) log?.warn(event)
    reported = event
  }

  const watching = watch()
  /** Stops supervising; resolves with the last known state of the database. */
  return async () => {
    ending.abort()
    await watching
    return running
  }
}
