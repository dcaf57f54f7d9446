/**
 * Makes the data folder that the upgrade test starts on. Starts an earlier release in trial mode, connects a simulated
 * Uniconta, kills the server with SIGKILL in the middle of the first run, and compresses the data folder. Run: node
 * testing/server/upgrade/make-cut-run.ts FOLDER, where FOLDER is a clone at that commit with its packages installed.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { constants, zstdCompressSync } from 'node:zlib'
import { unicontaSource } from '@tributary/engine/apis/uniconta/source'
import { Client, type ClientConfig } from 'pg'
import { trialOrganisations, trialPassword } from '../../../server/src/trial/people.ts'
import { openSession } from '../app/browser-session.ts'
import { findFreePort } from '../../databases/free-port.ts'
import * as cut from './cut-run.ts'

interface EmbeddedDatabase {
  readonly superuser: ClientConfig
  stop(): Promise<void>
}
type StartEmbedded = (home: string, settings: readonly string[]) => Promise<EmbeddedDatabase>

const [, { id: clientId }] = trialOrganisations
/**
 * A target commits every ten seconds, so windows of the ledger must take seconds for the kill to hit between two of
 * them.
 */
const windowMs = 1_500

const folder = process.argv[2] ?? ''
const head = execFileSync('git', ['-C', folder, 'rev-parse', 'HEAD'], { encoding: 'utf8' })
if (!head.startsWith(cut.release)) throw new Error(`${folder} is at ${head.trim()}, not at ${cut.release}.`)

const home = mkdtempSync(join(tmpdir(), 'tributary-cut-run-'))
const source = await cut.startSource()
source.injectFaults(
  ...Array.from({ length: 100 }, () => ({ kind: 'slow', at: cut.cutStream, waitMs: windowMs }) as const),
)

const port = await findFreePort()
const address = `http://localhost:${port}`
let server = await startRelease('web')
process.on('exit', () => server.kill('SIGKILL'))
// Only the cut run copies rows, here and in the test, so that the archive stays small.
const setting = { key: 'ScheduledRuns', value: 'false' }
await post('/api/admin/globalconfiguration', setting, await signIn(cut.provider))
server.kill('SIGTERM')
await once(server, 'exit')

server = await startRelease('all')
const started = await startRun()
const warehouse = await untilLedgerIsCut()
server.kill('SIGKILL')
const killedAt = new Date().toISOString()
const committed = await closeDatabase()
await source.close()
const record: cut.CutRun = { clientId, ...started, killedAt, ...committed }
writeFileSync(cut.recordFile, `${JSON.stringify(record, null, 2)}\n`)
compress()
rmSync(home, { recursive: true, force: true })

async function startRelease(role: 'web' | 'all'): Promise<ChildProcess> {
  const child = spawn(process.execPath, [join(folder, 'server/src/main.ts')], {
    env: {
      ...process.env,
      PORT: String(port),
      TRIBUTARY_DATA_DIR: home,
      TRIBUTARY_MODE: 'trial',
      TRIBUTARY_ROLE: role,
      TRIBUTARY_ALLOW_HOSTS: `127.0.0.1:${cut.sourcePort}`,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(child.stdout, 'data')
  child.stdout.resume()
  return child
}

async function startRun(): Promise<{ connectorId: string; runId: string }> {
  const [admin, superadmin] = await Promise.all([signIn(cut.administrator), signIn(cut.provider)])
  const [role] = await query<{ roleId: string }>(store(), `SELECT id AS "roleId" FROM role WHERE name = 'user'`)
  await post(
    '/api/invitations',
    { ...role, firstName: 'Rosa', lastName: 'Field', emailAddress: cut.mailRecipient },
    admin,
  )
  const connectors = `/api/tributary/clients/${clientId}/connectors`
  const settings = {
    'uniconta.username': source.username,
    'uniconta.password': source.password,
    'uniconta.address': source.url,
  }
  const properties = Object.entries(settings).map(([name, value]) => ({ name, value }))
  const connector = await post(connectors, { type: 'uniconta', name: cut.connectorName, properties }, admin)
  const connectorId = String(connector['Id'])
  const licences = (unicontaSource.bundles ?? []).flatMap(({ id, base }) => (base ? [] : [id]))
  await post(`${connectors}/${connectorId}/licences`, { licences }, superadmin)
  const run = await post(`${connectors}/${connectorId}/process`, {}, admin)
  return { connectorId, runId: String(run['RunId']) }
}

async function signIn(emailAddress: string): Promise<string> {
  return (await openSession(address, { emailAddress, password: trialPassword })).token
}

async function post(path: string, body: object, token?: string): Promise<Readonly<Record<string, unknown>>> {
  const reply = await fetch(`${address}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token !== undefined && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify(body),
  })
  const text = await reply.text()
  if (!reply.ok) throw new Error(`${path} returned ${reply.status}: ${text}`)
  return (text === '' ? {} : JSON.parse(text)) as Readonly<Record<string, unknown>>
}

/** Returns the name of the warehouse's database. */
async function untilLedgerIsCut(): Promise<string> {
  for (;;) {
    await sleep(200)
    const [found] = await query<{ name: string }>(
      store(),
      `SELECT database_name AS name FROM warehouse WHERE organisation_id = '${clientId}'`,
    )
    if (found === undefined) continue
    const [state] = await query<{ isCut: boolean }>(
      { ...store(), database: found.name },
      `SELECT finished_run IS NULL AND refresh IS NOT NULL AS "isCut" FROM ${cut.schema}.tributary_state WHERE stream = '${cut.cutStream}'`,
    ).catch(() => [])
    if (state?.isCut === true) return found.name
  }
}

/** Stops the database, drops what the archive does not need, and returns what had been committed. */
async function closeDatabase(): Promise<Pick<cut.CutRun, 'finishedStreams' | 'committedBefore'>> {
  const [wal] = await query<{ name: string }>(store(), 'SELECT pg_walfile_name(pg_current_wal_lsn()) AS name')
  process.kill(Number.parseInt(readFileSync(postmasterFile(), 'utf8'), 10), 'SIGINT')
  while (existsSync(postmasterFile())) await sleep(100)
  const walFolder = join(home, 'postgres', 'pg_wal')
  // Segments that were recycled for later hold nothing but old bytes.
  for (const file of readdirSync(walFolder))
    if (file > (wal?.name ?? '') && /^[0-9A-F]{24}$/u.test(file)) rmSync(join(walFolder, file))
  const module = join(folder, 'server/src/platform/embedded/supervisor.ts')
  const { startEmbedded } = (await import(module)) as { readonly startEmbedded: StartEmbedded }
  const { superuser, stop } = await startEmbedded(home, ['wal_recycle=off', 'autovacuum=off'])
  const inWarehouse = { ...superuser, database: warehouse }
  const finished = await query<{ stream: string }>(
    inWarehouse,
    `SELECT stream FROM ${cut.schema}.tributary_state WHERE finished_run = '${started.runId}' AND checkpoint IS NOT NULL ORDER BY stream`,
  )
  const [state] = await query<{ companies: string }>(
    inWarehouse,
    `SELECT refresh->'checkpoint'->>'companies' AS companies FROM ${cut.schema}.tributary_state WHERE stream = '${cut.cutStream}'`,
  )
  const companies = JSON.parse(state?.companies ?? '') as readonly (readonly [string, { readonly from: string }])[]
  // A trial creates its sample shop whenever it is missing.
  for (const text of ['DROP DATABASE shop', 'SELECT pg_switch_wal()', 'CHECKPOINT']) await query(superuser, text)
  await stop()
  return {
    finishedStreams: finished.map(({ stream }) => stream),
    committedBefore: Object.fromEntries(companies.map(([id, { from }]) => [id, from])),
  }
}

/** The database of the running release, as its superuser. */
function store(): ClientConfig {
  const [, , , databasePort, host = ''] = readFileSync(postmasterFile(), 'utf8').split('\n')
  return { host, port: Number(databasePort), user: 'postgres', database: 'tributary' }
}

async function query<Row extends object>(connection: ClientConfig, text: string): Promise<Row[]> {
  const client = new Client(connection)
  await client.connect()
  try {
    return (await client.query<Row>(text)).rows
  } finally {
    await client.end()
  }
}

function postmasterFile(): string {
  return join(home, 'postgres', 'postmaster.pid')
}

/** The databases of a cluster repeat the same catalogues, so the window must span them all. */
function compress(): void {
  rmSync(join(home, 'postgres.log'))
  const tar = execFileSync('tar', ['-cf', '-', '--sort=name', '-C', home, '.'], { maxBuffer: 2 ** 30 })
  const {
    ZSTD_c_compressionLevel: level,
    ZSTD_c_windowLog: window,
    ZSTD_c_enableLongDistanceMatching: long,
  } = constants
  writeFileSync(cut.archiveFile, zstdCompressSync(tar, { params: { [level]: 19, [window]: 27, [long]: 1 } }))
}
