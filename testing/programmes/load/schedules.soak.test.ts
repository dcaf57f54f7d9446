/** Two schedulers and a test clock: every fire happens exactly once, despite daylight saving changes and kills. */
import { createRandom } from '@tributary/sims/random'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { until } from '../../server/connectors/run-driver.ts'
import { type SpawnedWorker, spawnWorker } from '../../server/processes/spawn-worker.ts'
import { testApp, type TestApp } from '../../server/app/test-app.ts'
import { expectedFires } from './expected-fires.ts'
import { isFull, seed, printFigure } from '../extent.ts'

const connectors = isFull ? 10_000 : 1_000
const hours = isFull ? 8 : 4
/** Three of the eight schedules are of a kind that a daylight saving change can lose or duplicate. */
const schedules = [
  '*/15 * * * *',
  '*/15 * * * *',
  '*/15 * * * *',
  '*/15 * * * *',
  '30 1 * * *',
  '15 2 * * *',
  '*/10 2 * * *',
  '0 6 * * 1-5',
]
const zones = ['Europe/London', 'America/New_York', 'Pacific/Auckland', 'Australia/Lord_Howe', 'UTC']
const windows = [
  { what: 'London goes forward', from: '2027-03-27T22:00:00Z' },
  { what: 'London goes back', from: '2027-10-30T22:00:00Z' },
  { what: 'New York goes forward', from: '2027-03-14T04:00:00Z' },
  { what: 'Lord Howe and Auckland go back', from: '2027-04-03T11:00:00Z' },
].slice(0, isFull ? 4 : 2)
const stepMs = 5 * 60_000
const killsOfWindow = isFull ? 20 : 2

const random = createRandom(seed)
let app: TestApp
let sql: Client
let schedulers: SpawnedWorker[]
let fired = 0
let kills = 0

beforeAll(async () => {
  app = await testApp()
  sql = new Client({ ...inject('postgres'), database: app.connection.database ?? '' })
  await sql.connect()
  await sql.query(movableClockSql(app.connection.database ?? ''))
  // The index would prevent the second run at the same time that the test looks for.
  await sql.query('DROP INDEX run_open')
  await sql.query('UPDATE connector SET next_run_at = NULL; SET search_path = clock, pg_catalog, public')
  await sql.query(
    `INSERT INTO organisation (company_name, key, time_zone) SELECT 'Zone ' || zone, lower(replace(zone, '/', '-')), zone FROM unnest($1::text[]) AS zone`,
    [zones],
  )
  await sql.query(
    `INSERT INTO connector (organisation_id, key, type, name, original_name, schedule)
     SELECT organisation.id, 'timed-' || n, 'postgres', 'Timed ' || n, 'Timed', ($2::text[])[n % cardinality($2::text[]) + 1]
     FROM organisation, generate_series(1, $1::int) n WHERE time_zone = ($3::text[])[n % cardinality($3::text[]) + 1] AND company_name LIKE 'Zone %'`,
    [connectors, schedules, zones],
  )
  schedulers = await Promise.all([spawn(), spawn()])
})
afterAll(async () => {
  await Promise.all(schedulers.map((one) => one.kill('SIGKILL')))
  await sql.end()
  await app[Symbol.asyncDispose]()
  const span = `${connectors} connectors, ${windows.length * hours} hours, ${kills} kills of a scheduler`
  printFigure(`${fired} fires of 2 schedulers (${span}): each exactly once, none lost, none duplicated`)
})

test.each(windows)(
  `while $what, two schedulers with occasional kills fire each schedule exactly once (seed ${seed})`,
  async ({ from }) => {
    const start = Date.parse(from)
    const end = start + hours * 3_600_000
    await begin(start, end)
    const ticks = (end - start) / stepMs
    const killed = new Set(Array.from({ length: killsOfWindow }, () => random.between(0, ticks - 1)))
    for (let tick = 0; tick < ticks; tick += 1) await step(start + tick * stepMs, killed.has(tick))
  },
  3_600_000,
)

/** Sets the connectors to the state after a fire just before `start`, and stores the expected fires. */
async function begin(start: number, end: number): Promise<void> {
  await sql.query(
    'DELETE FROM run; DELETE FROM tributary_queue.job; CREATE TABLE IF NOT EXISTS expected (schedule text, zone text, at timestamptz); TRUNCATE expected',
  )
  for (const zone of zones) {
    for (const schedule of new Set(schedules)) {
      const fires = [...expectedFires({ schedule, zone }, start, end)].map((at) => new Date(at).toISOString())
      await sql.query('INSERT INTO expected SELECT $1, $2, at FROM unnest($3::timestamptz[]) AS at', [
        schedule,
        zone,
        fires,
      ])
    }
  }
  // The test sets the first time; the schedulers set all others.
  await sql.query(
    `UPDATE connector SET next_run_at = (SELECT min(at) FROM expected e WHERE e.schedule = connector.schedule AND e.zone = organisation.time_zone)
     FROM organisation WHERE organisation.id = organisation_id AND connector.key LIKE 'timed-%'`,
  )
}

/** Advances the clock and compares the fires with the expected ones. A kill hits a scheduler while it fires. */
async function step(at: number, isKilled: boolean): Promise<void> {
  await sql.query('UPDATE clock.time SET at = $1', [new Date(at).toISOString()])
  if (isKilled) await killOne()
  await until(countDue, (due) => due === 0, 60_000)
  const { rows } = await sql.query<{ expected: number; fired: number; different: number }>(
    `WITH wanted AS (SELECT connector.id FROM connector JOIN organisation ON organisation.id = organisation_id
       JOIN expected e ON e.schedule = connector.schedule AND e.zone = time_zone AND e.at = clock.now() WHERE connector.key LIKE 'timed-%'),
     came AS (SELECT connector_id AS id FROM run)
     SELECT (SELECT count(*) FROM wanted)::int AS expected, (SELECT count(*) FROM came)::int AS fired,
       (SELECT count(*) FROM ((SELECT id FROM wanted EXCEPT ALL SELECT id FROM came) UNION ALL (SELECT id FROM came EXCEPT ALL SELECT id FROM wanted)) x)::int AS different`,
  )
  const [seen] = rows
  expect({ at: new Date(at).toISOString(), ...seen, different: 0 }).toEqual({ at: new Date(at).toISOString(), ...seen })
  fired += seen?.fired ?? 0
  await sql.query('DELETE FROM run; DELETE FROM tributary_queue.job')
}

async function countDue(): Promise<number> {
  const { rows } = await sql.query<{ due: number }>(
    'SELECT count(*)::int AS due FROM connector WHERE next_run_at <= clock.now()',
  )
  return rows[0]?.due ?? 0
}

async function killOne(): Promise<void> {
  const at = random.between(0, 1)
  await schedulers[at]?.kill('SIGKILL')
  schedulers[at] = await spawn()
  kills += 1
}

function spawn(): Promise<SpawnedWorker> {
  return spawnWorker({
    connection: app.connection,
    warehouse: app.services.warehouse,
    masterKey: Buffer.alloc(32).toString('base64'),
    allowHosts: [],
    options: { pollMs: 20 },
    only: 'schedules',
  })
}

/** Replaces the database's clock, the only one that schedules use, by the time in a table. */
function movableClockSql(database: string): string {
  return `CREATE SCHEMA clock;
    CREATE TABLE clock.time (at timestamptz NOT NULL); INSERT INTO clock.time VALUES ('2027-01-01');
    CREATE FUNCTION clock.now() RETURNS timestamptz LANGUAGE sql STABLE AS 'SELECT at FROM clock.time';
    GRANT USAGE ON SCHEMA clock TO PUBLIC; GRANT SELECT ON clock.time TO PUBLIC;
    ALTER DATABASE ${database} SET search_path = clock, pg_catalog, public`
}
