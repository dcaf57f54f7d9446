/**
 * Claims a run for a worker, renews its lease and releases it. Each claim takes the connector's next fencing token
 * (the `fence`
 * column); only the holder of the highest token may write.
 */
import { sql } from 'kysely'
import type { Fault } from '@tributary/engine/ports/faults'
import { lockConnector } from '../../../connections/connectors/connector-lock.ts'
import { updateConnector } from '../../../connections/connectors/connector-queries.ts'
import type { RunMode } from '../../../connections/verifications/verification-runs.ts'
import type { Db } from '../../../kernel/store/store.ts'
import type { RunKey } from '../queries.ts'
import type { RunOutcome } from './outcome.ts'
import { lockForTransaction } from '../../../kernel/store/locks.ts'

export interface RunClaim extends RunKey {
  readonly type: string
  readonly connectorKey: string
  readonly mode: RunMode
  readonly trigger: 'person' | 'schedule'
  /** The streams to move; null for all. */
  readonly onlyStreams: readonly string[] | null
  /** ISO 8601; read what has changed since this moment. */
  readonly readFrom: string | null
  readonly schemaPolicy: 'take' | 'ask' | 'stop'
  readonly attempt: number
  readonly fence: number
  readonly worker: string
}

/** Concurrent runs of one organisation over all workers, without those that only verify, so that one organisation cannot delay the others. */
export const concurrentRunsMax = 2

/**
 * Claims the run atomically. Idempotent over duplicate wake-ups: undefined if the run is not claimable, its connector
 * is not
 * connected, or its organisation has no free slot.
 */
export async function claimRun(db: Db, runId: string, worker: string): Promise<RunClaim | undefined> {
  const queued = await db
    .selectFrom('run')
    .select(['organisationId', 'connectorId', 'mode'])
    .where('id', '=', runId)
    .where(isClaimable)
    .executeTakeFirst()
  if (queued === undefined) return undefined
  const { mode: queuedMode, ...ids } = queued
  const connector = await lockConnector(db, ids)
  if (
    connector?.status !== 'CONNECTED' ||
    (connector.awaitsApproval && queuedMode !== 'erase') ||
    !(await hasFreeSlot(db, ids.organisationId))
  )
    return undefined
  const fence = connector.fence + 1
  const run = await db
    .updateTable('run')
    .set({
      status: 'RUNNING',
      worker,
      fence,
      attempt: sql`attempt + 1`,
      heartbeatAt: sql`now()`,
      startedAt: sql`coalesce(startedAt, now())`,
      faultKind: null,
      faultCode: null,
      notice: null,
      remedy: null,
    })
    .where('organisationId', '=', ids.organisationId)
    .where('id', '=', runId)
    // Another worker may have claimed the run while this one waited for the lock.
    .where(isClaimable)
    .returning(['mode', 'trigger', 'attempt', 'onlyStreams', 'readFrom'])
    .executeTakeFirst()
  if (run === undefined) return undefined
  await updateConnector(db, ids, { fence })
  const { type, key: connectorKey, schemaPolicy } = connector
  return { ...run, ...ids, runId, worker, fence, type, connectorKey, schemaPolicy }
}

/** A run that was queued while another run of its connector verifies waits until that one has ended. */
export const isClaimable = sql<boolean>`((status = 'QUEUED' OR (status = 'WAITING' AND retryAt <= now()))
  AND NOT EXISTS (SELECT FROM run AS former WHERE former.connectorId = run.connectorId AND former.id <> run.id
    AND former.verifyingSince IS NOT NULL AND former.status IN ('QUEUED', 'RUNNING', 'WAITING')))`

/** The advisory lock serialises claims of one organisation; otherwise two workers could take the last slot. */
async function hasFreeSlot(db: Db, organisationId: string): Promise<boolean> {
  await lockForTransaction(db, 'runClaims', organisationId)
  const { running } = await db
    .selectFrom('run')
    .select((eb) => eb.fn.countAll<number>().as('running'))
    .where('organisationId', '=', organisationId)
    .where('status', '=', 'RUNNING')
    .where('verifyingSince', 'is', null)
    .executeTakeFirstOrThrow()
  return running < concurrentRunsMax
}

export interface RenewedLease {
  readonly id: string
  readonly fence: number
  readonly isCancelled: boolean
  /** A newer run waits until the verification of this one has ended. */
  readonly isAwaited: boolean
}

/** Sends the heartbeat of this worker. Returns the runs that it still holds. */
export async function renewLeases(db: Db, worker: string, runIds: readonly string[]): Promise<RenewedLease[]> {
  const rows = await db
    .updateTable('run')
    .set({ heartbeatAt: sql`now()` })
    .where('id', 'in', [...runIds])
    .where('worker', '=', worker)
    .where('status', '=', 'RUNNING')
    .returning(['id', 'fence', 'cancelRequestedAt'])
    .returning(
      sql<boolean>`(verifyingSince IS NOT NULL AND EXISTS (SELECT FROM run AS newer
        WHERE newer.connectorId = run.connectorId AND newer.id <> run.id AND newer.status IN ('QUEUED', 'WAITING')))`.as(
        'isAwaited',
      ),
    )
    .execute()
  return rows.map(({ id, fence, cancelRequestedAt, isAwaited }) => ({
    id,
    fence: fence ?? 0,
    isCancelled: cancelRequestedAt !== null,
    isAwaited,
  }))
}

/** From now on another run of the connector can be queued. False if another worker has claimed the run. */
export async function markVerifying(db: Db, { organisationId, runId, fence }: RunClaim): Promise<boolean> {
  const changed = await db
    .updateTable('run')
    .set({ verifyingSince: sql`now()` })
    .where('organisationId', '=', organisationId)
    .where('id', '=', runId)
    .where('fence', '=', fence)
    .where('status', '=', 'RUNNING')
    .executeTakeFirst()
  return changed.numUpdatedRows > 0n
}

/** Why the run failed, or a notice for people if it did not fail. */
interface RunReleaseNote {
  readonly fault?: Fault | null
  readonly notice?: string | null
}

/** Writes the outcome. Returns false if another worker has claimed the run meanwhile. */
export async function releaseRun(
  db: Db,
  claim: RunClaim,
  outcome: RunOutcome,
  { fault, notice }: RunReleaseNote,
): Promise<boolean> {
  const changed = await db
    .updateTable('run')
    .set({
      status: outcome.status,
      worker: null,
      faultKind: fault?.kind ?? null,
      faultCode: fault?.code ?? null,
      remedy: fault?.remedy ?? null,
      // The cancellation has already set its notice.
      ...(outcome.status === 'CANCELLED' ? {} : { notice: fault?.notice ?? notice ?? null }),
      ...timesFor(outcome),
    })
    .where('organisationId', '=', claim.organisationId)
    .where('id', '=', claim.runId)
    .where('fence', '=', claim.fence)
    .where('status', '=', 'RUNNING')
    .executeTakeFirst()
  return changed.numUpdatedRows > 0n
}

/**
 * Continues from the target's fencing token and requeues the run. A target with a higher token than the store ever
 * issued means
 * that the store was restored from a backup. Returns false if another worker holds the higher token.
 */
export async function catchUpFence(db: Db, claim: RunClaim, newerFence: number): Promise<boolean> {
  const connector = await lockConnector(db, claim)
  if (connector?.fence !== claim.fence) return false
  await updateConnector(db, claim, { fence: newerFence })
  return releaseRun(db, claim, { status: 'QUEUED' }, {})
}

function timesFor(outcome: RunOutcome) {
  switch (outcome.status) {
    case 'WAITING':
      return {
        retryAt: sql<string>`now() + ${outcome.waitMs} * interval '1 millisecond'`,
        ...(outcome.attempt === 'reset' ? { attempt: 0 } : {}),
      }
    case 'QUEUED':
      // An attempt that a shutdown interrupted does not count.
      return { attempt: sql<number>`greatest(attempt - 1, 0)` }
    default:
      return { completedAt: sql<string>`now()` }
  }
}
