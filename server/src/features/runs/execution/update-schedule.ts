/** What a run's outcome means for the schedule of its connector. */
import type { Fault } from '@tributary/engine/ports/faults'
import { sql } from 'kysely'
import type { lockConnector } from '../../../connections/connectors/connector-lock.ts'
import { findTimeZone } from '../../../identity/people/organisations.ts'
import { nextFire } from '../../../kernel/cron-schedule.ts'
import type { Db } from '../../../kernel/store/store.ts'
import type { Claim } from './claim-run.ts'
import { isTargetAway, type Outcome } from './outcome.ts'
import { firstProbeMs } from '../scheduling/target-circuit-breaker.ts'

type Connector = NonNullable<Awaited<ReturnType<typeof lockConnector>>>

export interface Following {
  readonly connector: Connector | undefined
  readonly outcome: Outcome
  readonly fault: Fault | null
  /** Something was read from the source to its end, and is in the target. */
  readonly hasMoved: boolean
}

/**
 * Refused credentials stop the schedule until somebody acts, and a target that is away makes it wait for the target; a run
 * that completes, or moves some tables and fails for another reason, shows that both are well again.
 */
export async function followOutcome(db: Db, claim: Claim, following: Following): Promise<void> {
  const { connector, outcome, fault } = following
  const one = oneConnector(db, claim)
  if (fault?.kind === 'signIn') await one.set({ nextRunAt: null }).execute()
  if (outcome.status === 'FAILED' && isTargetAway(fault?.code)) {
    const targetProbeAt = sql<string>`now() + ${firstProbeMs} * interval '1 millisecond'`
    await one.set({ targetDownSince: sql`coalesce(targetDownSince, now())`, targetProbeAt }).execute()
  }
  if (areBothWell(following) && connector?.status === 'CONNECTED') await goOn(db, claim, connector)
}

function areBothWell({ outcome, fault, hasMoved }: Following): boolean {
  if (outcome.status !== 'FAILED') return outcome.status === 'COMPLETED'
  return hasMoved && fault?.kind !== 'signIn' && !isTargetAway(fault?.code)
}

async function goOn(db: Db, claim: Claim, { schedule, nextRunAt, targetDownSince }: Connector): Promise<void> {
  const wasAway = targetDownSince !== null
  if (wasAway) await oneConnector(db, claim).set({ targetDownSince: null, targetProbeAt: null }).execute()
  if (schedule === null || (nextRunAt !== null && !wasAway)) return
  // A run of some streams alone has not made up for the fires that were left out, so one of them comes now.
  const isCaughtUp = !wasAway || claim.onlyStreams === null
  const next = isCaughtUp
    ? nextFire(schedule, await findTimeZone(db, claim.organisationId), new Date())
    : sql<string>`now()`
  await oneConnector(db, claim).set({ nextRunAt: next }).execute()
}

function oneConnector(db: Db, { organisationId, connectorId }: Claim) {
  return db.updateTable('connector').where('organisationId', '=', organisationId).where('id', '=', connectorId)
}
