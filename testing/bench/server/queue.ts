/**
 * Compares mechanisms that distribute runs to workers on one PostgreSQL: throughput, wake-up latency, and the load of
 * idle workers. Linux only. Run: node testing/bench/server/queue.ts [runs] [rounds]
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { defaultRunShare } from '../../../server/src/connections/connectors/run-share.ts'
import { startEmbedded } from '../../../server/src/kernel/embedded/supervisor.ts'
import { migrate } from '../../../server/src/kernel/migrations/migrate.ts'
import { openStore } from '../../../server/src/kernel/store/store.ts'
import { median } from '../measure.ts'
import { quantile } from './client.ts'
import { type Mechanism, openBossAlone, openRowsAlone, openWakeUpAndRow, type TakeRun } from './queue-mechanisms.ts'

const runs = Number(process.argv[2] ?? 1_000)
const rounds = Number(process.argv[3] ?? 5)
const machines = 2
const singleRuns = 100
const idleMachines = [1, 8]
const idleSeconds = 20
const jobsOfOneGroup = 60

const home = mkdtempSync(join(tmpdir(), 'tributary-bench-'))
const embedded = await startEmbedded(home)
await migrate(embedded.store)
const store = openStore({ connection: embedded.store, onError: (error) => console.error(error) })
const admin = new pg.Client({ ...embedded.store, options: '-c tributary.organisation=*' })
await admin.connect()
await admin.query(
  `WITH organisation AS (INSERT INTO organisation (company_name, key, time_zone)
     SELECT 'Company ' || n, 'company-' || n, 'UTC' FROM generate_series(1, $1::int) n RETURNING id)
   INSERT INTO connector (organisation_id, key, type, name, original_name, status)
   SELECT id, 'c', 'postgres', 'C', 'C', 'CONNECTED' FROM organisation`,
  [runs],
)
await admin.query('ANALYZE')
const { rows: connectors } = await admin.query<{ id: string }>('SELECT id FROM connector')
const connectorIds = connectors.map(({ id }) => id)

const place = { connection: embedded.store, store }
const mechanisms = [await openWakeUpAndRow(place), await openBossAlone(place), await openRowsAlone(place)]

/** Opens workers on an empty queue and waits until they are idle. */
async function withWorkers<T>(
  { count, mechanism, taken }: { count: number; mechanism: Mechanism; taken: TakeRun },
  work: () => Promise<T>,
): Promise<T> {
  await admin.query('DELETE FROM run; DELETE FROM tributary_queue.job; DELETE FROM bench_queue.job')
  const workers = await Promise.all(Array.from({ length: count }, () => mechanism.open(taken)))
  await sleep(1_500)
  try {
    return await work()
  } finally {
    await Promise.all(workers.map((worker) => worker.close()))
  }
}

/** Runs per second if all are due at once. */
async function throughput(mechanism: Mechanism): Promise<number> {
  const seen = new Set<string>()
  return withWorkers({ count: machines, mechanism, taken: async (id) => void seen.add(id) }, async () => {
    const since = performance.now()
    await mechanism.start(connectorIds)
    while (seen.size < connectorIds.length) {
      if (performance.now() - since > 120_000) throw new Error(`${mechanism.name}: ${seen.size} of ${runs} runs.`)
      await sleep(5)
    }
    return runs / ((performance.now() - since) / 1_000)
  })
}

/** Milliseconds from the start of a run to its claim, one run at a time. */
async function wakeUpTimes(mechanism: Mechanism): Promise<readonly number[]> {
  let claimed = Promise.withResolvers<void>()
  return withWorkers({ count: machines, mechanism, taken: async () => claimed.resolve() }, async () => {
    const times: number[] = []
    for (const id of connectorIds.slice(0, singleRuns)) {
      claimed = Promise.withResolvers<void>()
      const since = performance.now()
      await mechanism.start([id])
      await claimed.promise
      times.push(performance.now() - since)
      await sleep(50 + Math.random() * 50)
    }
    return times
  })
}

/** The load of idle workers per second: transactions, and milliseconds of PostgreSQL's CPU. */
async function idleLoad(mechanism: Mechanism, count: number): Promise<{ transactions: number; cpuMs: number }> {
  return withWorkers({ count, mechanism, taken: async () => undefined }, async () => {
    await sleep(5_000)
    const before = { transactions: await countTransactions(), cpuMs: cpuTimes() }
    await sleep(idleSeconds * 1_000)
    const cpuMs = [...cpuTimes()].reduce((sum, [pid, ms]) => sum + ms - (before.cpuMs.get(pid) ?? 0), 0)
    const transactions = (await countTransactions()) - before.transactions
    return { transactions: transactions / idleSeconds, cpuMs: cpuMs / idleSeconds }
  })
}

async function countTransactions(): Promise<number> {
  const { rows } = await admin.query<{ count: string }>(
    'SELECT xact_commit + xact_rollback AS count FROM pg_stat_database WHERE datname = current_database()',
  )
  return Number(rows[0]?.count)
}

/** CPU time of each PostgreSQL process in milliseconds, with a resolution of 10 ms. */
function cpuTimes(): Map<string, number> {
  const [postmaster = ''] = readFileSync(join(home, 'postgres/postmaster.pid'), 'utf8').split('\n')
  return new Map(
    readdirSync('/proc').flatMap((name): (readonly [string, number])[] => {
      const [, parent, user, system] = /^\d+ \(.*\) \S+ (\d+) (?:\S+ ){9}(\d+) (\d+) /u.exec(readStat(name)) ?? []
      return parent === postmaster ? [[name, (Number(user) + Number(system)) * 10]] : []
    }),
  )
}

/** Returns an empty string if the entry is not a process, or has ended. */
function readStat(name: string): string {
  try {
    return readFileSync(`/proc/${name}/stat`, 'utf8')
  } catch {
    return ''
  }
}

/** The most jobs of one group that pg-boss runs at once if its limit is the product's. */
async function mostOfOneGroup(): Promise<number> {
  const mechanism = await openBossAlone(place, 'one_group')
  let running = 0
  let most = 0
  let left = jobsOfOneGroup
  const allTaken = Promise.withResolvers<void>()
  const taken: TakeRun = async () => {
    running += 1
    most = Math.max(most, running)
    await sleep(20)
    running -= 1
    left -= 1
    if (left === 0) allTaken.resolve()
  }
  await withWorkers({ count: 4, mechanism, taken }, async () => {
    await mechanism.start(Array.from({ length: jobsOfOneGroup }, () => 'one'))
    await allTaken.promise
  })
  await mechanism.close()
  return most
}

console.log(`\n## ${runs} runs for ${machines} workers (medians of ${rounds} rounds)\n`)
console.log('| Mechanism | Runs/s | Wake-up p50, ms | p99, ms |\n|---|---|---|---|')
const rates = new Map<string, number[]>()
for (let round = 0; round < rounds; round += 1)
  for (const mechanism of mechanisms)
    rates.set(mechanism.name, [...(rates.get(mechanism.name) ?? []), await throughput(mechanism)])
for (const mechanism of mechanisms) {
  const times = await wakeUpTimes(mechanism)
  const rate = Math.round(median(rates.get(mechanism.name) ?? []))
  console.log(`| ${mechanism.name} | ${rate} | ${median(times).toFixed(0)} | ${quantile(times, 0.99).toFixed(0)} |`)
}
console.log('\n| Idle workers | Machines | Transactions/s | CPU of PostgreSQL, ms/s |\n|---|---|---|---|')
for (const mechanism of mechanisms)
  for (const count of idleMachines) {
    const { transactions, cpuMs } = await idleLoad(mechanism, count)
    console.log(`| ${mechanism.name} | ${count} | ${transactions.toFixed(1)} | ${cpuMs.toFixed(1)} |`)
  }
console.log(
  `\nOf one group with a limit of ${defaultRunShare.runsMax}, pg-boss ran ${await mostOfOneGroup()} jobs at once.`,
)

for (const mechanism of mechanisms) await mechanism.close()
await store.close()
await admin.end()
await embedded.stop()
rmSync(home, { recursive: true, force: true })
