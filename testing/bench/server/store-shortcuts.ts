/**
 * What two shortcuts of the store bring: prepared statements, and columns that the driver names. One server runs
 * without each shortcut, all on one database. The servers answer in turn, and each slice is compared with the adjacent
 * slice of the complete server. The unit is CPU time of server and PostgreSQL, which other work on the machine disturbs
 * least. Linux only. Run: node testing/bench/server/store-shortcuts.ts [rounds] [seconds a slice]
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { Agent } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { startEmbedded } from '../../../server/src/kernel/embedded/supervisor.ts'
import { migrate } from '../../../server/src/kernel/migrations/migrate.ts'
import { seedPeople, trialOrganisations, trialPassword } from '../../../server/src/trial/people.ts'
import { findFreePort } from '../../databases/free-port.ts'
import { openProcessServices } from '../../server/processes/process-services.ts'
import type { ServerSettings } from '../../server/processes/server-process.ts'
import { median } from '../measure.ts'
import { call, quantile } from './client.ts'

const rounds = Number(process.argv[2] ?? 12)
const seconds = Number(process.argv[3] ?? 1.5)
const connections = 8
const warmUpSeconds = 6
const people = 200
/** Linux's resolution of CPU time. */
const tickMs = 10
/** The complete server twice, so that the control shows the noise of the machine. */
const shortcuts = ['', 'nothing (control)', 'prepared statements', 'named columns']
const paths = { 'list of 200 rows': '/api/users', 'one object': '/api/me/security' }
type BenchWorkload = keyof typeof paths

interface BenchApiServer {
  readonly child: ChildProcess
  readonly port: number
  readonly token: string
}

const home = mkdtempSync(join(tmpdir(), 'tributary-bench-'))
const embedded = await startEmbedded(home)
const place = {
  connection: embedded.store,
  warehouse: { admin: embedded.superuser, ...embedded.warehouse },
  masterKey: randomBytes(32).toString('base64'),
  allowHosts: [],
}
await seed()
const agent = new Agent({ keepAlive: true, maxSockets: connections })
const servers = new Map<string, BenchApiServer>()
for (const without of shortcuts) servers.set(without, await startServer(without))

for (const workload of Object.keys(paths) as BenchWorkload[]) {
  for (const without of shortcuts) await load(workload, without, warmUpSeconds)
  console.log(
    `\n## ${workload}: CPU time of a request without a shortcut, against that with all (medians of ${rounds} pairs)\n`,
  )
  console.log('| Without | With all, ms | Ratio | Middle half of the pairs |\n|---|---|---|---|')
  for (const without of shortcuts.slice(1)) console.log(await compare(workload, without))
}

agent.destroy()
for (const { child } of servers.values()) child.kill('SIGTERM')
await embedded.stop()
rmSync(home, { recursive: true, force: true })

async function seed(): Promise<void> {
  await migrate(embedded.store)
  const services = await openProcessServices(place)
  await services.serverKeys.prepare()
  await seedPeople(services.store, services.passwords)
  const client = new pg.Client({ ...embedded.store, options: '-c tributary.organisation=*' })
  await client.connect()
  await client.query(
    `WITH person AS (
       INSERT INTO portal_user (first_name, last_name, email_address)
       SELECT 'First ' || n, 'Last ' || n, 'person' || n || '@demo.example' FROM generate_series(1, $1::int) n RETURNING id
     ) INSERT INTO membership (organisation_id, user_id, role_id) SELECT $2, person.id, role.id FROM person, role WHERE role.name = 'guest'`,
    [people, trialOrganisations[0].id],
  )
  await client.query('ANALYZE')
  await client.end()
  await services.queue.close()
  await services.store.close()
}

async function startServer(without: string): Promise<BenchApiServer> {
  const port = await findFreePort()
  const program = join(import.meta.dirname, '../../server/processes/server-process.ts')
  const hooks = join(import.meta.dirname, 'store-shortcuts/replace-module.ts')
  const argument = JSON.stringify({ ...place, port } satisfies ServerSettings)
  const child = spawn(process.execPath, ['--import', hooks, program, argument], {
    env: { ...process.env, TRIBUTARY_BENCH_WITHOUT: without },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(child.stdout, 'data')
  const body = { emailAddress: 'admin@demo.example', password: trialPassword }
  const { text } = await call(agent, port, { method: 'POST', path: '/api/auth/signin', body })
  return { child, port, token: (JSON.parse(text) as { accessToken: string }).accessToken }
}

/** CPU time per request in milliseconds. */
async function load(workload: BenchWorkload, without: string, lasting: number): Promise<number> {
  const server = servers.get(without)
  if (server === undefined) throw new Error(`There is no server without ${without}.`)
  const { child, port, token } = server
  const before = cpuTimes(child)
  const since = performance.now()
  let answered = 0
  const one = async () => {
    while (performance.now() < since + lasting * 1_000) {
      const { status } = await call(agent, port, { path: paths[workload], token })
      if (status !== 200) throw new Error(`The server answered ${status}.`)
      answered += 1
    }
  }
  await Promise.all(Array.from({ length: connections }, one))
  const spent = [...cpuTimes(child)].map(([pid, ms]) => ms - (before.get(pid) ?? 0))
  return spent.reduce((sum, ms) => sum + ms, 0) / answered
}

/** CPU time of the server and of every PostgreSQL process. */
function cpuTimes({ pid }: ChildProcess): Map<string, number> {
  const [postmaster = ''] = readFileSync(join(home, 'postgres/postmaster.pid'), 'utf8').split('\n')
  const times = readdirSync('/proc').flatMap((name): (readonly [string, number])[] => {
    const [, parent, user, system] = /^\d+ \(.*\) \S+ (\d+) (?:\S+ ){9}(\d+) (\d+) /u.exec(readStat(name)) ?? []
    const isOurs = name === String(pid) || name === postmaster || parent === postmaster
    return isOurs ? [[name, (Number(user) + Number(system)) * tickMs]] : []
  })
  return new Map(times)
}

/** Returns an empty string if the entry is not a process, or has ended. */
function readStat(name: string): string {
  try {
    return readFileSync(`/proc/${name}/stat`, 'utf8')
  } catch {
    return ''
  }
}

/** Returns a row of the table. The order within a pair alternates, so that drift affects both alike. */
async function compare(workload: BenchWorkload, without: string): Promise<string> {
  const pairs: { readonly all: number; readonly ratio: number }[] = []
  for (let round = 0; round < rounds; round += 1) {
    const order = round % 2 === 0 ? ['', without] : [without, '']
    const spent = new Map<string, number>()
    for (const each of order) spent.set(each, await load(workload, each, seconds))
    const all = spent.get('') ?? Number.NaN
    pairs.push({ all, ratio: (spent.get(without) ?? Number.NaN) / all })
  }
  const ratios = pairs.map(({ ratio }) => ratio)
  const range = [quantile(ratios, 0.25), quantile(ratios, 0.75)].map((ratio) => ratio.toFixed(2)).join(' to ')
  return `| ${without} | ${median(pairs.map(({ all }) => all)).toFixed(2)} | **${median(ratios).toFixed(2)}** | ${range} |`
}
