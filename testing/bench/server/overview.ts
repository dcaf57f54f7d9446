/**
 * Home's overview of 1,000 connectors, and the provider's view of 200 organisations with 1,990 connectors, one call
 * after the other. Every connector has 30 days of runs: one a day, then one an hour. Run:
 * node testing/bench/server/overview.ts [calls]
 */
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
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

const calls = Number(process.argv[2] ?? 30)
const connectors = 1_000
const otherOrganisations = 198
const days = 30
const organisationId = trialOrganisations[0].id
const pages = [
  { name: 'Home', path: `/api/tributary/clients/${organisationId}/overview`, person: 'admin@demo.example' },
  { name: 'Dashboard', path: '/api/tributary/insights/organisations', person: 'superadmin@demo.example' },
]

const home = mkdtempSync(join(tmpdir(), 'tributary-bench-'))
const embedded = await startEmbedded(home)
const place = {
  connection: embedded.store,
  warehouse: { admin: embedded.superuser, ...embedded.warehouse },
  masterKey: randomBytes(32).toString('base64'),
  allowHosts: [],
}
await seedTrialPeople()
const client = new pg.Client({ ...embedded.store, options: '-c tributary.organisation=*' })
await client.connect()
await addConnectors()

const port = await findFreePort()
const program = join(import.meta.dirname, '../../server/processes/server-process.ts')
const server = spawn(process.execPath, [program, JSON.stringify({ ...place, port } satisfies ServerSettings)], {
  stdio: ['ignore', 'pipe', 'inherit'],
})
await once(server.stdout, 'data')
const agent = new Agent({ keepAlive: true, maxSockets: 1 })

console.log('| Page | Runs | p50 ms | p95 ms | KB |\n|---|---|---|---|---|')
for (const hours of [24, 1]) {
  const runs = await replaceRuns(hours)
  for (const page of pages) console.log(`| ${page.name} | ${runs.toLocaleString('en')} | ${await time(page)} |`)
}

agent.destroy()
server.kill('SIGTERM')
await client.end()
await embedded.stop()
rmSync(home, { recursive: true, force: true })

async function seedTrialPeople(): Promise<void> {
  await migrate(embedded.store)
  const services = await openProcessServices(place)
  await services.serverKeys.prepare()
  await seedPeople(services.store, services.passwords)
  await services.queue.close()
  await services.store.close()
}

/** 1,000 in the first organisation, and five in each of the other ones. */
async function addConnectors(): Promise<void> {
  await client.query(
    `INSERT INTO organisation (company_name, key, time_zone)
     SELECT 'Company ' || n, 'company-' || n, (ARRAY['UTC', 'Europe/London', 'Pacific/Auckland'])[n % 3 + 1] FROM generate_series(1, $1::int) n`,
    [otherOrganisations],
  )
  await client.query(
    `INSERT INTO connector (organisation_id, key, type, name, original_name, schedule, status, created_at)
     SELECT organisation.id, 'c-' || n, 'xero', 'Company ' || n, 'Company ' || n, (ARRAY['0 * * * *', '15 6 * * *', '*/30 * * * *'])[n % 3 + 1], 'CONNECTED', now() - interval '90 days'
     FROM organisation, generate_series(1, $1::int) n WHERE organisation.id = $2 OR n <= 5`,
    [connectors, organisationId],
  )
  await client.query(
    `INSERT INTO daily_calls (organisation_id, connector_id, day, calls)
     SELECT organisation_id, id, (now() AT TIME ZONE 'UTC')::date, 1_799 FROM connector`,
  )
}

/** One every so many hours for each connector, every fiftieth failed. Returns their number. */
async function replaceRuns(hours: number): Promise<number> {
  await client.query('TRUNCATE run CASCADE')
  const { rowCount } = await client.query(
    `INSERT INTO run (organisation_id, connector_id, mode, trigger, status, queued_at, started_at, completed_at, rows_written)
     SELECT organisation_id, id, 'incremental', 'schedule', CASE WHEN n % 50 = 7 THEN 'FAILED' ELSE 'COMPLETED' END,
            at, at + interval '1 second', at + interval '1 minute', n
     FROM generate_series($1::int - 1, 0, -1) n, connector, LATERAL (SELECT now() - interval '10 minutes' - n * $2::int * interval '1 hour' AS at) time`,
    [(days * 24) / hours, hours],
  )
  await client.query('VACUUM ANALYZE')
  return rowCount ?? 0
}

/** Median and 95th percentile in milliseconds, and the size of a reply in KB. */
async function time({ path, person }: (typeof pages)[number]): Promise<string> {
  const body = { emailAddress: person, password: trialPassword }
  const { text } = await call(agent, port, { method: 'POST', path: '/api/auth/signin', body })
  const token = (JSON.parse(text) as { accessToken: string }).accessToken
  const times: number[] = []
  let size = 0
  for (let n = -3; n < calls; n += 1) {
    const since = performance.now()
    const reply = await call(agent, port, { path, token })
    if (reply.status !== 200) throw new Error(`The server answered ${reply.status}.`)
    if (n >= 0) times.push(performance.now() - since)
    size = Buffer.byteLength(reply.text)
  }
  const figures = [median(times), quantile(times, 0.95), size / 1024]
  return figures.map((figure) => Math.round(figure).toLocaleString('en')).join(' | ')
}
