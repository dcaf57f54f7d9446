/**
 * The product in separate processes (server, worker, embedded PostgreSQL), each of which can be killed during a run,
 * and a comparison of target and source afterwards.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client, type ClientConfig } from 'pg'
import { trialOrganisations, trialPassword } from '../../../server/src/trial/people.ts'
import { isUnreachable } from '../../../server/src/kernel/store/store.ts'
import { openSession } from '../app/browser-session.ts'
import { figuresOf, sourceSql } from './chaos-sql.ts'
import { collectedHeap } from './collected-heap.ts'
import { findFreePort } from '../../databases/free-port.ts'
import { type SpawnedWorker, spawnWorker } from './spawn-worker.ts'
import type { WorkerSettings } from './worker-process.ts'

export type KilledProcess = 'worker' | 'server' | 'postgres'
export type ReplyBody = Readonly<Record<string, unknown>>

const [{ id: clientId }] = trialOrganisations
/** Base path of the organisation's routes. */
export const base = `/api/tributary/clients/${clientId}`
/** A run of a dead worker is taken over after the lease, which is longer in production. */
const options = { leaseMs: 3_000, pollMs: 500 }

export class Chaos {
  readonly #settings: ChaosSettings
  readonly #superuser: ClientConfig
  #server: ChildProcess
  #worker: SpawnedWorker
  #token = ''
  #connectorId = ''

  private constructor(
    settings: ChaosSettings & { superuser: ClientConfig },
    server: ChildProcess,
    worker: SpawnedWorker,
  ) {
    this.#settings = settings
    this.#superuser = settings.superuser
    this.#server = server
    this.#worker = worker
  }

  /**
   * @param home an empty folder
   * @param rows number of rows of the larger source table
   */
  static async start(home: string, rows: number): Promise<Chaos> {
    const settings = { home, port: await findFreePort(), inspectorPort: await findFreePort() }
    const server = await startServer(settings)
    const superuser = superuserOf(home)
    const chaos = new Chaos({ ...settings, superuser }, server, await startWorker(home, superuser))
    await chaos.query('shop', sourceSql(rows))
    chaos.#connectorId = await chaos.#connect('Chaos')
    return chaos
  }

  /** Stops all processes, the database last. */
  async stop(): Promise<void> {
    await this.#worker.kill('SIGTERM')
    const ended = once(this.#server, 'exit')
    this.#server.kill('SIGTERM')
    await ended
  }

  async startRun(isFull: boolean, connectorId = this.#connectorId): Promise<string> {
    const reply = await this.call('POST', `${base}/connectors/${connectorId}/process`, { fullTransactionSync: isFull })
    return String(reply['RunId'])
  }

  readRun(runId: string, connectorId = this.#connectorId): Promise<ReplyBody> {
    return this.call('GET', `${base}/connectors/${connectorId}/runs/${runId}`)
  }

  /** Waits until the run is over, including kills and restarts in between. */
  async waitForRunEnd(runId: string, withinMs: number, connectorId = this.#connectorId): Promise<ReplyBody> {
    const until = performance.now() + withinMs
    for (;;) {
      const run = await this.readRun(runId, connectorId)
      if (['COMPLETED', 'FAILED', 'CANCELLED'].includes(String(run['Status']))) return run
      if (performance.now() > until) throw new Error(`The run is stuck: ${JSON.stringify(run)}`)
      await sleep(100)
    }
  }

  /** Sends SIGKILL, like a power cut, and restarts the process like a supervisor. */
  async kill(victim: KilledProcess): Promise<void> {
    if (victim === 'worker') {
      await this.#worker.kill('SIGKILL')
      this.#worker = await startWorker(this.#settings.home, this.#superuser)
    } else if (victim === 'server') {
      const ended = once(this.#server, 'exit')
      this.#server.kill('SIGKILL')
      await ended
      this.#server = await startServer(this.#settings)
    } else {
      // The server supervises its database and restarts it.
      process.kill(postmasterPid(this.#settings.home), 'SIGKILL')
    }
  }

  /** Stops the database like `pg_ctl stop -m immediate`: drops all connections without a clean shutdown. */
  stopDatabaseAtOnce(): void {
    process.kill(postmasterPid(this.#settings.home), 'SIGQUIT')
  }

  get address(): string {
    return `http://localhost:${this.#settings.port}`
  }

  get serverProcessId(): number {
    return this.#server.pid ?? 0
  }

  /** Heap of the server in megabytes after a garbage collection. */
  serverHeap(): Promise<number> {
    return collectedHeap(this.serverProcessId, this.#settings.inspectorPort)
  }

  get workerProcessId(): number {
    return this.#worker.processId
  }

  /** Stops the initial worker and returns the settings for another one. */
  async stopWorkerForSettings(): Promise<Omit<WorkerSettings, 'options'>> {
    await this.#worker.kill('SIGTERM')
    return workerSettingsOf(this.#settings.home, this.#superuser)
  }

  /** Connection settings of the superuser. */
  get superuser(): ClientConfig {
    return this.#superuser
  }

  /**
   * Adds another connector of the same source and returns its id.
   * @param source source settings that replace the defaults
   * @param target settings of another target than the warehouse
   */
  addConnector(name: string, source: ReplyBody = {}, target?: ReplyBody): Promise<string> {
    return this.#connect(name, source, target)
  }

  /** Returns row count and checksum of each table. Equal figures mean equal rows. */
  async compare(targetSchema = 'chaos_copy'): Promise<{ source: ReplyBody[]; target: ReplyBody[] }> {
    return {
      source: await this.query('shop', figuresOf('chaos.')),
      target: await this.queryWarehouse(figuresOf(`${targetSchema}.chaos_`)),
    }
  }

  /** Runs a query in the organisation's warehouse as the superuser. */
  async queryWarehouse(text: string): Promise<ReplyBody[]> {
    const [{ database_name: warehouse } = { database_name: '' }] = await this.query<{ database_name: string }>(
      'tributary',
      `SELECT database_name FROM warehouse WHERE organisation_id = '${clientId}'`,
    )
    return this.query(warehouse, text)
  }

  /** Runs a query as the superuser, and retries while the database restarts. */
  async query<Row extends object = ReplyBody>(database: string, text: string): Promise<Row[]> {
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await queryOnce<Row>({ ...this.#superuser, database }, text)
      } catch (error) {
        if (attempt === 100 || !isUnreachable(error)) throw error
        await sleep(200)
      }
    }
  }

  async #connect(name: string, source: ReplyBody = {}, target?: ReplyBody): Promise<string> {
    const types = (await this.call('GET', '/api/tributary/clients/connector-types')) as unknown as {
      Type: string
      Demo: ReplyBody
    }[]
    const demo = types.find(({ Type }) => Type === 'postgres')?.Demo['source.connectionString'] as object
    const properties = [
      { name: 'source.connectionString', value: { ...demo, tables: ['chaos.wide', 'chaos.pair'], ...source } },
      { name: 'target.schema', value: `${name.toLowerCase().replaceAll(' ', '_')}_copy` },
      ...(target === undefined ? [] : [{ name: 'target.connectionString', value: target }]),
    ]
    const made = await this.call('POST', `${base}/connectors`, { type: 'postgres', name, properties })
    return String(made['Id'])
  }

  /** Retries a call while the server or its database is down, like a user. */
  async call(method: string, path: string, body?: ReplyBody): Promise<ReplyBody> {
    for (let attempt = 0; ; attempt += 1) {
      const reply = await this.callOnce(method, path, body).catch(() => null)
      if (reply !== null && reply.ok) return (await reply.json()) as ReplyBody
      if (reply?.status === 401) await this.#signIn()
      else if (reply !== null && reply.status < 500)
        throw new Error(`${method} ${path} answered ${reply.status}: ${await reply.text()}`)
      if (attempt === 200) throw new Error(`${method} ${path} is not answered.`)
      await sleep(200)
    }
  }

  /**
   * Makes a call without retries.
   * @param token the default is the superadmin's
   */
  callOnce(method: string, path: string, body?: ReplyBody, token = this.#token): Promise<Response> {
    const headers = {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    }
    return fetch(`${this.address}${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  }

  async #signIn(): Promise<void> {
    this.#token = await this.signIn('superadmin@demo.example').catch(() => '')
  }

  /** Returns an access token. */
  async signIn(emailAddress: string): Promise<string> {
    return (await openSession(this.address, { emailAddress, password: trialPassword })).token
  }
}

interface ChaosSettings {
  readonly home: string
  readonly port: number
  /** Port of the debugger, which opens on request. */
  readonly inspectorPort: number
}

async function startServer({ home, port, inspectorPort }: ChaosSettings): Promise<ChildProcess> {
  const env = {
    ...process.env,
    PORT: String(port),
    TRIBUTARY_DATA_DIR: home,
    TRIBUTARY_ROLE: 'web',
    TRIBUTARY_MODE: 'trial',
    TRIBUTARY_LOG_LEVEL: 'error',
  }
  const args = [`--inspect-port=127.0.0.1:${inspectorPort}`, join(import.meta.dirname, '../../../server/src/main.ts')]
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const [text] = (await once(child.stdout, 'data')) as [Buffer]
  if (!text.toString().includes('ready')) throw new Error(`The server did not start: ${text.toString()}`)
  child.stdout.resume()
  return child
}

function startWorker(home: string, admin: ClientConfig): Promise<SpawnedWorker> {
  return spawnWorker({ ...workerSettingsOf(home, admin), options })
}

function workerSettingsOf(home: string, admin: ClientConfig): Omit<WorkerSettings, 'options'> {
  const { port = 0 } = admin
  return {
    connection: { ...admin, user: 'tributary_store', database: 'tributary' },
    warehouse: { admin, host: '127.0.0.1', port },
    masterKey: readFileSync(join(home, 'master-key'), 'utf8').trim(),
    allowHosts: [],
    allowPostgres: [`127.0.0.1:${port}`],
  }
}

/** Lines of postmaster.pid: pid, data folder, start time, port, socket folder. */
function postmasterLines(home: string): readonly string[] {
  return readFileSync(join(home, 'postgres', 'postmaster.pid'), 'utf8').split('\n')
}

function postmasterPid(home: string): number {
  return Number(postmasterLines(home)[0])
}

/** Port and socket stay the same when the database restarts. */
function superuserOf(home: string): ClientConfig {
  const [, , , port, host = ''] = postmasterLines(home)
  return { host, port: Number(port), user: 'postgres', database: 'postgres' }
}

async function queryOnce<Row extends object>(connection: ClientConfig, text: string): Promise<Row[]> {
  const client = new Client(connection)
  client.on('error', () => undefined)
  await client.connect()
  try {
    const { rows } = await client.query<Row>(text)
    return rows
  } finally {
    await client.end().catch(() => undefined)
  }
}
