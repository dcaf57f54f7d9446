/**
 * Commits the end state of an attempt and its consequences: a retry time, a paused schedule, free slots for other
 * runs.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { StreamOutcome, SyncOutcome } from '@tributary/engine/sync/sync-request'
import type { RejectedRowRecord } from '@tributary/engine/ports/target'
import type { TieOutResult } from '@tributary/engine/ports/tie-out'
import { systemAuditContext } from '../../../kernel/audit-context.ts'
import { deleteSearchedValue } from '../../../connections/history/history-erasures.ts'
import { lockConnector } from '../../../connections/connectors/connector-lock.ts'
import type { AppServices } from '../../../app-services.ts'
import type { Db } from '../../../kernel/store/store.ts'
import { type RunClaim, releaseRun } from '../claiming/claim-run.ts'
import { correctCharge, learnNeed, type MeasuredNeed } from '../claiming/run-needs.ts'
import { storeStreamState } from './store-stream-state.ts'
import { updateSchedule } from './update-schedule.ts'
import { storeClosedPeriods, storeMarks } from './closed-periods.ts'
import { storeTieOut } from './store-tie-out.ts'
import { truncateValue } from './truncate-value.ts'
import { decideOutcome, type RunEnding, type RunOutcome } from './outcome.ts'
import { countUndecidedChanges, rejectedRowsMax } from '../queries.ts'
import { runChannel } from '../../../connections/connectors/start-run.ts'
import { notifyOrganisation } from '../claiming/wake-workers.ts'
import { notifyPublication, storeOffer } from '../../../connections/publications/publication-sets.ts'
import { planMaintenance } from '../scheduling/fire-maintenance.ts'
import { movesRows } from '../../../connections/verifications/verification-runs.ts'

export type FinaliseRunServices = Pick<AppServices, 'audit' | 'lifecycle' | 'queue' | 'store'>

export interface FinishedAttempt {
  readonly ending: RunEnding
  readonly streams: readonly StreamOutcome[]
  /** Names of streams that the source no longer has. */
  readonly gone?: readonly string[]
  readonly tieOut: TieOutResult | null
  readonly closedPeriods?: SyncOutcome['closedPeriods']
  readonly marks?: SyncOutcome['marks']
  readonly offer?: SyncOutcome['offer']
  /** What the attempt needed, if it was measured. */
  readonly need?: MeasuredNeed
  /** How long to retry while the store is unreachable or full, in ms; the lease expires afterwards. A shutdown ends the retries. */
  readonly withinMs: number
}

/** Returns the new status of the run; null if another worker has claimed it. Throws if the store stays unreachable. */
export async function finaliseRun(
  services: FinaliseRunServices,
  claim: RunClaim,
  finished: FinishedAttempt,
): Promise<RunOutcome['status'] | null> {
  const until = performance.now() + finished.withinMs
  for (;;) {
    try {
      return await services.store.within(claim.organisationId, (db) => commitEndState(db, services, claim, finished))
    } catch (error) {
      // The next process reaps the lease; retrying would use up the grace period of the shutdown.
      if (performance.now() > until || services.lifecycle.isStopping) throw error
      await sleep(500)
    }
  }
}

async function commitEndState(
  db: Db,
  services: Pick<AppServices, 'audit' | 'queue'>,
  claim: RunClaim,
  { ending, streams, gone, need, ...found }: FinishedAttempt,
): Promise<RunOutcome['status'] | null> {
  const connector = await lockConnector(db, claim)
  // Progress resets the number of attempts in the store, so the claim's number may be out of date.
  const { attempt, isStopped } = await lockRun(db, claim)
  const outcome = cancelIfRequested(decideOutcome(ending, attempt, Math.random()), isStopped)
  const fault = ending.kind === 'fault' && outcome.status !== 'CANCELLED' ? ending.fault : null
  if (!(await releaseRun(db, claim, outcome, { fault }))) return null
  await storeRejectedRows(
    db,
    claim,
    streams.flatMap(({ rejected }) => rejected),
  )
  await forgetErasedPerson(db, claim, outcome)
  const isCompleted = outcome.status === 'COMPLETED'
  await storeStreamState(db, claim, { streams, gone, isWhole: isCompleted && claim.onlyStreams === null })
  await storeComparisons(db, claim, found)
  if (isCompleted) await storeCompletion(db, claim, { isStopped, offer: found.offer })
  if (need !== undefined) {
    await learnNeed(db, claim, need, isCompleted)
    await correctCharge(db, claim, need.seconds)
  }
  // A verification, or an erasure, says nothing about whether the next run will succeed.
  if (movesRows(claim.mode)) {
    if (isCompleted) {
      await noteUndecidedChanges(db, claim)
      await planMaintenance(db, claim)
    }
    const hasMoved = streams.some(({ progress }) => progress.phase === 'done')
    await updateSchedule(db, claim, { connector, outcome, fault, hasMoved })
  }
  await notifyWaitingRuns(db, services, claim, outcome)
  await notifyPublication(db, services.queue, claim)
  await recordRunAudit(db, services, claim, { outcome, code: fault?.code })
  return outcome.status
}

/** Only an erasure that continues needs the value that identifies the person. */
async function forgetErasedPerson(db: Db, claim: RunClaim, { status }: RunOutcome): Promise<void> {
  if (claim.mode === 'erase' && status !== 'WAITING' && status !== 'QUEUED') await deleteSearchedValue(db, claim)
}

async function storeCompletion(
  db: Db,
  claim: RunClaim,
  { isStopped, offer = null }: { readonly isStopped: boolean; readonly offer: FinishedAttempt['offer'] },
): Promise<void> {
  if (offer !== null) await storeOffer(db, claim, claim.runId, offer)
  if (!isStopped && claim.mode === 'full' && claim.onlyStreams === null) await clearTenantReload(db, claim)
}

async function storeComparisons(
  db: Db,
  claim: RunClaim,
  { tieOut, closedPeriods = null, marks = [] }: Pick<FinishedAttempt, 'tieOut' | 'closedPeriods' | 'marks'>,
): Promise<void> {
  if (tieOut !== null) await storeTieOut(db, claim, tieOut)
  if (closedPeriods !== null) await storeClosedPeriods(db, claim, closedPeriods)
  await storeMarks(db, claim, marks)
}

/** Locks the row, so that a concurrent cancellation sees the final status. */
async function lockRun(db: Db, { organisationId, runId }: RunClaim): Promise<{ attempt: number; isStopped: boolean }> {
  const run = await db
    .selectFrom('run')
    .select(['attempt', 'cancelRequestedAt'])
    .where('organisationId', '=', organisationId)
    .where('id', '=', runId)
    .forUpdate()
    .executeTakeFirst()
  return { attempt: run?.attempt ?? 1, isStopped: run !== undefined && run.cancelRequestedAt !== null }
}

/** A cancelled run is not retried: its connector may be deleted, and the run would wait for ever. */
function cancelIfRequested(outcome: RunOutcome, isStopped: boolean): RunOutcome {
  const continues = outcome.status === 'WAITING' || outcome.status === 'QUEUED'
  return continues && isStopped ? { status: 'CANCELLED' } : outcome
}

/**
 * Stores rejected rows for the screen; the target keeps them all. Replaces those of the same tables, because a retry
 * reads such a
 * table again. A completed table is not read again, so its rejected rows stay.
 */
async function storeRejectedRows(
  db: Db,
  { organisationId, runId }: RunClaim,
  rejected: readonly RejectedRowRecord[],
): Promise<void> {
  if (rejected.length === 0) return
  const tables = [...new Set(rejected.map(({ table }) => table))]
  await db
    .deleteFrom('runRejected')
    .where('organisationId', '=', organisationId)
    .where('runId', '=', runId)
    .where('tableName', 'in', tables)
    .execute()
  const rows = rejected.slice(0, rejectedRowsMax).map(({ table, column, reason, row }) => ({
    organisationId,
    runId,
    tableName: table,
    columnName: column,
    reason: truncateValue(reason),
    row: JSON.stringify(
      Object.fromEntries(
        Object.entries(row).map(([name, value]) => [name, value === null ? null : truncateValue(value)]),
      ),
    ),
  }))
  await db.insertInto('runRejected').values(rows).execute()
}

/** After a complete full run every table holds only rows of the company that is connected now. */
async function clearTenantReload(db: Db, { organisationId, connectorId }: RunClaim): Promise<void> {
  await db
    .updateTable('connectorCompany')
    .set({ readsAnew: false })
    .where('organisationId', '=', organisationId)
    .where('connectorId', '=', connectorId)
    .execute()
}

/** A completed run would not show that tables with undecided changes were skipped. */
async function noteUndecidedChanges(db: Db, claim: RunClaim): Promise<void> {
  const pending = await countUndecidedChanges(db, claim)
  if (pending === 0) return
  const notice =
    pending === 1
      ? 'One schema change of the source needs a decision. Its table was not updated; all other tables are up to date.'
      : `${pending} schema changes of the source need a decision. Their tables were not updated; all other tables are up to date.`
  await db
    .updateTable('run')
    .set({ notice })
    .where('organisationId', '=', claim.organisationId)
    .where('id', '=', claim.runId)
    .execute()
}

async function notifyWaitingRuns(
  db: Db,
  { queue }: Pick<AppServices, 'queue'>,
  claim: RunClaim,
  outcome: RunOutcome,
): Promise<void> {
  if (outcome.status === 'WAITING') await queue.notify(db, runChannel, claim.runId, outcome.waitMs)
  await notifyOrganisation(db, queue, claim.organisationId)
}

async function recordRunAudit(
  db: Db,
  { audit }: Pick<AppServices, 'audit'>,
  claim: RunClaim,
  { outcome, code }: { outcome: RunOutcome; code: string | undefined },
): Promise<void> {
  const { organisationId, connectorId, runId } = claim
  if (outcome.status !== 'COMPLETED' && outcome.status !== 'FAILED') return
  const isGood = outcome.status === 'COMPLETED'
  await audit.record(db, systemAuditContext, {
    organisationId,
    action: isGood ? 'sync.completed' : 'sync.failed',
    outcome: isGood ? 'success' : 'failure',
    object: { type: 'connector', id: connectorId },
    detail: {
      runId,
      ...(!movesRows(claim.mode) && { mode: claim.mode }),
      ...(code === undefined ? {} : { code }),
    },
  })
}
