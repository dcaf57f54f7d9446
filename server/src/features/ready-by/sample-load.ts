/** Samples how many runs are executed at once that no promise has started: those by schedules and by hand. */
import { sql } from 'kysely'
import { isSyncRun } from '../../connections/verifications/verification-runs.ts'
import type { Db } from '../../kernel/store/store.ts'

/** The quarters of an hour of a week. */
export const quartersOfWeek = 672

const quarterSeconds = 900

/** One worker samples in a minute; a poll between two samples reads one row. */
export async function sampleLoad(db: Db): Promise<void> {
  const began = sql`floor(extract(epoch FROM now()) / ${quarterSeconds})`
  const quarter = sql`(${began}::bigint % ${quartersOfWeek})::smallint`
  const { rows } =
    await sql`SELECT FROM runLoad WHERE quarter = ${quarter} AND sampledAt > now() - interval '55 seconds'`.execute(db)
  if (rows.length > 0) return
  await sql`
    INSERT INTO runLoad AS load (quarter, runs, weeks, beganAt, sampled, samples, sampledAt)
    SELECT ${quarter}, 0, 0, to_timestamp(${began} * ${quarterSeconds}), count(*), 1, now() FROM run
      WHERE run.status = 'RUNNING' AND ${isSyncRun}
        AND NOT EXISTS (SELECT FROM readyByPlan AS plan WHERE plan.connectorId = run.connectorId AND plan.runId = run.id)
    ON CONFLICT (quarter) DO UPDATE SET
      runs = CASE WHEN load.beganAt = excluded.beganAt THEN load.runs ELSE ${usualRuns} END,
      weeks = CASE WHEN load.beganAt = excluded.beganAt THEN load.weeks ELSE load.weeks + 1 END,
      sampled = CASE WHEN load.beganAt = excluded.beganAt THEN load.sampled ELSE 0 END + excluded.sampled,
      samples = CASE WHEN load.beganAt = excluded.beganAt THEN load.samples ELSE 0 END + 1,
      beganAt = excluded.beganAt, sampledAt = now()
    WHERE load.sampledAt <= now() - interval '55 seconds'`.execute(db)
}

/** Of a row of `run_load`: the samples of the latest week count as much as all weeks before. */
const usualRuns = sql`CASE WHEN load.weeks = 0 THEN load.sampled / load.samples ELSE (load.runs + load.sampled / load.samples) / 2 END`

/** By quarter of the week. A quarter without samples is like the same one of the other days. */
export async function readUsualLoad(db: Db): Promise<readonly number[]> {
  const { rows } = await sql<{ readonly quarter: number; readonly runs: number }>`
    SELECT quarter, ${usualRuns} AS runs FROM runLoad AS load`.execute(db)
  const known = new Map(rows.map(({ quarter, runs }) => [quarter, runs]))
  return Array.from({ length: quartersOfWeek }, (_, quarter) => known.get(quarter) ?? averageOfDays(known, quarter))
}

const quartersOfDay = 96

function averageOfDays(known: ReadonlyMap<number, number>, quarter: number): number {
  const days = Array.from({ length: 7 }, (_, day) => known.get((quarter + day * quartersOfDay) % quartersOfWeek))
  const runs = days.filter((one) => one !== undefined)
  return runs.length === 0 ? 0 : runs.reduce((sum, one) => sum + one, 0) / runs.length
}
