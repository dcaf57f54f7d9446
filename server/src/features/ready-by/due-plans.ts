/** What the planner needs to know of connectors: their wish, their state, and how long their runs took. */
import type { CallLimit } from '@tributary/engine/ports/source'
import { sql } from 'kysely'
import { findSource } from '../../connections/connectors/connector-types.ts'
import type { PromisedRun } from '../../connections/ready-by/planned-start.ts'
import { isSyncRun } from '../../connections/verifications/verification-runs.ts'
import { currentDay } from '../../connections/rate-budgets/daily-calls.ts'
import type { Db } from '../../kernel/store/store.ts'

export type DuePlan = Awaited<ReturnType<typeof listDuePlansEverywhere>>['plans'][number]

/** A promise whose time is over is not planned again before its outcome is recorded. */
export async function listDuePlansEverywhere(db: Db, limit: number) {
  const { now } = await db
    .selectNoFrom(sql<number>`(extract(epoch FROM now()) * 1000)::float8`.as('now'))
    .executeTakeFirstOrThrow()
  const plans = await db
    .selectFrom('readyByPlan')
    .innerJoin('connector', 'connector.id', 'readyByPlan.connectorId')
    .innerJoin('organisation', 'organisation.id', 'readyByPlan.organisationId')
    .leftJoinLateral(
      (lateral) =>
        lateral
          .selectFrom('readyByWish')
          .select(['minute', 'days', 'maxAgeHours', 'changedAt', 'isOn'])
          .whereRef('readyByWish.organisationId', '=', 'readyByPlan.organisationId')
          .where(sql<boolean>`(readyByWish.connectorId IS NULL OR readyByWish.connectorId = connector.id)`)
          .orderBy(sql`readyByWish.connectorId NULLS LAST`)
          .limit(1)
          .as('wish'),
      (join) => join.onTrue(),
    )
    .select(['readyByPlan.connectorId', 'readyByPlan.organisationId', 'readyByPlan.dueAt', 'readyByPlan.startedAt'])
    .select(['readyByPlan.lastDueAt', 'readyByPlan.createdAt', 'connector.type', 'connector.targetDownSince'])
    .select(['connector.awaitsApproval', 'organisation.timeZone', 'wish.days', 'wish.maxAgeHours', 'wish.changedAt'])
    .select(sql<number | null>`CASE WHEN wish.isOn THEN wish.minute END`.as('minute'))
    .select(sql<boolean>`(connector.status = 'CONNECTED' AND organisation.archivedAt IS NULL)`.as('isActive'))
    .select(isSignInRefused.as('isSignInRefused'))
    .where('readyByPlan.planAt', '<=', sql<string>`now()`)
    .where(sql<boolean>`(readyByPlan.dueAt IS NULL OR readyByPlan.dueAt > now())`)
    .orderBy('readyByPlan.planAt')
    .limit(limit)
    .forUpdate('readyByPlan')
    .skipLocked()
    .execute()
  return { now, plans }
}

/** The latest run could not sign in, and another one would not be able to either. */
export const isSignInRefused = sql<boolean>`coalesce((SELECT run.status IN ('FAILED', 'WAITING') AND run.faultKind = 'signIn' FROM run
  WHERE run.connectorId = connector.id AND ${isSyncRun} ORDER BY run.queuedAt DESC LIMIT 1), false)`

export interface MeasuredRun {
  /** Null: it has had no run. */
  readonly durationMs: number | null
  readonly calls: PromisedRun['calls']
  readonly source: { readonly title: string; readonly callLimit: CallLimit | null }
}

interface MeasuredRow {
  readonly connectorId: string
  readonly durationMs: number | null
  readonly limitKey: string | null
  readonly calls: number | null
}

/** Runs of the kind that the next one will be: of all rows after another company was connected, otherwise of changes. */
const nextMode = sql`CASE WHEN EXISTS (SELECT FROM connectorCompany AS company WHERE company.connectorId = one.id AND company.readsAnew)
  THEN 'full' ELSE 'incremental' END`

export async function measureRunsEverywhere(
  db: Db,
  plans: readonly DuePlan[],
): Promise<ReadonlyMap<string, MeasuredRun>> {
  const ids = plans.map(({ connectorId }) => connectorId)
  const durationOf = (condition: typeof nextMode) => sql`(
    SELECT percentile_disc(0.95) WITHIN GROUP (ORDER BY took) FROM (
      SELECT extract(epoch FROM coalesce(verifyingSince, completedAt) - startedAt) * 1000 AS took FROM run
      WHERE run.connectorId = one.id AND run.status = 'COMPLETED' AND run.onlyStreams IS NULL AND run.startedAt IS NOT NULL AND ${condition}
      ORDER BY run.queuedAt DESC LIMIT 20) AS recent)`
  const { rows } = await sql<MeasuredRow>`
    SELECT one.id AS connectorId, coalesce(${durationOf(sql`run.mode = ${nextMode}`)}, ${durationOf(isSyncRun)})::float8 AS durationMs,
      called.limitKey, called.calls
    FROM unnest(${ids}::uuid[]) AS one (id)
    LEFT JOIN LATERAL (
      SELECT limitKey, ceil(max(calls / greatest(1, runs)))::int AS calls FROM (
        SELECT limitKey, sum(dailyCalls.calls)::float8 AS calls, (SELECT count(*) FROM run
          WHERE run.connectorId = one.id AND ${isSyncRun} AND run.queuedAt >= dailyCalls.day AND run.queuedAt < dailyCalls.day + 1) AS runs
        FROM dailyCalls WHERE dailyCalls.connectorId = one.id AND limitKey <> '' AND day > ${currentDay} - 15 GROUP BY limitKey, day) AS daily
      GROUP BY limitKey ORDER BY sum(calls) DESC LIMIT 1) AS called ON true`.execute(db)
  const types = new Map(plans.map(({ connectorId, type }) => [connectorId, type]))
  return new Map(rows.map((row) => [row.connectorId, toMeasuredRun(row, types.get(row.connectorId) ?? '')]))
}

function toMeasuredRun({ durationMs, limitKey, calls }: MeasuredRow, type: string): MeasuredRun {
  const source = findSource(type)
  const callLimit = source?.callLimit ?? null
  const isLimited = callLimit !== null && limitKey !== null && calls !== null
  return {
    durationMs,
    calls: isLimited ? { key: limitKey, count: calls } : null,
    source: { title: source?.title ?? type, callLimit },
  }
}
