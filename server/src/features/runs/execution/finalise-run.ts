/** Writes how a try ended and what follows from it: a time to try again, a schedule that waits, places for other runs. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { StreamOutcome } from '@tributary/engine/sync/request'
import type { RejectedRow } from '@tributary/engine/ports/target'
import type { TieOutResult } from '@tributary/engine/ports/tie-out'
import { systemAuditContext } from '../../../kernel/audit-context.ts'
import { lockConnector } from '../../../connections/connectors/connector-lock.ts'
import type { AppServices } from '../../../app-services.ts'
import type { Db } from '../../../kernel/store/store.ts'
import { type Claim, letGo } from './claim-run.ts'
import { keepStreams } from './store-stream-state.ts'
import { followOutcome } from './update-schedule.ts'
import { keepTieOut } from './store-tie-out.ts'
import { decide, type Ending, type Outcome } from './outcome.ts'
import { countPending, rejectedKept } from '../queries.ts'
import { runChannel } from '../../../connections/connectors/start-run.ts'
import { ringReady } from '../scheduling/lease-reaper.ts'

export type FinaliseRunServices = Pick<AppServices, 'audit' | 'queue' | 'store'>

export interface Ended {
  readonly ending: Ending
  readonly streams: readonly StreamOutcome[]
  /** Names of streams that the source does not have any more, if any. */
  readonly gone?: readonly string[]
  readonly tieOut: TieOutResult | null
  /** For how long to go on trying while the store cannot be reached; afterwards the run is another worker's. */
  readonly withinMs: number
}

/** Answers what the run is now; null where it had become another worker's. */
export async function settle(
  services: FinaliseRunServices,
  claim: Claim,
  ended: Ended,
): Promise<Outcome['status'] | null> {
  const until = performance.now() + ended.withinMs
  for (;;) {
    try {
      return await services.store.within(claim.organisationId, (db) => writeEnding(db, services, claim, ended))
    } catch (error) {
      if (performance.now() > until) throw error
      await sleep(500)
    }
  }
}

async function writeEnding(
  db: Db,
  services: Pick<AppServices, 'audit' | 'queue'>,
  claim: Claim,
  { ending, streams, gone, tieOut }: Ended,
): Promise<Outcome['status'] | null> {
  const connector = await lockConnector(db, claim.organisationId, claim.connectorId)
  // The count of tries starts again with every commit, so it is the store's that decides.
  const { attempt, isStopped } = await lockRun(db, claim)
  const outcome = unlessStopped(decide(ending, attempt, Math.random()), isStopped)
  const fault = ending.kind === 'fault' && outcome.status !== 'CANCELLED' ? ending.fault : null
  if (!(await letGo(db, claim, outcome, { fault }))) return null
  await keepRejected(
    db,
    claim,
    streams.flatMap(({ rejected }) => rejected),
  )
  const isCompleted = outcome.status === 'COMPLETED'
  await keepStreams(db, claim, { streams, gone, isWhole: isCompleted && claim.onlyStreams === null })
  if (tieOut !== null) await keepTieOut(db, claim, tieOut)
  if (isCompleted && !isStopped && claim.mode === 'full' && claim.onlyStreams === null) await endReadingAnew(db, claim)
  if (isCompleted) await tellPending(db, claim)
  const hasMoved = streams.some(({ progress }) => progress.phase === 'done')
  await followOutcome(db, claim, { connector, outcome, fault, hasMoved })
  await ringAgain(db, services, claim, outcome)
  await record(db, services, claim, { outcome, code: fault?.code })
  return outcome.status
}

/** Held, so that whoever stops the run meanwhile finds it as it will be. */
async function lockRun(db: Db, { organisationId, runId }: Claim): Promise<{ attempt: number; isStopped: boolean }> {
  const run = await db
    .selectFrom('run')
    .select(['attempt', 'cancelRequestedAt'])
    .where('organisationId', '=', organisationId)
    .where('id', '=', runId)
    .forUpdate()
    .executeTakeFirst()
  return { attempt: run?.attempt ?? 1, isStopped: run !== undefined && run.cancelRequestedAt !== null }
}

/** A run that somebody has stopped is not tried again; its connector may be gone, and it would wait for ever. */
function unlessStopped(outcome: Outcome, isStopped: boolean): Outcome {
  const goesOn = outcome.status === 'WAITING' || outcome.status === 'QUEUED'
  return goesOn && isStopped ? { status: 'CANCELLED' } : outcome
}

/**
 * For the screen; the target keeps them all. Those that an earlier try told of a table come again when it is read again, so
 * they are replaced; a table that is done is not read again, so what was told of it stays.
 */
async function keepRejected(db: Db, { organisationId, runId }: Claim, rejected: readonly RejectedRow[]): Promise<void> {
  if (rejected.length === 0) return
  const tables = [...new Set(rejected.map(({ table }) => table))]
  await db
    .deleteFrom('runRejected')
    .where('organisationId', '=', organisationId)
    .where('runId', '=', runId)
    .where('tableName', 'in', tables)
    .execute()
  const rows = rejected.slice(0, rejectedKept).map(({ table, column, reason, row }) => ({
    organisationId,
    runId,
    tableName: table,
    columnName: column,
    reason: beginning(reason),
    row: JSON.stringify(
      Object.fromEntries(Object.entries(row).map(([name, value]) => [name, value === null ? null : beginning(value)])),
    ),
  }))
  await db.insertInto('runRejected').values(rows).execute()
}

/** A thousand rows of long values would be more than the store takes at once, and the run could never be let go of. */
function beginning(text: string): string {
  return text.length > shownMax ? `${text.slice(0, shownMax)}…`.toWellFormed() : text
}
const shownMax = 1_000

/** Every table holds the rows of the company that is connected now. */
async function endReadingAnew(db: Db, { organisationId, connectorId }: Claim): Promise<void> {
  await db
    .updateTable('connectorTenant')
    .set({ readsAnew: false })
    .where('organisationId', '=', organisationId)
    .where('connectorId', '=', connectorId)
    .execute()
}

/** Tables with an undecided change were left alone, which a completed run would not show. */
async function tellPending(db: Db, { organisationId, connectorId, runId }: Claim): Promise<void> {
  const pending = await countPending(db, organisationId, connectorId)
  if (pending === 0) return
  const notice =
    pending === 1
      ? 'One change of the source’s tables waits for a decision. The table concerned was left as it was; the others are up to date.'
      : `${pending} changes of the source’s tables wait for a decision. The tables concerned were left as they were; the others are up to date.`
  await db
    .updateTable('run')
    .set({ notice })
    .where('organisationId', '=', organisationId)
    .where('id', '=', runId)
    .execute()
}

async function ringAgain(db: Db, { queue }: Pick<AppServices, 'queue'>, claim: Claim, outcome: Outcome): Promise<void> {
  if (outcome.status === 'WAITING') await queue.notify(db, runChannel, claim.runId, outcome.waitMs)
  await ringReady(db, queue, claim.organisationId)
}

async function record(
  db: Db,
  { audit }: Pick<AppServices, 'audit'>,
  claim: Claim,
  { outcome, code }: { outcome: Outcome; code: string | undefined },
): Promise<void> {
  const { organisationId, connectorId, runId } = claim
  if (outcome.status !== 'COMPLETED' && outcome.status !== 'FAILED') return
  const isGood = outcome.status === 'COMPLETED'
  await audit.record(db, systemAuditContext, {
    organisationId,
    action: isGood ? 'sync.completed' : 'sync.failed',
    outcome: isGood ? 'success' : 'failure',
    object: { type: 'connector', id: connectorId },
    detail: { runId, ...(code === undefined ? {} : { code }) },
  })
}
