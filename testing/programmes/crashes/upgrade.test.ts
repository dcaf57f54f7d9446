/**
 * The upgrade of a trial whose server was killed during its first run: the current server starts on the data folder of
 * an earlier release (testing/server/upgrade/make-cut-run.ts).
 */
import { execFileSync, type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { zstdDecompressSync } from 'node:zlib'
import { type Mail, mailbox } from '@tributary/contract/mailbox'
import { type RunDetail, runs } from '@tributary/contract/runs'
import { type Warehouse, warehouse } from '@tributary/contract/warehouse'
import type { UnicontaSimulator } from '@tributary/sims/uniconta/server'
import { unicontaDifferences } from '../../engine/apis/uniconta-connector.ts'
import { readPostgres } from '../../engine/databases/database-ends.ts'
import { openSession } from '../../server/app/browser-session.ts'
import { findFreePort } from '../../databases/free-port.ts'
import { until } from '../../server/connectors/run-driver.ts'
import * as cut from '../../server/upgrade/cut-run.ts'
import { Client, type ClientConfig } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startEmbedded } from '../../../server/src/kernel/embedded/supervisor.ts'
import { readMigrationStatus } from '../../../server/src/kernel/migrations/migration-status.ts'
import { trialPassword, trialPeople } from '../../../server/src/trial/people.ts'

const record = JSON.parse(readFileSync(cut.recordFile, 'utf8')) as cut.CutRun
const { clientId, connectorId, runId } = record
const home = mkdtempSync(join(tmpdir(), 'tributary-upgrade-'))

let source: UnicontaSimulator
let port: number
let server: ChildProcess
let store: ClientConfig
beforeAll(async () => {
  const tar = zstdDecompressSync(readFileSync(cut.archiveFile))
  execFileSync('tar', ['-xf', '-', '-C', home], { input: tar })
  source = await cut.startSource()
  port = await findFreePort()
  const prepared = await prepareArchive()
  server = spawn(process.execPath, [join(import.meta.dirname, '../../../server/src/main.ts')], {
    env: {
      ...process.env,
      PORT: String(port),
      TRIBUTARY_DATA_DIR: home,
      TRIBUTARY_MODE: 'trial',
      TRIBUTARY_ALLOW_HOSTS: `127.0.0.1:${cut.sourcePort}`,
      TRIBUTARY_LOG_LEVEL: 'error',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(server.stdout ?? server, 'data')
  server.stdout?.resume()
  store = { ...prepared, port: readDatabasePort() }
  // Verification reads documents again, and these tests are about what the run requests.
  await query(store, 'UPDATE connector SET verify_seconds = 0')
}, 120_000)
afterAll(async () => {
  const ended = once(server, 'exit')
  server.kill('SIGTERM')
  await ended
  await source.close()
  rmSync(home, { recursive: true, force: true })
})

/** Each start of the database takes the first free port, which another test may have taken since the last start. */
function readDatabasePort(): number {
  return Number(readFileSync(join(home, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[3])
}

/**
 * Checks the state of the archive, and makes its tables as fresh as they were at the kill: completed tables are read
 * again after an hour, and the test must not depend on the date.
 */
async function prepareArchive(): Promise<ClientConfig> {
  const embedded = await startEmbedded(home)
  try {
    const [run] = await query(
      embedded.store,
      `SELECT status, attempt, worker IS NOT NULL AS held FROM run WHERE id = '${runId}'`,
    )
    expect(run).toEqual({ status: 'RUNNING', attempt: 1, held: true })
    const states = (await readMigrationStatus(embedded.store)).map(({ state }) => state)
    expect(new Set(states)).toEqual(new Set(['done', 'due']))
    const [database] = await query<{ name: string }>(
      embedded.store,
      `SELECT database_name AS name FROM warehouse WHERE organisation_id = '${clientId}'`,
    )
    await query(
      { ...embedded.superuser, database: database?.name },
      `UPDATE ${cut.schema}.tributary_state SET fresh_at = fresh_at + age, swept_at = swept_at + age
       FROM (SELECT now() - '${record.killedAt}'::timestamptz AS age)`,
    )
    return embedded.store
  } finally {
    await embedded.stop()
  }
}

/** Runs a query over all organisations. */
async function query<Row extends object>(connection: ClientConfig, text: string): Promise<Row[]> {
  const client = new Client({ ...connection, options: '-c tributary.organisation=*' })
  await client.connect()
  try {
    return (await client.query<Row>(text)).rows
  } finally {
    await client.end()
  }
}

const tokens = new Map<string, string>()

async function call<T>(method: string, path: string, emailAddress?: string): Promise<T> {
  const params: Readonly<Record<string, string>> = { clientId, connectorId, runId }
  const address = path.replaceAll(/:(\w+)/gu, (_, name: string) => params[name] ?? '')
  const token = emailAddress === undefined ? undefined : (tokens.get(emailAddress) ?? (await signIn(emailAddress)))
  const reply = await fetch(`http://localhost:${port}/api${address}`, {
    method,
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
  })
  expect([address, reply.status]).toEqual([address, 200])
  return (await reply.json()) as T
}

async function signIn(emailAddress: string): Promise<string> {
  const { token } = await openSession(`http://localhost:${port}`, { emailAddress, password: trialPassword })
  tokens.set(emailAddress, token)
  return token
}

/** Requests that read no entries: the discovery of tables, and the key comparison at the end of a table. */
const readsNoEntries = /\$top=1|\$select=/u
const firstDay = /Date ge datetime'(\d{4}-\d\d-\d\d)T/u
const ended = new Set(['COMPLETED', 'FAILED', 'CANCELLED'])

test('[ENG-1] the interrupted run continues to its end, and the warehouse has exactly the rows of the source', async () => {
  const run = await until(
    () => call<RunDetail>('GET', runs.read.path, cut.administrator),
    ({ Status }) => ended.has(Status),
    90_000,
  )
  expect(run).toMatchObject({ Status: 'COMPLETED', FaultKind: null, RowsRejected: 0, Notice: null })
  const { Host, Port, Database, User, Password } = await call<Warehouse>(
    'POST',
    warehouse.newPassword.path,
    cut.administrator,
  )
  const reader = new Client({ host: Host, port: Port, database: Database, user: User, password: Password ?? '' })
  await reader.connect()
  await reader.query(`SET TimeZone = 'UTC'`)
  expect(await unicontaDifferences(source, { read: (table) => readPostgres(reader, cut.schema, table) })).toEqual([])
  await reader.end()
}, 120_000)

test('[ENG-1] data whose checkpoint was committed before the kill is not requested again', () => {
  const entries = source.requests.map(({ target }) => target).filter((target) => !readsNoEntries.test(target))
  const finished = entries.filter((target) => record.finishedStreams.some((name) => target.includes(`/${name}`)))
  expect(finished).toEqual([])
  const windows = entries.filter((target) => target.includes(`/${cut.cutStream}?`))
  expect(windows.length).toBeGreaterThan(Object.keys(record.committedBefore).length)
  expect(windows).toEqual([...new Set(windows)])
  for (const [company, day] of Object.entries(record.committedBefore)) {
    const days = windows.flatMap((target) => (target.startsWith(company) ? (firstDay.exec(target)?.[1] ?? '') : []))
    expect(days.toSorted()[0]).toBe(day)
  }
})

test('all migrations are applied, all people can sign in, and encrypted data can be decrypted', async () => {
  const states = (await readMigrationStatus(store)).map(({ state }) => state)
  expect(new Set(states)).toEqual(new Set(['done']))
  for (const { emailAddress } of trialPeople) expect(await signIn(emailAddress)).toMatch(/./u)
  const mail = await call<readonly Mail[]>('GET', mailbox.list.path)
  expect(mail.find(({ To }) => To === cut.mailRecipient)?.Text).toContain('Rosa')
})
