/**
 * The scheduler with 10,000 connectors that are all due at the same time, every quarter of an hour: the time until each
 * has its run. Run: node testing/bench/server/scheduler.ts [--rows=10000]
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { readConfig } from '../../../server/src/kernel/config/config.ts'
import { fireDue } from '../../../server/src/features/runs/scheduling/fire-schedules.ts'
import { startEmbedded } from '../../../server/src/kernel/embedded/supervisor.ts'
import { openLog } from '../../../server/src/kernel/log/log.ts'
import { migrate } from '../../../server/src/kernel/migrations/migrate.ts'
import { openQueue } from '../../../server/src/kernel/queue/queue.ts'
import { runChannel } from '../../../server/src/connections/connectors/start-run.ts'
import { openStore } from '../../../server/src/kernel/store/store.ts'
import { quantile } from './client.ts'
import { median, readRowsOption } from '../measure.ts'

const connectors = readRowsOption(10_000)
const rounds = 5
/** The scheduler's polling interval. A fire waits for half of it on average, and for all of it at worst. */
const lookSeconds = 1

const home = mkdtempSync(join(tmpdir(), 'tributary-bench-'))
const embedded = await startEmbedded(home)
await migrate(embedded.store)
const log = openLog(readConfig({}).config.logLevel)
const queue = await openQueue({
  connection: embedded.store,
  channels: [runChannel],
  onError: (error) => console.error(error),
})
const store = openStore({ connection: embedded.store, onError: (error) => console.error(error) })
const plain = new pg.Client({ ...embedded.store, options: '-c tributary.organisation=*' })
await plain.connect()
await plain.query(
  `INSERT INTO organisation (company_name, key, time_zone) SELECT 'Company ' || n, 'company-' || n, (ARRAY['UTC', 'Europe/London', 'Pacific/Auckland'])[n % 3 + 1]
   FROM generate_series(1, $1::int / 10) n`,
  [connectors],
)
await plain.query(
  `INSERT INTO connector (organisation_id, key, type, name, original_name, schedule) SELECT id, 'c-' || n, 'postgres', 'C ' || n, 'C ' || n, '*/15 * * * *'
   FROM organisation, generate_series(1, 10) n`,
)
await plain.query('ANALYZE')

/** Makes every connector due, and returns the seconds until each has its run, by the commits of the scheduler. */
async function fireAll(): Promise<readonly number[]> {
  await plain.query(
    `UPDATE run SET status = 'COMPLETED'; DELETE FROM tributary_queue.job; UPDATE connector SET next_run_at = now()`,
  )
  const since = performance.now()
  const after: number[] = []
  for (;;) {
    // Across organisations, because the scheduler serves all of them.
    const fired = await store.across((db) => fireDue(db, { log, queue }))
    if (fired === 0) return after
    after.push(...Array.from<number>({ length: fired }).fill((performance.now() - since) / 1_000))
  }
}

const results: (readonly number[])[] = []
for (let round = 0; round < rounds; round++) results.push(await fireAll())
const { rows } = await plain.query<{ runs: number }>(`SELECT count(*)::int AS runs FROM run`)
if (rows[0]?.runs !== connectors * rounds)
  throw new Error(`${rows[0]?.runs} runs where ${connectors * rounds} were due.`)
const of = (part: number) => median(results.map((after) => quantile(after, part)))
const seconds = of(1)
console.log(`\n## ${connectors.toLocaleString('en')} connectors due at once, one scheduler (median of ${rounds})\n`)
console.log(`| fires/s | p50 s | p99 s | last s |\n|---|---|---|---|`)
console.log(
  `| ${Math.round(connectors / seconds).toLocaleString('en')} | ${of(0.5).toFixed(2)} | ${of(0.99).toFixed(2)} | ${seconds.toFixed(2)} |`,
)
console.log(`\nIn addition, each waits until the scheduler polls: 0 to ${lookSeconds} s.`)
console.log(
  `At this rate 1,000,000 due at once take ${((1_000_000 * seconds) / connectors).toFixed(0)} s; spread over the quarter they are 1,111 a second.`,
)

await plain.end()
await store.close()
await queue.close()
await embedded.stop()
rmSync(home, { recursive: true, force: true })
