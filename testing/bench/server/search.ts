/**
 * The search behind the command palette, in an organisation with 20,000 records: areas, entities, people, and the
 * tables of 250 connectors, with 7,500 runs; and with four times as many. Fails if the 95th percentile of a search among
 * 20,000 exceeds its limit. Run: node testing/bench/server/search.ts [calls]
 */
import { trialOrganisations } from '../../../server/src/trial/people.ts'
import { median } from '../measure.ts'
import { quantile } from './client.ts'
import { startMeasuredServer } from './measured-server.ts'

const calls = Number(process.argv[2] ?? 100)
const limitMs = 100
/** Of each kind: areas, entities, people and tables. */
const sizes = [5_000, 20_000]
const tablesPerConnector = 20
const runsPerConnector = 30
const organisationId = trialOrganisations[0].id

/** What the two letters that begin a search, a common word, a single record and runs find. */
const searches = [
  { kind: 'Two letters', search: 'no' },
  { kind: 'A word of many names', search: 'north' },
  { kind: 'Two words', search: 'quay 123' },
  { kind: 'One record', search: 'north quay 4992' },
  { kind: 'Nothing', search: 'unknown' },
  { kind: 'Failed runs', search: 'failed' },
]
const people = ['admin@demo.example', 'user@demo.example', 'guest@demo.example']

const server = await startMeasuredServer()
console.log('| Records | Search | Person | p50 ms | p95 ms | Hits |\n|---|---|---|---|---|---|')
let present = 0
for (const size of sizes) {
  await addRecords(present + 1, size)
  present = size
  for (const person of people) await measure(size, person)
}

await server.stop()

async function measure(size: number, person: string): Promise<void> {
  const token = await server.signIn(person)
  for (const { kind, search } of searches) {
    const query = new URLSearchParams({ orgId: organisationId, search })
    const { times, text } = await server.time(`/api/search?${query.toString()}`, token, calls)
    const [middle, slow] = [median(times), quantile(times, 0.95)]
    const hits = (JSON.parse(text) as readonly unknown[]).length
    const records = (4 * size).toLocaleString('en')
    console.log(`| ${records} | ${kind} | ${person} | ${middle.toFixed(0)} | ${slow.toFixed(0)} | ${hits} |`)
    if (size === sizes[0] && slow > limitMs) process.exitCode = 1
  }
}

/** Adds the records of these numbers of each kind, and every twentieth number's connector. */
async function addRecords(from: number, to: number): Promise<void> {
  const { database } = server
  const name = `(ARRAY['North', 'South', 'East', 'West'])[n % 4 + 1] || ' ' || (ARRAY['quay', 'dock', 'hall'])[n % 3 + 1] || ' ' || n`
  const numbers = 'generate_series($2::int, $3::int) n'
  const values = [organisationId, from, to]
  for (const kind of ['area', 'entity'])
    await database.query(`INSERT INTO ${kind} (organisation_id, name) SELECT $1, ${name} FROM ${numbers}`, values)
  await database.query(
    `WITH person AS (
       INSERT INTO portal_user (first_name, last_name, email_address)
       SELECT 'Robin', ${name}, 'person' || n || '@demo.example' FROM ${numbers} RETURNING id)
     INSERT INTO membership (organisation_id, user_id, role_id)
     SELECT $1, person.id, role.id FROM person, role WHERE role.name = 'guest'`,
    values,
  )
  await database.query(
    `WITH added AS (
       INSERT INTO connector (organisation_id, key, type, name, original_name, status)
       SELECT $1, 'c-' || n, 'xero', ${name}, ${name}, 'CONNECTED' FROM ${numbers} WHERE n % $4 = 0 RETURNING *),
     stream AS (
       INSERT INTO connector_stream (organisation_id, connector_id, name, table_name, licence, reads)
       SELECT organisation_id, id, 'journal_lines_' || n, 'xero_journal_lines_' || n, 'base', 'since' FROM added, generate_series(1, $4) n),
     assigned AS (
       INSERT INTO connector_user (organisation_id, connector_id, user_id)
       SELECT added.organisation_id, added.id, portal_user.id FROM added, portal_user
       WHERE portal_user.email_address IN ('user@demo.example', 'guest@demo.example'))
     INSERT INTO run (organisation_id, connector_id, mode, trigger, status, queued_at)
     SELECT organisation_id, id, 'incremental', 'schedule', CASE WHEN n % 10 = 7 THEN 'FAILED' ELSE 'COMPLETED' END, now() - n * interval '1 day'
     FROM added, generate_series(1, $5::int) n`,
    [...values, tablesPerConnector, runsPerConnector],
  )
  await database.query('VACUUM ANALYZE')
}
