/**
 * Home's overview of 1,000 connectors, and the provider's view of 200 organisations with 1,990 connectors, one call
 * after the other. Every connector has 30 days of runs: one a day, then one an hour. Run:
 * node testing/bench/server/overview.ts [calls]
 */
import { trialOrganisations } from '../../../server/src/trial/people.ts'
import { median } from '../measure.ts'
import { quantile } from './client.ts'
import { startMeasuredServer } from './measured-server.ts'

const calls = Number(process.argv[2] ?? 30)
const connectors = 1_000
const otherOrganisations = 198
const days = 30
const organisationId = trialOrganisations[0].id
const pages = [
  { name: 'Home', path: `/api/tributary/clients/${organisationId}/overview`, person: 'admin@demo.example' },
  { name: 'Dashboard', path: '/api/tributary/insights/organisations', person: 'superadmin@demo.example' },
]

const server = await startMeasuredServer()
await addConnectors()

console.log('| Page | Runs | p50 ms | p95 ms | KB |\n|---|---|---|---|---|')
for (const hours of [24, 1]) {
  const runs = await replaceRuns(hours)
  for (const page of pages) console.log(`| ${page.name} | ${runs.toLocaleString('en')} | ${await time(page)} |`)
}

await server.stop()

/** 1,000 in the first organisation, and five in each of the other ones. */
async function addConnectors(): Promise<void> {
  await server.database.query(
    `INSERT INTO organisation (company_name, key, time_zone)
     SELECT 'Company ' || n, 'company-' || n, (ARRAY['UTC', 'Europe/London', 'Pacific/Auckland'])[n % 3 + 1] FROM generate_series(1, $1::int) n`,
    [otherOrganisations],
  )
  await server.database.query(
    `INSERT INTO connector (organisation_id, key, type, name, original_name, schedule, status, created_at)
     SELECT organisation.id, 'c-' || n, 'xero', 'Company ' || n, 'Company ' || n, (ARRAY['0 * * * *', '15 6 * * *', '*/30 * * * *'])[n % 3 + 1], 'CONNECTED', now() - interval '90 days'
     FROM organisation, generate_series(1, $1::int) n WHERE organisation.id = $2 OR n <= 5`,
    [connectors, organisationId],
  )
  await server.database.query(
    `INSERT INTO daily_calls (organisation_id, connector_id, day, calls)
     SELECT organisation_id, id, (now() AT TIME ZONE 'UTC')::date, 1_799 FROM connector`,
  )
}

/** One every so many hours for each connector, every fiftieth failed. Returns their number. */
async function replaceRuns(hours: number): Promise<number> {
  await server.database.query('TRUNCATE run CASCADE')
  const { rowCount } = await server.database.query(
    `INSERT INTO run (organisation_id, connector_id, mode, trigger, status, queued_at, started_at, completed_at, rows_written)
     SELECT organisation_id, id, 'incremental', 'schedule', CASE WHEN n % 50 = 7 THEN 'FAILED' ELSE 'COMPLETED' END,
            at, at + interval '1 second', at + interval '1 minute', n
     FROM generate_series($1::int - 1, 0, -1) n, connector, LATERAL (SELECT now() - interval '10 minutes' - n * $2::int * interval '1 hour' AS at) time`,
    [(days * 24) / hours, hours],
  )
  await server.database.query('VACUUM ANALYZE')
  return rowCount ?? 0
}

/** Median and 95th percentile in milliseconds, and the size of a reply in KB. */
async function time({ path, person }: (typeof pages)[number]): Promise<string> {
  const { times, text } = await server.time(path, await server.signIn(person), calls)
  const figures = [median(times), quantile(times, 0.95), Buffer.byteLength(text) / 1024]
  return figures.map((figure) => Math.round(figure).toLocaleString('en')).join(' | ')
}
