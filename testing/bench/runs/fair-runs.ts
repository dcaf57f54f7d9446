/**
 * Fairness between organisations: how long runs of 1,000 organisations wait, with and without an organisation whose 500 connectors are
 * always due. The store, its queue and the claims are real. Only the runs are simulated: each holds its memory for a random time.
 * Run: node testing/bench/runs/fair-runs.ts [--runs=3000]
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { startEmbedded } from '../../../server/src/kernel/embedded/supervisor.ts'
import { migrate } from '../../../server/src/kernel/migrations/migrate.ts'
import { openStore } from '../../../server/src/kernel/store/store.ts'
import { quantile } from '../server/client.ts'
import { readOption } from '../measure.ts'
import { simulate, type SimulatedLoad, type WaitingTimes } from './simulate-workers.ts'

const organisations = 1_000
const connectorsEach = 2
const connectorsOfLarge = 500
const runs = readOption('runs', 3_000)
const workers = 4
const runsOfWorker = 8
const meanSeconds = 60
/** The load of the 1,000 organisations alone, as a part of what the workers can execute. */
const loads = [0.9, 0.8]

const home = mkdtempSync(join(tmpdir(), 'tributary-bench-'))
const embedded = await startEmbedded(home)
await migrate(embedded.store)
// The simulation is about the order, not about a disk.
const connection = { ...embedded.store, options: '-c timezone=UTC -c synchronous_commit=off' }
const store = openStore({ connection, onError: (error) => console.error(error) })
const admin = new pg.Client({ ...embedded.store, options: '-c tributary.organisation=*' })
await admin.connect()
await admin.query(
  `WITH organisation AS (INSERT INTO organisation (company_name, key, time_zone)
     SELECT 'Company ' || n, 'company-' || n, 'UTC' FROM generate_series(0, $1::int) n RETURNING id, key)
   INSERT INTO connector (organisation_id, key, type, name, original_name, status)
   SELECT id, 'c-' || n, 'postgres', 'C ' || n, 'C ' || n, 'CONNECTED'
   FROM organisation, generate_series(1, CASE key WHEN 'company-0' THEN $2::int ELSE $3::int END) n`,
  [organisations, connectorsOfLarge, connectorsEach],
)
await admin.query('ANALYZE')
const { rows: connectors } = await admin.query<{ id: string; organisation: string; is_large: boolean }>(
  `SELECT connector.id, organisation_id AS organisation, organisation.key = 'company-0' AS is_large
   FROM connector JOIN organisation ON organisation.id = organisation_id ORDER BY connector.id`,
)
const idsOf = (isLarge: boolean) => connectors.filter((one) => one.is_large === isLarge).map(({ id }) => id)

/** The share of the organisation with 500 connectors; null: it has no run due. */
async function waits(load: number, shareOfLarge: number | null): Promise<WaitingTimes> {
  await admin.query('DELETE FROM run; DELETE FROM run_queue; DELETE FROM run_need; DELETE FROM run_share')
  if (shareOfLarge !== null)
    await admin.query(
      `INSERT INTO run_share (organisation_id, runs_max, weight) SELECT id, $1, 1 FROM organisation WHERE key = 'company-0'`,
      [shareOfLarge],
    )
  const capacity = workers * runsOfWorker
  const offered: SimulatedLoad = {
    connectorIds: idsOf(false),
    runs,
    secondsBetween: meanSeconds / (load * capacity),
    alwaysDue: shareOfLarge === null ? [] : idsOf(true),
    meanSeconds,
    memoryMb: 100,
  }
  return simulate(store, offered, { workers, memoryMb: runsOfWorker * 128 })
}

console.log(
  `\n## Seconds that ${runs.toLocaleString('en')} runs of ${organisations.toLocaleString('en')} organisations wait\n`,
)
console.log(
  '| Load of the 1,000 organisations | Share of the one with 500 connectors | p50 | p99 | p99, ratio | Its runs |\n|---|---|---|---|---|---|',
)
for (const load of loads) {
  const alone = await waits(load, null)
  print(load, 'not there', alone, alone)
  for (const share of [2, 100]) print(load, String(share), await waits(load, share), alone)
}

function print(load: number, share: string, { others, ofLarge }: WaitingTimes, alone: WaitingTimes): void {
  const ratio = quantile(others, 0.99) / quantile(alone.others, 0.99)
  const figures = [quantile(others, 0.5).toFixed(1), quantile(others, 0.99).toFixed(1), ratio.toFixed(2), ofLarge]
  console.log(`| ${load} | ${share} | ${figures.join(' | ')} |`)
}

await admin.end()
await store.close()
await embedded.stop()
rmSync(home, { recursive: true, force: true })
