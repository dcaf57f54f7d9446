/** The runs that no promise starts: those under way, those that workers usually execute at that time of the week, and those by the schedules of an organisation. */
import { sql } from 'kysely'
import type { PromisedRun, ReservedRuns } from '../../connections/ready-by/planned-start.ts'
import { minuteMs } from '../../connections/ready-by/timeline.ts'
import { nextFires } from '../../kernel/cron-schedule.ts'
import type { Db } from '../../kernel/store/store.ts'
import { quartersOfWeek, readUsualLoad } from './sample-load.ts'

interface OtherRunsRequest {
  readonly promises: readonly PromisedRun[]
  readonly concurrentRuns: number
  readonly runsOf: (organisationId: string) => number
  readonly now: number
}

const quarterMinutes = 15

/** Workers serve organisations in a fair order, so other runs never take all of their room from promised ones. */
const largestPart = 0.75

export async function readOtherRunsEverywhere(
  db: Db,
  { promises, concurrentRuns, runsOf, now }: OtherRunsRequest,
): Promise<readonly ReservedRuns[]> {
  if (promises.length === 0) return []
  const from = Math.floor(
    promises.reduce((first, run) => Math.min(first, Math.max(now, run.earliestAt)), Infinity) / minuteMs,
  )
  const to = Math.ceil(promises.reduce((last, run) => Math.max(last, run.dueAt), 0) / minuteMs)
  const span = { from, to, now: Math.floor(now / minuteMs) }
  const mostOthers = Math.max(0, Math.min(concurrentRuns * largestPart, concurrentRuns - 1))
  const ofWorkers = await countOnWorkersEverywhere(db, span)
  const organisationIds = [...new Set(promises.map(({ organisationId }) => organisationId))]
  const ofOrganisations = await countOfOrganisationsEverywhere(db, organisationIds, span)
  return [
    ...toReserved(ofWorkers, { from, most: mostOthers, organisationId: null }),
    // One run of the share is left: the organisation's runs are served in the order of their requests.
    ...[...ofOrganisations].flatMap(([organisationId, runs]) =>
      toReserved(runs, { from, most: runsOf(organisationId) - 1, organisationId }),
    ),
  ]
}

/** In minutes since 1970. */
interface MinuteSpan {
  readonly from: number
  readonly to: number
  readonly now: number
}

type RunsByMinute = Float64Array

function openMinutes({ from, to }: MinuteSpan): RunsByMinute {
  return new Float64Array(Math.max(1, to - from))
}

/** @param start the first minute, since 1970; @param end the one after the last */
function add(
  runs: RunsByMinute,
  { from }: MinuteSpan,
  { start, end, count }: { start: number; end: number; count: number },
) {
  const last = Math.min(runs.length, end - from)
  for (let at = Math.max(0, start - from); at < last; at += 1) runs[at] = (runs[at] ?? 0) + count
}

/** What is under way counts until its expected end; later, and not before the quarter of an hour is over, what is usual. */
async function countOnWorkersEverywhere(db: Db, span: MinuteSpan): Promise<RunsByMinute> {
  const runs = openMinutes(span)
  for (const { minutes, count } of await listUnfinishedEverywhere(db, null))
    add(runs, span, { start: span.now, end: span.now + minutes, count })
  const usual = await readUsualLoad(db)
  for (let start = span.now + quarterMinutes; start < span.to; start += 1) {
    const count = usual[Math.floor(start / quarterMinutes) % quartersOfWeek] ?? 0
    const known = runs[start - span.from] ?? 0
    // Runs that are under way for long are among the usual ones.
    add(runs, span, { start, end: start + 1, count: Math.max(0, count - known) })
  }
  return runs
}

interface UnfinishedRow {
  readonly organisationId: string | null
  /** Until the expected end. */
  readonly minutes: number
  readonly count: number
}

/** @param organisationIds null: of all, together */
async function listUnfinishedEverywhere(
  db: Db,
  organisationIds: readonly string[] | null,
): Promise<readonly UnfinishedRow[]> {
  const organisation = organisationIds === null ? sql`NULL::uuid` : sql`run.organisationId`
  const isWanted =
    organisationIds === null ? sql<boolean>`true` : sql<boolean>`run.organisationId = ANY (${organisationIds}::uuid[])`
  const { rows } = await sql<UnfinishedRow>`
    SELECT ${organisation} AS organisationId, count(*) AS count,
      greatest(1, ceil(extract(epoch FROM coalesce(run.startedAt, now()) - now()) / 60 + coalesce(need.seconds, 60) / 60))::float8 AS minutes
    FROM run LEFT JOIN runNeed AS need ON need.connectorId = run.connectorId AND need.mode = run.mode
    WHERE run.status IN ('QUEUED', 'RUNNING') AND run.verifyingSince IS NULL AND ${isWanted}
    GROUP BY 1, 3`.execute(db)
  return rows
}

/** Fire times of the schedules of one batch, at most. Further ones are left to the margins of the plan. */
const firesMax = 5_000
/** Of one schedule. */
const firesOfScheduleMax = 100

interface ScheduledRow {
  readonly organisationId: string
  readonly schedule: string
  readonly timeZone: string
  readonly count: number
  /** On average. */
  readonly seconds: number
}

/** A schedule of a connector with a promise is not counted: its run keeps the promise, or the planned start is the second chance. */
async function countOfOrganisationsEverywhere(
  db: Db,
  organisationIds: readonly string[],
  span: MinuteSpan,
): Promise<ReadonlyMap<string, RunsByMinute>> {
  const found = new Map<string, RunsByMinute>()
  const runsOf = (id: string) => {
    const runs = found.get(id) ?? openMinutes(span)
    found.set(id, runs)
    return runs
  }
  for (const { organisationId, minutes, count } of await listUnfinishedEverywhere(db, organisationIds))
    if (organisationId !== null) add(runsOf(organisationId), span, { start: span.now, end: span.now + minutes, count })
  const { rows } = await sql<ScheduledRow>`
    SELECT connector.organisationId, connector.schedule, organisation.timeZone, count(*) AS count, avg(need.seconds)::float8 AS seconds
    FROM connector JOIN organisation ON organisation.id = connector.organisationId
      JOIN runNeed AS need ON need.connectorId = connector.id AND need.mode = 'incremental'
    WHERE connector.organisationId = ANY (${organisationIds}::uuid[]) AND connector.status = 'CONNECTED' AND connector.schedule IS NOT NULL
      AND connector.nextRunAt < to_timestamp(${span.to * 60})
      AND NOT EXISTS (SELECT FROM readyByPlan AS plan WHERE plan.connectorId = connector.id)
    GROUP BY 1, 2, 3`.execute(db)
  let fires = 0
  for (const { organisationId, schedule, timeZone, count, seconds } of rows) {
    if (fires >= firesMax) break
    for (const start of firesIn(schedule, timeZone, span)) {
      fires += 1
      add(runsOf(organisationId), span, { start, end: start + Math.max(1, Math.ceil(seconds / 60)), count })
    }
  }
  return found
}

function firesIn(schedule: string, timeZone: string, { from, to }: MinuteSpan): readonly number[] {
  const minutes = nextFires(schedule, timeZone, new Date(from * minuteMs - 1), firesOfScheduleMax).map((fire) =>
    Math.floor(fire.getTime() / minuteMs),
  )
  return minutes.filter((minute) => minute < to)
}

interface ReservationLimits {
  readonly from: number
  readonly most: number
  /** Null: on the workers, otherwise of the share of this organisation only. */
  readonly organisationId: string | null
}

/** One reservation for minutes in a row with as many runs. */
function toReserved(runs: RunsByMinute, { from, most, organisationId }: ReservationLimits): ReservedRuns[] {
  const reserved: ReservedRuns[] = []
  for (let at = 0; at < runs.length;) {
    const count = Math.min(most, runs[at] ?? 0)
    let end = at + 1
    while (end < runs.length && Math.min(most, runs[end] ?? 0) === count) end += 1
    if (count > 0)
      reserved.push({
        startAt: (from + at) * minuteMs,
        endAt: (from + end) * minuteMs,
        runs: count,
        organisationId,
        calls: null,
        ...(organisationId !== null && { isOnlyOfShare: true }),
      })
    at = end
  }
  return reserved
}
