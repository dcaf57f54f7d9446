import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { RunDetail } from '@tributary/contract/runs'
import { Client, type ClientConfig } from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { openClosableProxy } from '../../server/processes/closable-proxy.ts'
import { findFreePort } from '../../databases/free-port.ts'
import { until } from '../../server/connectors/run-driver.ts'
import { type SourceDatabase, sourceDatabase } from '../../server/connectors/source-database.ts'
import { templateKeys } from '../../server/app/template-keys.ts'
import { cloneDatabase } from '../../server/app/test-database.ts'
import { trialOrganisations, trialPassword } from '../../../server/src/trial/people.ts'

/** Two web processes and two workers share one database, like four machines. */
interface Machine extends AsyncDisposable {
  readonly process: ChildProcess
  readonly address: string
  readonly output: () => string
}

const [harbour] = trialOrganisations
const admin = 'admin@harbour.example'
let store: ClientConfig
let source: SourceDatabase
let sourcePort: number
let machines: readonly Machine[]
const started: Machine[] = []
let token: string
let cookie: string

beforeAll(async () => {
  store = { ...inject('postgres'), database: (await cloneDatabase()).database ?? '' }
  // Production refuses the trial's email addresses, so they are renamed.
  await inStore(`UPDATE portal_user SET email_address = replace(email_address, 'demo.example', 'harbour.example')`)
  await inStore(`UPDATE portal_user SET email_address = replace(email_address, 'other.example', 'summit.example')`)
  source = await sourceDatabase(`
    CREATE TABLE a_first (id int PRIMARY KEY, text text);
    INSERT INTO a_first SELECT n, 'row ' || n FROM generate_series(1, 20000) n;
    CREATE TABLE b_held (id int PRIMARY KEY, text text);
    INSERT INTO b_held SELECT n, 'row ' || n FROM generate_series(1, 2000) n`)
  // Connectors may not dial the store's port, but the source is on the same server.
  sourcePort = (await openClosableProxy(inject('postgres'))).port
  machines = await Promise.all([start('web'), start('web'), start('worker'), start('worker')])
  await signIn(machines[0])
}, 120_000)
afterAll(async () => {
  for (const machine of started) await machine[Symbol.asyncDispose]()
})

async function inStore<Row extends object>(text: string, database = store.database): Promise<Row[]> {
  const client = new Client({ ...store, database })
  await client.connect()
  try {
    return (await client.query<Row>(text)).rows
  } finally {
    await client.end()
  }
}

function addressOf({ user, password, host, port, database }: ClientConfig): string {
  return `postgres://${user}:${String(password)}@${host}:${port}/${database}?sslmode=disable`
}

async function start(role: 'web' | 'worker'): Promise<Machine> {
  const port = await findFreePort()
  const env = {
    PATH: process.env['PATH'] ?? '',
    PORT: String(port),
    TRIBUTARY_MODE: 'production',
    TRIBUTARY_ROLE: role,
    TRIBUTARY_HOST: '127.0.0.1',
    TRIBUTARY_PUBLIC_URL: 'https://tributary.example',
    TRIBUTARY_MASTER_KEY: templateKeys.current.toString('base64'),
    TRIBUTARY_SMTP_URL: 'smtp://127.0.0.1:1',
    TRIBUTARY_STOP_SECONDS: '8',
    DATABASE_URL: addressOf({ ...store, user: 'tributary_test_store', password: 'canary-store-password' }),
    TRIBUTARY_WAREHOUSE_URL: addressOf(store),
    TRIBUTARY_ALLOW_HOSTS: `127.0.0.1:${sourcePort}`,
  }
  const child = spawn(process.execPath, [join(import.meta.dirname, '../../../server/src/main.ts')], { env })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => (output += part.toString()))
  const machine: Machine = {
    process: child,
    address: `http://127.0.0.1:${port}`,
    output: () => output,
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    },
  }
  started.push(machine)
  await until(
    async () => {
      if (child.exitCode !== null) throw new Error(output)
      return (await call(machine, 'GET', '/readyz').catch(() => ({ status: 0 }))).status
    },
    (status) => status === 200,
    90_000,
  )
  return machine
}

async function call(machine: Machine | undefined, method: string, path: string, body?: object) {
  const headers = {
    'content-type': 'application/json',
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  }
  const reply = await fetch(`${machine?.address}${path}`, {
    method,
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return { status: reply.status, body: await reply.json() }
}

async function signIn(machine: Machine | undefined): Promise<void> {
  const reply = await fetch(`${machine?.address}/api/auth/signin`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ emailAddress: admin, password: trialPassword }),
  })
  token = ((await reply.json()) as { accessToken: string }).accessToken
  cookie = reply.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ')
}

interface FollowedRun {
  readonly connectorId: string
  readonly runId: string
}

const connectorsPath = `/api/tributary/clients/${harbour.id}/connectors`

async function startRun(machine: Machine | undefined): Promise<FollowedRun> {
  const { host: _, port: __, ...settings } = source.settings
  const value = { ...settings, host: '127.0.0.1', port: sourcePort }
  const created = await call(machine, 'POST', connectorsPath, {
    type: 'postgres',
    name: 'Moved',
    properties: [{ name: 'source.connectionString', value }],
  })
  const connectorId = (created.body as { Id: string }).Id
  const started = await call(machine, 'POST', `${connectorsPath}/${connectorId}/process`, {})
  return { connectorId, runId: (started.body as { RunId: string }).RunId }
}

/** Collects the event stream of a run until it ends. */
function follow(machine: Machine | undefined, { connectorId, runId }: FollowedRun) {
  const events = { text: '', isOver: false }
  const path = `${connectorsPath}/${connectorId}/runs/${runId}/events`
  const reading = (async () => {
    const reply = await fetch(`${machine?.address}${path}`, { headers: { authorization: `Bearer ${token}` } })
    for await (const part of reply.body ?? []) events.text += Buffer.from(part).toString()
  })()
  void reading.catch(() => undefined).then(() => (events.isOver = true))
  return events
}

async function readRun(machine: Machine | undefined, { connectorId, runId }: FollowedRun): Promise<RunDetail> {
  return (await call(machine, 'GET', `${connectorsPath}/${connectorId}/runs/${runId}`)).body as RunDetail
}

async function workerOf({ runId }: FollowedRun): Promise<Machine | undefined> {
  const [run] = await inStore<{ worker: string | null }>(
    `SELECT worker FROM run WHERE id = '${runId}' AND status = 'RUNNING'`,
  )
  return machines.find(({ process: { pid } }) => run?.worker?.split(' ')[1] === String(pid))
}

/** Starts a request that waits until the table lock is released. */
async function startBlockedRequest(machine: Machine | undefined) {
  const lock = new Client(store)
  await lock.connect()
  await lock.query('BEGIN; LOCK TABLE area IN ACCESS EXCLUSIVE MODE')
  const reply = call(machine, 'GET', '/api/areas').catch((error: unknown) => ({ status: 0, body: error }))
  await until(
    () => inStore(`SELECT FROM pg_locks WHERE NOT granted AND relation = 'area'::regclass`),
    (waiting) => waiting.length > 0,
  )
  return { reply, release: () => lock.end() }
}

test('a run that is started on one web process is followed on another; stopping its worker and a web process loses, duplicates and interrupts nothing', async () => {
  const [webA, webB] = machines
  await using lock = await source.lock('b_held')
  const run = await startRun(webA)
  const events = follow(webB, run)
  await until(
    async () => events.text,
    (text) => text.includes('"Status":"RUNNING"'),
  )
  const first = await until(
    () => workerOf(run),
    (machine) => machine !== undefined,
  )

  const ended = first === undefined ? null : once(first.process, 'exit')
  first?.process.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
  const second = await until(
    () => workerOf(run),
    (machine) => machine !== undefined && machine !== first,
  )
  expect(second?.process.pid).not.toBe(first?.process.pid)

  const blocked = await startBlockedRequest(webB)
  const exited = webB === undefined ? null : once(webB.process, 'exit')
  webB?.process.kill('SIGTERM')
  await until(
    async () => (await call(webB, 'GET', '/readyz')).body,
    (body) => (body as { status: string }).status === 'draining',
  )
  expect((await call(webB, 'GET', '/healthz')).status).toBe(200)
  await until(
    async () => events.isOver,
    (isOver) => isOver,
  )
  expect(events.text.endsWith('retry: 1000\n\n')).toBe(true)
  await blocked.release()
  expect((await blocked.reply).status).toBe(200)
  expect(await exited).toEqual([0, null])

  const again = follow(webA, run)
  await lock.open()
  await until(
    async () => again.isOver,
    (isOver) => isOver,
  )
  expect(again.text).toContain('event: end')
  expect(await readRun(webA, run)).toMatchObject({ Status: 'COMPLETED', RowsWritten: 22_000 })
  const [database] = await inStore<{ database_name: string }>(
    `SELECT database_name FROM warehouse WHERE organisation_id = '${harbour.id}'`,
  )
  const [rows] = await inStore(
    `SELECT count(*)::int AS rows, count(DISTINCT (t, id))::int AS keys
     FROM (SELECT 'a' AS t, id FROM moved.a_first UNION ALL SELECT 'b', id FROM moved.b_held) AS moved`,
    database?.database_name,
  )
  expect(rows).toEqual({ rows: 22_000, keys: 22_000 })
}, 120_000)

test('wrong passwords are counted over all machines, and a session that ends on one ends on all', async () => {
  const [webA] = machines
  const webC = await start('web')
  const signInWrongly = (machine: Machine | undefined) =>
    call(machine, 'POST', '/api/auth/signin', { emailAddress: 'guest@harbour.example', password: 'wrong-password-1' })
  const statuses: number[] = []
  for (const machine of [webA, webC, webA, webC, webA, webC, webA]) statuses.push((await signInWrongly(machine)).status)
  expect(statuses.slice(0, 5)).toEqual([401, 401, 401, 401, 401])
  expect(statuses.slice(5)).toEqual([429, 429])

  expect((await call(webC, 'GET', '/api/areas')).status).toBe(200)
  expect((await fetch(`${webA?.address}/api/auth/signout`, { method: 'POST', headers: { cookie } })).status).toBe(204)
  await until(
    async () => (await call(webC, 'GET', '/api/areas')).status,
    (status) => status === 401,
    6_000,
  )
}, 120_000)

test('a second signal ends the process immediately, even with requests in progress', async () => {
  const [webA] = machines
  await signIn(webA)
  const blocked = await startBlockedRequest(webA)
  const exited = webA === undefined ? null : once(webA.process, 'exit')
  webA?.process.kill('SIGTERM')
  const signalledAt = performance.now()
  await until(
    async () => performance.now() - signalledAt,
    (passed) => passed > 1_100,
  )
  webA?.process.kill('SIGTERM')
  expect(await exited).toEqual([1, null])
  expect(performance.now() - signalledAt).toBeLessThan(4_000)
  expect((await blocked.reply).status).toBe(0)
  await blocked.release()
})
