/** Records whether promises were kept once their time is over, each once, and has the next ones planned. */
import type { MissReason, PromiseObstacle } from '@tributary/contract/ready-by'
import { sql } from 'kysely'
import { isSyncRun } from '../../connections/verifications/verification-runs.ts'
import type { Db } from '../../kernel/store/store.ts'
import { describeTime } from './obstacle-words.ts'

/** Connectors in one transaction. */
const batchSize = 500

/** Returns the number of promises. */
export async function recordBatch(db: Db): Promise<number> {
  const over = await listOverEverywhere(db)
  for (const promise of over) {
    const { organisationId, connectorId, dueAt, earliestAt } = promise
    if (dueAt === null || earliestAt === null) continue
    await db
      .insertInto('readyByOutcome')
      .values({ organisationId, connectorId, dueAt, earliestAt, ...judgePromise(promise) })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    const cleared = { dueAt: null, earliestAt: null, startAt: null, endAt: null, startedAt: null, runId: null }
    await db
      .updateTable('readyByPlan')
      .set({ ...cleared, obstacle: null, notice: null, lastDueAt: dueAt, planAt: sql<string>`now()` })
      .where('organisationId', '=', organisationId)
      .where('connectorId', '=', connectorId)
      .execute()
  }
  return over.length
}

type PromiseOver = Awaited<ReturnType<typeof listOverEverywhere>>[number]

/** `ready`: the first complete run that began within the hours of the promise. `own`: the run that was to keep it. */
async function listOverEverywhere(db: Db) {
  return await db
    .selectFrom('readyByPlan')
    .leftJoinLateral(
      (lateral) =>
        lateral
          .selectFrom('run')
          .select(['run.id', sql<string>`coalesce(run.verifyingSince, run.completedAt)`.as('readyAt')])
          .whereRef('run.connectorId', '=', 'readyByPlan.connectorId')
          .where(isSyncRun)
          .where('run.onlyStreams', 'is', null)
          .where(sql<boolean>`coalesce(run.startedAt, run.queuedAt) >= readyByPlan.earliestAt`)
          .where(sql<boolean>`(run.status = 'COMPLETED' OR run.verifyingSince IS NOT NULL)`)
          .where(sql<boolean>`coalesce(run.verifyingSince, run.completedAt) <= readyByPlan.dueAt`)
          .orderBy('readyAt')
          .limit(1)
          .as('ready'),
      (join) => join.onTrue(),
    )
    .leftJoin('run as own', 'own.id', 'readyByPlan.runId')
    .select(['readyByPlan.organisationId', 'readyByPlan.connectorId', 'dueAt', 'earliestAt', 'startAt'])
    .select(['obstacle', 'readyByPlan.notice', 'readyByPlan.runId', 'readyByPlan.startedAt'])
    .select(['ready.id as readyRunId', 'ready.readyAt'])
    .select(['own.status', 'own.notice as runNotice', 'own.startedAt as runStartedAt'])
    .where('dueAt', '<=', sql<string>`now()`)
    .orderBy('dueAt')
    .limit(batchSize)
    .forUpdate('readyByPlan')
    .skipLocked()
    .execute()
}

interface PromiseJudgement {
  readonly isKept: boolean
  readonly readyAt: string | null
  readonly reason: MissReason | null
  readonly notice: string | null
  readonly runId: string | null
}

function judgePromise(promise: PromiseOver): PromiseJudgement {
  const { readyAt, readyRunId, runId } = promise
  if (readyAt !== null) return { isKept: true, readyAt, reason: null, notice: null, runId: readyRunId }
  return { isKept: false, readyAt: null, runId, ...explainMiss(promise) }
}

function explainMiss(promise: PromiseOver): { readonly reason: MissReason; readonly notice: string | null } {
  const { obstacle, notice, status, runNotice, startedAt } = promise
  if (obstacle !== null) return { reason: obstacle as PromiseObstacle, notice }
  if (startedAt === null)
    return {
      reason: 'notStarted',
      notice: 'No run could start before the promised time. Check that a worker is running.',
    }
  if (status === 'FAILED') return { reason: 'runFailed', notice: runNotice ?? 'The run failed.' }
  if (status === 'CANCELLED') return { reason: 'runCancelled', notice: runNotice ?? 'The run was cancelled.' }
  return explainDelay(promise)
}

/** A run that waited longer than this for a worker or for its organisation's share was late because of that. */
const longWaitMs = 5 * 60_000

function explainDelay({ startAt, runStartedAt, dueAt }: PromiseOver): {
  readonly reason: MissReason
  readonly notice: string
} {
  const waitedMs = Date.parse(runStartedAt ?? dueAt ?? '') - Date.parse(startAt ?? '')
  if (waitedMs > longWaitMs)
    return { reason: 'startedLate', notice: `The run waited ${describeTime(waitedMs)} until other runs had ended.` }
  return { reason: 'tookLonger', notice: 'The run took longer than its last runs. The next start is planned earlier.' }
}
