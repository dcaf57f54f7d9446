/**
 * The whole product in processes of its own (server, worker, embedded PostgreSQL), any of which can be killed while rows
 * move; and the question whether the target then equals the source.
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
import type { WorkerPlace } from './worker-process.ts'

export type Victim = 'worker' | 'server' | 'postgres'
export type Json = Readonly<Record<string, unknown>>

const [{ id: clientId }] = trialOrganisations
/** Where the calls about the organisation are. */
export const base = `/api/tributary/clients/${clientId}`
/** A run of a dead worker is taken over after the lease; the product's own is longer. */
const options = { leaseMs: 3_000, pollMs: 500 }

export class Chaos {
  readonly #place: Place
  readonly #superuser: ClientConfig
  #server: ChildProcess
  #worker: SpawnedWorker
  #token = ''
  #connectorId = ''

  private constructor(place: Place & { superuser: ClientConfig }, server: ChildProcess, worker: SpawnedWorker) {
    this.#place = place
    this.#superuser = place.superuser
    this.#server = server
    this.#worker = worker
  }

  /** @param home an empty folder; @param rows of the larger of the source's two tables */
  static async start(home: string, rows: number): Promise<Chaos> {
    const place = { home, port: await findFreePort(), inspectorPort: await findFreePort() }
    const server = await startServer(place)
    const superuser = superuserOf(home)
    const chaos = new Chaos({ ...place, superuser }, server, await startWorker(home, superuser))
    await chaos.query('shop', sourceSql(rows))
    chaos.#connectorId = await chaos.#connect('Chaos')
    return chaos
  }

  /** Ends everything, the database last. */
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

  readRun(runId: string, connectorId = this.#connectorId): Promise<Json> {
    return this.call('GET', `${base}/connectors/${connectorId}/runs/${runId}`)
  }

  /** Waits until the run is over; kills and restarts in between are no excuse. */
  async runEnds(runId: string, withinMs: number): Promise<Json> {
    const until = performance.now() + withinMs
    for (;;) {
      const run = await this.readRun(runId)
      if (['COMPLETED', 'FAILED', 'CANCELLED'].includes(String(run['Status']))) return run
      if (performance.now() > until) throw new Error(`The run is stuck: ${JSON.stringify(run)}`)
      await sleep(100)
    }
  }

  /** SIGKILL, as a power cut would; then whatever an operator's supervisor would do. */
  async kill(victim: Victim): Promise<void> {
    if (victim === 'worker') {
      await this.#worker.kill('SIGKILL')
      this.#worker = await startWorker(this.#place.home, this.#superuser)
    } else if (victim === 'server') {
      const ended = once(this.#server, 'exit')
      this.#server.kill('SIGKILL')
      await ended
      this.#server = await startServer(this.#place)
    } else {
      // The server looks after its database: nobody else has to start it again.
      process.kill(postmasterPid(this.#place.home), 'SIGKILL')
    }
  }

  /** As `pg_ctl stop -m immediate` does: every connection is cut, and nothing is tidied up. */
  stopDatabaseAtOnce(): void {
    process.kill(postmasterPid(this.#place.home), 'SIGQUIT')
  }

  get address(): string {
    return `http://localhost:${this.#place.port}`
  }

  get serverProcessId(): number {
    return this.#server.pid ?? 0
  }

  /** Megabytes that the server keeps once everything is collected that can be. */
  serverHeap(): Promise<number> {
    return collectedHeap(this.serverProcessId, this.#place.inspectorPort)
  }

  get workerProcessId(): number {
    return this.#worker.processId
  }

  /** Where a worker of one's own finds everything; that of the beginning is ended first. */
  async workerPlace(): Promise<Omit<WorkerPlace, 'options'>> {
    await this.#worker.kill('SIGTERM')
    return placeOfWorker(this.#place.home, this.#superuser)
  }

  /** How psql and its like reach the database. */
  get superuser(): ClientConfig {
    return this.#superuser
  }

  /** Another connector of the same source, reached as it says; answers its id. */
  addConnector(name: string, source: Json = {}): Promise<string> {
    return this.#connect(name, source)
  }

  /** Count and checksum of each table; equal figures on both sides mean equal rows. */
  async compare(): Promise<{ source: Json[]; target: Json[] }> {
    const [{ database_name: warehouse } = { database_name: '' }] = await this.query<{ database_name: string }>(
      'tributary',
      `SELECT database_name FROM warehouse WHERE organisation_id = '${clientId}'`,
    )
    return {
      source: await this.query('shop', figuresOf('chaos.')),
      target: await this.query(warehouse, figuresOf('chaos_copy.chaos_')),
    }
  }

  /** As the superuser, waiting for a database that is just being started again. */
  async query<Row extends object = Json>(database: string, text: string): Promise<Row[]> {
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await queryOnce<Row>({ ...this.#superuser, database }, text)
      } catch (error) {
        if (attempt === 100 || !isUnreachable(error)) throw error
        await sleep(200)
      }
    }
  }

  async #connect(name: string, source: Json = {}): Promise<string> {
    const types = (await this.call('GET', '/api/tributary/clients/connector-types')) as unknown as {
      Type: string
      Demo: Json
    }[]
    const demo = types.find(({ Type }) => Type === 'postgres')?.Demo['source.connectionString'] as object
    const properties = [
      { name: 'source.connectionString', value: { ...demo, tables: ['chaos.wide', 'chaos.pair'], ...source } },
      { name: 'target.schema', value: `${name.toLowerCase().replaceAll(' ', '_')}_copy` },
    ]
    const made = await this.call('POST', `${base}/connectors`, { type: 'postgres', name, properties })
    return String(made['Id'])
  }

  /** Repeats what a server that is down or without its database could not answer, as a browser's user would. */
  async call(method: string, path: string, body?: Json): Promise<Json> {
    for (let attempt = 0; ; attempt += 1) {
      const reply = await this.callOnce(method, path, body).catch(() => null)
      if (reply !== null && reply.ok) return (await reply.json()) as Json
      if (reply?.status === 401) await this.#signIn()
      else if (reply !== null && reply.status < 500)
        throw new Error(`${method} ${path} answered ${reply.status}: ${await reply.text()}`)
      if (attempt === 200) throw new Error(`${method} ${path} is not answered.`)
      await sleep(200)
    }
  }

  /** One try. @param token else the superadmin's. */
  callOnce(method: string, path: string, body?: Json, token = this.#token): Promise<Response> {
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

  /** Answers an access token. */
  async signIn(emailAddress: string): Promise<string> {
    return (await openSession(this.address, { emailAddress, password: trialPassword })).token
  }
}

interface Place {
  readonly home: string
  readonly port: number
  /** Opened when somebody asks for it. */
  readonly inspectorPort: number
}

async function startServer({ home, port, inspectorPort }: Place): Promise<ChildProcess> {
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
  return spawnWorker({ ...placeOfWorker(home, admin), options })
}

function placeOfWorker(home: string, admin: ClientConfig): Omit<WorkerPlace, 'options'> {
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

/** Port and socket stay the same when the database is started again. */
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
