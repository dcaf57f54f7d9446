/** Fires the schedules of all connectors, spread evenly over a period, by scheduler processes that are killed in between. */
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { type SpawnedWorker, spawnWorker } from '../../../server/processes/spawn-worker.ts'
import type { ProcessSettings } from '../../../server/processes/process-services.ts'

export interface FirePlan {
  /** The period over which the due times are spread. 0: all at the same moment. */
  readonly seconds: number
  /** The connectors that become due. The others wait. */
  readonly connectors: number
  readonly schedulers: number
  /** Seconds between two kills of a scheduler. 0: none is killed. */
  readonly killEverySeconds: number
}

export interface FiredSchedules {
  readonly fired: number
  readonly kills: number
  /** Connectors that were due and have not exactly one run with one job. */
  readonly wrong: number
  /** Seconds from the due time until the run and its job were committed. */
  readonly p50: number
  readonly p99: number
  readonly max: number
}

/** The polling interval of the product's worker. */
const pollMs = 1_000
const leadSeconds = 10
/** Between two counts of those that wait, which read all due times. */
const pauseMs = 5_000
/** Connectors that get their due times in a second, at least: the period begins when all have theirs. */
const preparedPerSecond = [5_000, 1_500, 500]

/** The server must record the times of commits. */
export async function fireSchedules(
  superuser: pg.Client,
  place: ProcessSettings,
  plan: FirePlan,
): Promise<FiredSchedules> {
  await prepare(superuser, plan)
  const spawn = () => spawnWorker({ ...place, options: { pollMs }, only: 'schedules' })
  const schedulers = await Promise.all(Array.from({ length: plan.schedulers }, spawn))
  let kills = 0
  let nextKill = performance.now() + plan.killEverySeconds * 1_000
  for (let waiting = 1; waiting > 0; waiting = await countWaiting(superuser)) {
    await sleep(pauseMs)
    if (plan.killEverySeconds === 0 || performance.now() < nextKill) continue
    await replaceScheduler(schedulers, kills % plan.schedulers, spawn)
    kills += 1
    nextKill = performance.now() + plan.killEverySeconds * 1_000
  }
  await Promise.all(schedulers.map((scheduler) => scheduler.kill('SIGTERM')))
  return { kills, ...(await readFired(superuser)) }
}

/** Tries again with more time if the machine is too busy to set all due times before the first of them. */
async function prepare(superuser: pg.Client, plan: FirePlan): Promise<void> {
  for (const perSecond of preparedPerSecond) {
    if (await spreadDueTimes(superuser, plan, leadSeconds + Math.ceil(plan.connectors / perSecond))) return
  }
  throw new Error('The first schedules were due before all due times were set.')
}

/** The schedules are due a quarter of an hour later again, after the end of the measurement. False if some are due already. */
async function spreadDueTimes(
  superuser: pg.Client,
  { seconds, connectors }: FirePlan,
  inSeconds: number,
): Promise<boolean> {
  await superuser.query(`UPDATE run SET status = 'CANCELLED', completed_at = now() WHERE status IN ('QUEUED', 'RUNNING', 'WAITING');
    TRUNCATE tributary_queue.job; DROP TABLE IF EXISTS bench_due`)
  await superuser.query(
    `CREATE TABLE bench_due AS SELECT id, is_active, now() + $1 * interval '1 second' + (place - 1) * $2 / $3 * interval '1 second' AS at
     FROM (SELECT connector.id, organisation.archived_at IS NULL AS is_active, row_number() OVER (ORDER BY md5(connector.id::text))::float8 AS place
           FROM connector JOIN organisation ON organisation.id = connector.organisation_id WHERE connector.key LIKE 'c-%') AS placed
     WHERE place <= $3`,
    [inSeconds, seconds, connectors],
  )
  await superuser.query(
    `UPDATE connector SET next_run_at = bench_due.at, schedule = floor(extract(minute FROM bench_due.at))::int % 15 || '-59/15 * * * *'
     FROM bench_due WHERE bench_due.id = connector.id`,
  )
  await superuser.query('VACUUM (ANALYZE) connector, run, bench_due')
  await superuser.query('CHECKPOINT')
  const { rows } = await superuser.query<{ is_late: boolean }>(
    'SELECT min(at) < clock_timestamp() AS is_late FROM bench_due',
  )
  return rows[0]?.is_late === false
}

/** Kills a scheduler like a power cut, and starts another one. */
async function replaceScheduler(
  schedulers: SpawnedWorker[],
  place: number,
  spawn: () => Promise<SpawnedWorker>,
): Promise<void> {
  await schedulers[place]?.kill('SIGKILL')
  schedulers[place] = await spawn()
}

/** Those that were due and have not been fired, or whose time is still to come. */
async function countWaiting(superuser: pg.Client): Promise<number> {
  const { rows } = await superuser.query<{ waiting: number }>(
    `SELECT count(*)::int AS waiting FROM (
       SELECT FROM bench_due WHERE is_active AND at > now()
       UNION ALL SELECT FROM bench_due JOIN connector USING (id) WHERE is_active AND connector.next_run_at = bench_due.at AND bench_due.at <= now()
     ) AS open`,
  )
  return rows[0]?.waiting ?? 0
}

async function readFired(superuser: pg.Client): Promise<Omit<FiredSchedules, 'kills'>> {
  await superuser.query('ANALYZE run, tributary_queue.job')
  const { rows } = await superuser.query<Omit<FiredSchedules, 'kills'>>(
    `WITH fired AS (
       SELECT connector_id, count(*) AS runs, sum(jobs) AS jobs, max(extract(epoch FROM pg_xact_commit_timestamp(run.xmin) - at))::float8 AS late
       FROM run JOIN bench_due ON bench_due.id = run.connector_id
       LEFT JOIN (SELECT singleton_key, count(*) AS jobs FROM tributary_queue.job GROUP BY singleton_key) AS queued ON queued.singleton_key = run.id::text
       WHERE run.status = 'QUEUED' GROUP BY connector_id)
     SELECT count(fired.connector_id)::int AS fired,
       count(*) FILTER (WHERE CASE WHEN is_active THEN runs IS DISTINCT FROM 1 OR jobs IS DISTINCT FROM 1 ELSE runs IS NOT NULL END)::int AS wrong,
       percentile_cont(0.5) WITHIN GROUP (ORDER BY late) AS p50, percentile_cont(0.99) WITHIN GROUP (ORDER BY late) AS p99, max(late) AS max
     FROM bench_due LEFT JOIN fired ON fired.connector_id = bench_due.id`,
  )
  const [figures] = rows
  if (figures === undefined) throw new Error('No figures.')
  return figures
}
