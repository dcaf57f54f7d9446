/** The limits within which starts are planned, and what takes from them already. */
import { sql } from 'kysely'
import { defaultRunShare } from '../../connections/connectors/run-share.ts'
import { findSource } from '../../connections/connectors/connector-types.ts'
import type { PromisedRun, ReservedRuns, SourceLimit, StartLimits } from '../../connections/ready-by/planned-start.ts'
import { usableAllowance } from '../../connections/rate-budgets/daily-allowance.ts'
import { currentDay } from '../../connections/rate-budgets/daily-calls.ts'
import type { Db } from '../../kernel/store/store.ts'
import type { DuePlan } from './due-plans.ts'
import { readOtherRunsEverywhere } from './other-runs.ts'

interface LimitsRequest {
  readonly promises: readonly PromisedRun[]
  readonly plans: readonly DuePlan[]
  readonly now: number
}

interface LimitsAndReservations {
  readonly limits: StartLimits
  readonly reserved: readonly ReservedRuns[]
}

export async function readStartLimitsEverywhere(db: Db, request: LimitsRequest): Promise<LimitsAndReservations> {
  const shares = await readSharesEverywhere(db, request.promises)
  const limits = {
    concurrentRuns: await countConcurrentRunsEverywhere(db, request.promises),
    runsOf: (organisationId: string) => shares.get(organisationId) ?? defaultRunShare.runsMax,
    sources: await readSourceLimitsEverywhere(db, request),
  }
  if (request.promises.length === 0) return { limits, reserved: [] }
  const others = await readOtherRunsEverywhere(db, { ...request, ...limits })
  return { limits, reserved: [...(await listReservedEverywhere(db, request)), ...others] }
}

async function readSharesEverywhere(db: Db, promises: readonly PromisedRun[]): Promise<ReadonlyMap<string, number>> {
  const ids = [...new Set(promises.map(({ organisationId }) => organisationId))]
  const shares = await db
    .selectFrom('runShare')
    .select(['organisationId', 'runsMax'])
    .where('organisationId', '=', sql<string>`ANY (${ids}::uuid[])`)
    .execute()
  return new Map(shares.map(({ organisationId, runsMax }) => [organisationId, runsMax]))
}

/** What a run is expected to need as long as none has been measured. */
const unknownNeedMb = 256
/** Of a single worker, as long as none has reported. */
const leastMemoryMb = 1_024

/** By the memory that the planned runs need on average. */
async function countConcurrentRunsEverywhere(db: Db, promises: readonly PromisedRun[]): Promise<number> {
  const ids = promises.map(({ id }) => id)
  const { memoryMb } = await db
    .selectFrom('workerCapacity')
    .select(sql<number>`coalesce(sum(memoryMb), 0)::int8`.as('memoryMb'))
    .where('seenAt', '>', sql<string>`now() - interval '2 minutes'`)
    .executeTakeFirstOrThrow()
  // A quarter more than measured, and at least 32 MB, as when a run is claimed.
  const { need } = await db
    .selectFrom('runNeed')
    .select(sql<number | null>`avg(greatest(32, memoryMb * 1.25))::float8`.as('need'))
    .where('connectorId', '=', sql<string>`ANY (${ids}::uuid[])`)
    .where('mode', 'in', ['incremental', 'full'])
    .executeTakeFirstOrThrow()
  const memory = memoryMb === 0 ? leastMemoryMb : memoryMb
  return Math.max(1, Math.floor(memory / (need ?? unknownNeedMb)))
}

async function readSourceLimitsEverywhere(
  db: Db,
  { promises, plans, now }: LimitsRequest,
): Promise<ReadonlyMap<string, SourceLimit>> {
  const types = new Map(plans.map(({ connectorId, type }) => [connectorId, type]))
  const limitOf = new Map(
    promises.flatMap(({ id, calls }) => {
      const limit = calls === null ? undefined : findSource(types.get(id) ?? '')?.callLimit
      return calls === null || limit === undefined ? [] : [[calls.key, limit] as const]
    }),
  )
  const used = await readUsedTodayEverywhere(db, [...limitOf.keys()])
  const today = Math.floor(now / 86_400_000)
  return new Map(
    [...limitOf].map(([key, { calls, per }]): [string, SourceLimit] => {
      if (per === 'minute') return [key, { callsPerMinute: calls, callsLeftOn: null }]
      const usable = usableAllowance(calls)
      return [key, { callsPerMinute: null, callsLeftOn: (day) => usable - (day === today ? (used.get(key) ?? 0) : 0) }]
    }),
  )
}

async function readUsedTodayEverywhere(db: Db, keys: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom('dailyCalls')
    .select(['limitKey', sql<number>`sum(calls)::int8`.as('calls')])
    .where('limitKey', '=', sql<string>`ANY (${keys}::text[])`)
    // As the partial index of keys says.
    .where('limitKey', '<>', '')
    .where('day', '=', currentDay)
    .groupBy('limitKey')
    .execute()
  return new Map(rows.map(({ limitKey, calls }) => [limitKey, calls]))
}

interface ReservedRow {
  readonly startAt: number
  readonly endAt: number
  readonly runs: number
  readonly organisationId: string | null
  readonly limitKey: string | null
  readonly calls: number | null
}

/** Starts of other connectors in the hours of these promises, by minute. Organisations and keys are named only where they matter. */
async function listReservedEverywhere(db: Db, { promises, plans }: LimitsRequest): Promise<readonly ReservedRuns[]> {
  const from = promises.reduce((first, run) => Math.min(first, run.earliestAt), Infinity)
  const to = promises.reduce((last, run) => Math.max(last, run.dueAt), 0)
  const planned = plans.map(({ connectorId }) => connectorId)
  const organisations = [...new Set(promises.map(({ organisationId }) => organisationId))]
  const keys = promises.flatMap(({ calls }) => calls?.key ?? [])
  const { rows } = await sql<ReservedRow>`
    SELECT start * 60000 AS startAt, finish * 60000 AS endAt, count(*) AS runs, organisationId, limitKey, avg(calls)::float8 AS calls
    FROM (SELECT floor(extract(epoch FROM startAt) / 60)::float8 AS start,
        ceil(extract(epoch FROM greatest(endAt, startAt + interval '1 second')) / 60)::float8 AS finish,
        CASE WHEN organisationId = ANY (${organisations}::uuid[]) THEN organisationId END AS organisationId,
        CASE WHEN limitKey = ANY (${keys}::text[]) THEN limitKey END AS limitKey,
        CASE WHEN limitKey = ANY (${keys}::text[]) THEN calls END AS calls
      FROM readyByPlan
      WHERE endAt > ${new Date(from).toISOString()}::timestamptz AND startAt < ${new Date(to).toISOString()}::timestamptz
        AND connectorId <> ALL (${planned}::uuid[])) AS other
    GROUP BY start, finish, organisationId, limitKey`.execute(db)
  return rows.map(({ limitKey, calls, ...row }) => ({
    ...row,
    calls: limitKey === null || calls === null ? null : { key: limitKey, count: calls },
  }))
}
