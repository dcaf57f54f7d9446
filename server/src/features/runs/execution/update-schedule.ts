/** Updates a connector's schedule after a run. */
import type { Fault } from '@tributary/engine/ports/faults'
import { sql } from 'kysely'
import type { lockConnector } from '../../../connections/connectors/connector-lock.ts'
import { updateConnector } from '../../../connections/connectors/connector-queries.ts'
import { findTimeZone } from '../../../identity/people/organisations.ts'
import { nextFire } from '../../../kernel/cron-schedule.ts'
import type { Db } from '../../../kernel/store/store.ts'
import type { RunClaim } from '../claiming/claim-run.ts'
import { isTargetUnreachable, type RunOutcome } from './outcome.ts'
import { firstProbeDelayMs } from '../scheduling/target-circuit-breaker.ts'

type LockedConnector = NonNullable<Awaited<ReturnType<typeof lockConnector>>>

export interface FinishedRun {
  readonly connector: LockedConnector | undefined
  readonly outcome: RunOutcome
  readonly fault: Fault | null
  /** At least one stream was read completely and is in the target. */
  readonly hasMoved: boolean
}

/**
 * Pauses the schedule when credentials are refused, until a user acts, and while the target is unreachable. Resumes
 * it after a run
 * that completes, or that moves some tables and fails for another reason: both sides were reachable.
 */
export async function updateSchedule(db: Db, claim: RunClaim, finished: FinishedRun): Promise<void> {
  const { connector, outcome, fault } = finished
  if (fault?.kind === 'signIn') await updateConnector(db, claim, { nextRunAt: null })
  if (outcome.status === 'FAILED' && isTargetUnreachable(fault?.code)) {
    const targetProbeAt = sql<string>`now() + ${firstProbeDelayMs} * interval '1 millisecond'`
    await updateConnector(db, claim, { targetDownSince: sql`coalesce(targetDownSince, now())`, targetProbeAt })
  }
  if (showsBothReachable(finished) && connector?.status === 'CONNECTED') await resumeSchedule(db, claim, connector)
}

function showsBothReachable({ outcome, fault, hasMoved }: FinishedRun): boolean {
  if (outcome.status !== 'FAILED') return outcome.status === 'COMPLETED'
  return hasMoved && fault?.kind !== 'signIn' && !isTargetUnreachable(fault?.code)
}

async function resumeSchedule(
  db: Db,
  claim: RunClaim,
  { schedule, nextRunAt, targetDownSince }: LockedConnector,
): Promise<void> {
  const wasUnreachable = targetDownSince !== null
  if (wasUnreachable) await updateConnector(db, claim, { targetDownSince: null, targetProbeAt: null })
  if (schedule === null || (nextRunAt !== null && !wasUnreachable)) return
  // A run of selected streams does not catch up on skipped fires, so a full one is due now.
  const isCaughtUp = !wasUnreachable || claim.onlyStreams === null
  const next = isCaughtUp
    ? nextFire(schedule, await findTimeZone(db, claim.organisationId), new Date())
    : sql<string>`now()`
  await updateConnector(db, claim, { nextRunAt: next })
}
