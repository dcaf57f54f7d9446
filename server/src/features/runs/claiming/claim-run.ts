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
import type { RunOutcome } from '../execution/outcome.ts'

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
  /** The memory that the worker sets aside for the run. */
  readonly memoryMb: number
  /** The megabyte seconds that the organisation was charged in advance. */
  readonly charge: number
}

/**
 * Claims the run atomically. Idempotent over duplicate wake-ups: undefined if the run is not claimable, its connector
 * is not
 * connected, or its organisation uses its share.
 */
export async function claimRun(db: Db, runId: string, worker: string): Promise<RunClaim | undefined> {
  const { rows } = await sql<{ claimed: string | null }>`
    SELECT tributaryClaimRun(${runId}, ${worker}) AS claimed`.execute(db)
  return readClaim(db, rows[0]?.claimed ?? null, worker)
}

/** The memory that a worker has for another run, and whether it holds none: then a run of any size fits. */
export interface FreeMemory {
  readonly freeMb: number
  readonly isIdle: boolean
}

interface NextClaim {
  readonly claim: RunClaim | undefined
  /** Some run is claimable, and needs more memory than is free. */
  readonly isFull: boolean
}

/** Claims the next run that fits, in the fair order of organisations (`server/migrations/0061_run_needs.sql`). */
export async function claimNextRun(db: Db, worker: string, { freeMb, isIdle }: FreeMemory): Promise<NextClaim> {
  const { rows } = await sql<{ claimed: string | null; isFull: boolean }>`
    SELECT claimed, isFull FROM tributaryClaimNextRun(${worker}, ${Math.floor(freeMb)}, ${isIdle})`.execute(db)
  const [next = { claimed: null, isFull: false }] = rows
  return { claim: await readClaim(db, next.claimed, worker), isFull: next.isFull }
}

async function readClaim(db: Db, runId: string | null, worker: string): Promise<RunClaim | undefined> {
  if (runId === null) return undefined
  // Across organisations: a worker serves all of them.
  const run = await db
    .selectFrom('run')
    .innerJoin('connector', 'connector.id', 'run.connectorId')
    .select([
      'run.organisationId',
      'run.connectorId',
      'run.mode',
      'run.trigger',
      'run.attempt',
      'run.onlyStreams',
      'run.readFrom',
    ])
    .select([
      sql<number>`run.fence`.as('fence'),
      sql<number>`run.memoryMb`.as('memoryMb'),
      sql<number>`run.charge`.as('charge'),
    ])
    .select(['connector.type', 'connector.key as connectorKey', 'connector.schemaPolicy'])
    .where('run.id', '=', runId)
    .executeTakeFirstOrThrow()
  return { ...run, runId, worker }
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
