/**
 * Keeps one real PostgreSQL running beside the server: starts it, finds it again after the server was killed, starts it
 * again when it was killed itself, and lets one Tributary at a time own it.
 */
import { spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { isDiskFull } from './disk-space.ts'
import type { Log } from '../log/log.ts'
import { StartRefused } from '../start-error.ts'
import { findBinaries, type Binaries } from './binaries.ts'
import { choosePort, openCluster, warehouseReaders, type Cluster } from './cluster.ts'
import { guard } from './orphan-guard.ts'
import { OwnerLock } from './owner-lock.ts'
import { findRunning, isUp, readPid, stop, superuserOf, type Running } from './postmaster.ts'

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

export interface EmbeddedOptions {
  /** Further `name=value` settings of PostgreSQL. */
  readonly settings?: readonly string[]
  /** Reports a database that ended by itself and what became of it. */
  readonly log?: Pick<Log, 'warn'>
  /** How long the database stays for another Tributary after this process was killed, in ms. */
  readonly orphanMs?: number
}

const storeRole = 'tributary_store'
const storeDatabase = 'tributary'

/** @param home the data folder. */
export async function startEmbedded(home: string, options: EmbeddedOptions = {}): Promise<Embedded> {
  const { settings = [], log, orphanMs } = options
  const binaries = findBinaries()
  const cluster = await openCluster(home, binaries)
  const launch = { binaries, cluster, settings }
  // Before the database: from its first moment on nothing leaves it behind.
  const dismissGuard = guard(home, orphanMs)
  try {
    const { running, lock } = await findAndOwn(launch)
    try {
      await makeStore(superuserOf(cluster, running))
    } catch (error) {
      await lock.release()
      await stop(running)
      throw error
    }
    const supervisor = new Supervisor({ launch, lock, log, running })
    return {
      ...reach(cluster, running),
      async stop() {
        const last = await supervisor.end()
        await lock.release()
        await stop(last)
        dismissGuard()
      },
    }
  } catch (error) {
    dismissGuard()
    throw error
  }
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

const inBetweenMs = 30_000

/** Begins again where the database ends meanwhile: the Tributary before may be just about to stop it. */
async function findAndOwn(launch: Launch): Promise<{ running: Running; lock: OwnerLock }> {
  const { cluster } = launch
  const giveUpAt = performance.now() + inBetweenMs
  for (;;) {
    const running = await findOrStart(launch)
    try {
      return { running, lock: await own(cluster, running) }
    } catch (error) {
      if (error instanceof StartRefused || performance.now() > giveUpAt) throw error
      await sleep(200)
    }
  }
}

async function own(cluster: Cluster, running: Running): Promise<OwnerLock> {
  const lock = new OwnerLock(superuserOf(cluster, running))
  for (let attempt = 0; attempt < 10; attempt += 1) {
    if (await lock.take()) return lock
    await sleep(200)
  }
  throw new AlreadyOwned(
    `Another Tributary is running on the data folder ${join(cluster.dataDir, '..')}. Stop it first, or name another folder with TRIBUTARY_DATA_DIR.`,
  )
}

/**
 * Backends of a killed server hold its shared memory for a moment, so a start that fails is tried again for a while. Each
 * time it is looked for first: what is in the way may be a server that another Tributary has just started, and that is
 * still recovering.
 */
async function findOrStart(launch: Launch): Promise<Running> {
  const { cluster } = launch
  for (let attempt = 0; ; attempt += 1) {
    const running = (await findRunning(cluster)) ?? (await startOnce(launch, await choosePort(cluster.dataDir)))
    if (running !== undefined) return running
    if (attempt === 60)
      throw new StartRefused(`The built-in PostgreSQL does not start. Its log is ${logFile(cluster)}.`)
    await sleep(500)
  }
}

/** Undefined where it ends before it is ready, or is stopped because the signal aborts. */
async function startOnce(
  { binaries, cluster, settings }: Launch,
  port: number,
  signal?: AbortSignal,
): Promise<Running | undefined> {
  const log = openSync(logFile(cluster), 'a')
  const wishes = [...defaults, `unix_socket_directories=${cluster.socketDir}`, ...settings].flatMap((setting) => [
    '-c',
    setting,
  ])
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
    if (found !== undefined && found.ready && found.pid === child.pid) return { ...found, child }
    if (signal?.aborted === true && child.pid !== undefined) await stop({ pid: child.pid, port, child })
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

const lookMs = 500
/** The longest pause between attempts that fail. */
const pauseMaxMs = 10_000

/**
 * Looks twice a second whether the database lives, and starts it again on the same port when it does not: on a full disk as soon as there
 * is space, where an attempt would only fill the log. Meanwhile calls are answered with 503.
 */
class Supervisor {
  readonly #launch: Launch
  readonly #lock: OwnerLock
  readonly #log: EmbeddedOptions['log']
  readonly #ending = new AbortController()
  readonly #watching: Promise<void>
  #running: Running
  #failures = 0
  #reported: string | null = null

  constructor({
    launch,
    lock,
    log,
    running,
  }: {
    launch: Launch
    lock: OwnerLock
    log: EmbeddedOptions['log']
    running: Running
  }) {
    this.#launch = launch
    this.#lock = lock
    this.#log = log
    this.#running = running
    this.#watching = this.#watch()
  }

  /** Starts it no more; resolves with the database as it was last seen. */
  async end(): Promise<Running> {
    this.#ending.abort()
    await this.#watching
    return this.#running
  }

  async #watch(): Promise<void> {
    const { signal } = this.#ending
    while (!signal.aborted) {
      await sleep(Math.min(lookMs * 2 ** this.#failures, pauseMaxMs), undefined, { signal }).catch(() => undefined)
      if (signal.aborted) return
      const isWell = await this.#look().catch(() => false)
      this.#failures = isWell ? 0 : this.#failures + 1
    }
  }

  /** False where an attempt to start it has failed. */
  async #look(): Promise<boolean> {
    if (!isUp(this.#running)) {
      if (isDiskFull(this.#launch.cluster.dataDir)) {
        this.#report(
          'the built-in PostgreSQL has ended, because its disk is full: once there is space it starts again by itself',
        )
        return true
      }
      this.#report('the built-in PostgreSQL has ended and is started again')
      const { cluster } = this.#launch
      const next =
        (await findRunning(cluster)) ?? (await startOnce(this.#launch, this.#running.port, this.#ending.signal))
      if (next === undefined) return false
      this.#running = next
    }
    // PostgreSQL ends all sessions when one of its processes crashes, and continues with the same main process.
    if (!this.#lock.isHeld) await this.#lock.take()
    if (this.#reported !== null) this.#log?.warn('the built-in PostgreSQL runs again')
    this.#reported = null
    return true
  }

  #report(event: string): void {
    if (this.#reported !== event) this.#log?.warn(event)
    this.#reported = event
  }
}
