/**
 * A store with a million connectors of 100,000 organisations: the provider's pages by HTTP, the size of the store, and how late
 * schedules fire if they are spread evenly over a quarter of an hour, while a scheduler is killed every minute, and if a minute's share
 * is due at the same moment. Run: node testing/bench/server/million-connectors.ts [--rows=1000000] [--pages]
 * With --pages it ends after the pages, and no schedule fires.
 */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { startEmbedded } from '../../../server/src/kernel/embedded/supervisor.ts'
import { migrate } from '../../../server/src/kernel/migrations/migrate.ts'
import {
  OrganisationSummaries,
  organisationsOfPoll,
} from '../../../server/src/features/insights/summarise-organisations.ts'
import { seedPeople } from '../../../server/src/trial/people.ts'
import { openProcessServices } from '../../server/processes/process-services.ts'
import { generateConnectors } from '../../server/connectors/generate-connectors.ts'
import { readRowsOption } from '../measure.ts'
import { type FirePlan, fireSchedules } from './million-connectors/fire.ts'
import { generateHistory } from './million-connectors/history.ts'
import { type MeasuredConnector, measurePages } from './million-connectors/pages.ts'
import { measureSizes } from './million-connectors/sizes.ts'

const connectors = readRowsOption(1_000_000)
const organisations = connectors / 10
const callsOfPage = 30
const periodSeconds = 900
/** A million connectors in a quarter of an hour. Fewer connectors are due as quickly, for a shorter time. */
const duePerSecond = 1_000_000 / periodSeconds

/** As for a server with 24 GiB. The last one records when each run was committed. */
const settings = ['shared_buffers=6GB', 'max_wal_size=16GB', 'track_commit_timestamp=on']

const home = mkdtempSync(join(tmpdir(), 'tributary-bench-'))
const embedded = await startEmbedded(home, { settings })
const place = {
  connection: embedded.store,
  warehouse: { admin: embedded.superuser, ...embedded.warehouse },
  masterKey: randomBytes(32).toString('base64'),
  allowHosts: [],
}
await migrate(embedded.store)
await seed()
const superuser = new pg.Client({
  ...embedded.superuser,
  database: embedded.store.database ?? '',
  options: '-c tributary.organisation=*',
})
await superuser.connect()

const seconds = await generateConnectors(superuser, { connectors, organisations })
console.log(`\n${connectors.toLocaleString('en')} connectors generated in ${seconds.toFixed(0)} s. Load: ${load()}`)
await generateHistory(superuser)
await printSizes('generated')
await printPages()

if (!process.argv.includes('--pages')) await printSchedules()

await superuser.end()
await embedded.stop()
rmSync(home, { recursive: true, force: true })

/** The people who sign in. */
async function seed(): Promise<void> {
  const services = await openProcessServices(place)
  await services.serverKeys.prepare()
  await seedPeople(services.store, services.passwords)
  await services.queue.close()
  await services.store.close()
}

async function printPages(): Promise<void> {
  await summarise()
  console.log(`\n| Call | p50 ms | p95 ms | KB | Load |\n|---|---|---|---|---|`)
  for (const { name, p50, p95, kilobytes } of await measurePages(place, await chooseConnector(), callsOfPage)) {
    const figures = [p50, p95, kilobytes].map((figure) => Math.round(figure).toLocaleString('en'))
    console.log(`| ${[name, ...figures, load()].join(' | ')} |`)
  }
}

async function chooseConnector(): Promise<MeasuredConnector> {
  const { rows } = await superuser.query<MeasuredConnector>(
    `SELECT organisation_id AS "organisationId", id FROM connector WHERE key LIKE 'c-%' AND type = 'xero' LIMIT 1`,
  )
  const [connector] = rows
  if (connector === undefined) throw new Error('No connector.')
  return connector
}

/** Computes the summary of each organisation once, as a worker does over a quarter of an hour. */
async function summarise(): Promise<void> {
  const services = await openProcessServices(place)
  const summaries = new OrganisationSummaries()
  const since = performance.now()
  for (let summarised = 0; summarised < organisations; summarised += organisationsOfPoll) await summaries.poll(services)
  const spent = (performance.now() - since) / 1_000
  console.log(
    `\nThe summaries of ${organisations.toLocaleString('en')} organisations took ${spent.toFixed(0)} s. Load: ${load()}`,
  )
  await services.queue.close()
  await services.store.close()
}

async function printSchedules(): Promise<void> {
  console.log(
    '\n| Schedules | Schedulers | Kills | Fired | Wrong | p50 s | p99 s | Last s | Load |\n|---|---|---|---|---|---|---|---|---|',
  )
  const spread = { seconds: connectors / duePerSecond, connectors, schedulers: 2, killEverySeconds: 60 }
  await printFired('spread evenly', spread)
  await printSizes('with a run of each connector')
  const minute = { seconds: 0, connectors: Math.ceil(connectors / 15), killEverySeconds: 0 }
  for (const schedulers of [1, 2]) await printFired('a fifteenth at the same moment', { ...minute, schedulers })
}

async function printFired(name: string, plan: FirePlan): Promise<void> {
  const { fired, wrong, kills, p50, p99, max } = await fireSchedules(superuser, place, plan)
  const counts = [plan.schedulers, kills, fired, wrong].map((figure) => figure.toLocaleString('en'))
  console.log(`| ${name} | ${[...counts, ...[p50, p99, max].map((one) => one.toFixed(2)), load()].join(' | ')} |`)
  if (wrong > 0) process.exitCode = 1
}

async function printSizes(name: string): Promise<void> {
  console.log(`\n| Table, ${name} | Rows | MB | of which indexes, MB |\n|---|---|---|---|`)
  for (const { table, rows, bytes, indexBytes } of await measureSizes(superuser)) {
    const figures = [rows, bytes / 1e6, indexBytes / 1e6].map((figure) => Math.round(figure).toLocaleString('en'))
    console.log(`| ${table} | ${figures.join(' | ')} |`)
  }
}

/** Of the machine, over the last minute. */
function load(): string {
  return loadavg()[0]?.toFixed(1) ?? ''
}
