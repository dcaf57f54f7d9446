/**
 * Plans the next promise of connectors whose plan is due: because their wish, their state or their organisation has changed, the former
 * promise is over, or its hours begin. Only these are planned; what is planned for others is kept free.
 */
import type { PromiseObstacle } from '@tributary/contract/ready-by'
import type { AppServices } from '../../app-services.ts'
import { leastMarginMs, type PlannedStart, type PromisedRun } from '../../connections/ready-by/planned-start.ts'
import { planStarts } from '../../connections/ready-by/plan-starts.ts'
import { nextPromise } from '../../connections/ready-by/promised-time.ts'
import { isoTime } from '../../kernel/clock.ts'
import { tryLockForTransaction } from '../../kernel/store/locks.ts'
import type { Db } from '../../kernel/store/store.ts'
import { type DuePlan, listDuePlansEverywhere, type MeasuredRun, measureRunsEverywhere } from './due-plans.ts'
import { describeObstacle, type ObstacleFacts } from './obstacle-words.ts'
import { readStartLimitsEverywhere } from './start-limits.ts'

/** Connectors in one transaction. */
const batchSize = 500

/** Returns how many were planned. Only one worker plans at a time, so that two never promise the same room. */
export async function planBatch(db: Db, { log, areSchedulesOn }: PlanServices): Promise<number> {
  if (!(await tryLockForTransaction(db, 'readyByPlans'))) return 0
  const { now, plans } = await listDuePlansEverywhere(db, batchSize)
  if (plans.length === 0) return 0
  const measured = await measureRunsEverywhere(db, plans)
  const drafts = plans.map((plan) => draftPromise(plan, { now, log, measured: measured.get(plan.connectorId) }))
  const promises = drafts.flatMap(({ promise }) => promise ?? [])
  const limits = await readStartLimitsEverywhere(db, { promises, plans, now })
  const starts = new Map(planStarts({ promises, now, ...limits }).map((start) => [start.id, start]))
  for (const draft of drafts)
    await storePlan(db, draft, { now, areSchedulesOn, start: starts.get(draft.plan.connectorId) })
  return plans.length
}

export interface PlanServices extends Pick<AppServices, 'log'> {
  readonly areSchedulesOn: boolean
}

interface PromiseDraft {
  readonly plan: DuePlan
  readonly measured: MeasuredRun | undefined
  /** Null: there is no promise. */
  readonly dueAt: number | null
  /** A run to plan; null if it has begun, or its time is over. */
  readonly promise: PromisedRun | null
}

interface DraftContext {
  readonly now: number
  readonly log: AppServices['log']
  readonly measured: MeasuredRun | undefined
}

/** For connectors without a run so far. */
const unknownDurationMs = 30 * 60_000

function draftPromise(plan: DuePlan, { now, log, measured }: DraftContext): PromiseDraft {
  const none = { plan, measured, dueAt: null, promise: null }
  if (!plan.isActive || plan.minute === null) return none
  const durationMs = measured?.durationMs ?? unknownDurationMs
  const dueAt = findDueTime(plan, { now, log, needsMs: durationMs + leastMarginMs(durationMs) })
  if (dueAt === null) return none
  const hasBegun = plan.startedAt !== null && plan.dueAt !== null && Date.parse(plan.dueAt) === dueAt
  if (hasBegun || dueAt <= now) return { plan, measured, dueAt, promise: null }
  const { connectorId: id, organisationId } = plan
  const earliestAt = dueAt - maxAgeMs(plan)
  return {
    plan,
    measured,
    dueAt,
    promise: { id, organisationId, dueAt, earliestAt, durationMs, calls: measured?.calls ?? null },
  }
}

function maxAgeMs({ maxAgeHours }: DuePlan): number {
  return (maxAgeHours ?? 1) * 3_600_000
}

/** Longer ago, no promise is made up for. */
const countedMs = 31 * 86_400_000

/** The promise after the latest one whose outcome is known. The first promise of a wish is one that leaves enough time. */
function findDueTime(
  plan: DuePlan,
  { now, log, needsMs }: Omit<DraftContext, 'measured'> & { readonly needsMs: number },
): number | null {
  const lastDueAt = plan.lastDueAt === null ? 0 : Date.parse(plan.lastDueAt)
  const beganAt = Math.max(Date.parse(plan.createdAt), Date.parse(plan.changedAt ?? plan.createdAt))
  const times = { minute: plan.minute ?? 0, days: plan.days ?? [] }
  const after = Math.max(lastDueAt, beganAt, now - countedMs)
  for (const zone of [plan.timeZone, 'UTC']) {
    try {
      const dueAt = nextPromise(times, zone, after)
      return lastDueAt < beganAt && dueAt > now && dueAt - now < needsMs ? nextPromise(times, zone, dueAt) : dueAt
    } catch (error) {
      const { organisationId, connectorId } = plan
      log.warn('the wish of a connector could not be read in its time zone', { organisationId, connectorId, error })
    }
  }
  return null
}

interface StoreContext {
  readonly now: number
  readonly areSchedulesOn: boolean
  readonly start: PlannedStart | undefined
}

async function storePlan(db: Db, draft: PromiseDraft, context: StoreContext): Promise<void> {
  const { plan, dueAt, promise } = draft
  if (dueAt === null) {
    await db
      .deleteFrom('readyByPlan')
      .where('organisationId', '=', plan.organisationId)
      .where('connectorId', '=', plan.connectorId)
      .execute()
    return
  }
  await db
    .updateTable('readyByPlan')
    .set(promise === null ? planWithoutStart(draft, dueAt) : planWithStart(draft, promise, context))
    .where('organisationId', '=', plan.organisationId)
    .where('connectorId', '=', plan.connectorId)
    .execute()
}

/** The run of the promise has begun, or the promised time is over. */
function planWithoutStart({ plan }: PromiseDraft, dueAt: number) {
  const kept = { planAt: null, dueAt: isoTime(dueAt), earliestAt: isoTime(dueAt - maxAgeMs(plan)) }
  return plan.startedAt === null ? { ...kept, startAt: null, endAt: null } : kept
}

function planWithStart(draft: PromiseDraft, promise: PromisedRun, { now, areSchedulesOn, start }: StoreContext) {
  const { dueAt, earliestAt, calls } = promise
  const obstacle = findBlock(draft.plan, areSchedulesOn) ?? start?.obstacle ?? null
  return {
    planAt: nextPlanAt(promise, { now, isObstructed: obstacle !== null }),
    dueAt: isoTime(dueAt),
    earliestAt: isoTime(earliestAt),
    startAt: start === undefined ? null : isoTime(start.startAt),
    endAt: start === undefined ? null : isoTime(start.endAt),
    startedAt: null,
    runId: null,
    obstacle,
    notice: obstacle === null ? null : describeObstacle(obstacle, findFacts(draft, promise, now)),
    limitKey: calls?.key ?? null,
    calls: calls?.count ?? null,
  }
}

function findFacts({ plan, measured }: PromiseDraft, promise: PromisedRun, now: number): ObstacleFacts {
  const { dueAt, earliestAt, durationMs, calls } = promise
  return {
    durationMs,
    maxAgeHours: (dueAt - earliestAt) / 3_600_000,
    timeLeftMs: dueAt - Math.max(now, earliestAt),
    calls: calls?.count ?? null,
    source: measured?.source ?? { title: plan.type, callLimit: null },
  }
}

function findBlock(plan: DuePlan, areSchedulesOn: boolean): PromiseObstacle | null {
  if (!areSchedulesOn) return 'schedulesOff'
  if (plan.awaitsApproval) return 'awaitsApproval'
  if (plan.isSignInRefused) return 'signIn'
  return plan.targetDownSince === null ? null : 'targetDown'
}

const beforeHoursMs = 3_600_000
const obstructedPlanMs = 15 * 60_000

/** Again an hour before its hours begin, with the durations and limits of then. An obstacle is looked at every quarter of an hour. */
function nextPlanAt(
  { dueAt, earliestAt }: PromisedRun,
  { now, isObstructed }: { readonly now: number; readonly isObstructed: boolean },
): string | null {
  const times = [earliestAt - beforeHoursMs, ...(isObstructed ? [now + obstructedPlanMs] : [])]
  const next = Math.min(...times.filter((at) => at > now && at < dueAt))
  return Number.isFinite(next) ? isoTime(next) : null
}
