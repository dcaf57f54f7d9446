/** How a worker takes a run, keeps it, and lets go of it. Whoever holds the highest fence of a connector holds its run. */
import { sql } from 'kysely'
import type { Fault } from '@tributary/engine/ports/faults'
import { lockConnector } from '../../../connections/connectors/connector-lock.ts'
import type { Db } from '../../../kernel/store/store.ts'
import type { Outcome } from './outcome.ts'
import { lockForTransaction } from '../../../kernel/store/locks.ts'

export interface Claim {
  readonly runId: string
  readonly organisationId: string
  readonly connectorId: string
  readonly type: string
  readonly connectorKey: string
  readonly mode: 'incremental' | 'full'
  readonly trigger: 'person' | 'schedule'
  /** The only streams to move; null for all. */
  readonly onlyStreams: readonly string[] | null
  /** Read again what has changed since this moment, ISO 8601. */
  readonly readFrom: string | null
  readonly schemaPolicy: 'take' | 'ask' | 'stop'
  readonly attempt: number
  readonly fence: number
  readonly worker: string
}

/** Runs of one organisation at once, over all workers, so that nobody's flood delays the others. */
export const runsAtOnce = 2

/** Takes the run if it is waiting to be taken and its organisation has a place free; else answers nothing. */
export async function claimRun(db: Db, runId: string, worker: string): Promise<Claim | undefined> {
  const named = await db
    .selectFrom('run')
    .select(['organisationId', 'connectorId'])
    .where('id', '=', runId)
    .where(isReady)
    .executeTakeFirst()
  if (named === undefined) return undefined
  const { organisationId, connectorId } = named
  const connector = await lockConnector(db, organisationId, connectorId)
  if (connector?.status !== 'CONNECTED' || !(await hasPlace(db, organisationId))) return undefined
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
    .where('organisationId', '=', organisationId)
    .where('id', '=', runId)
    // Another worker may have answered the same bell while this one waited for the lock.
    .where(isReady)
    .returning(['mode', 'trigger', 'attempt', 'onlyStreams', 'readFrom'])
    .executeTakeFirst()
  if (run === undefined) return undefined
  await db
    .updateTable('connector')
    .set({ fence })
    .where('organisationId', '=', organisationId)
    .where('id', '=', connectorId)
    .execute()
  const { type, key: connectorKey, schemaPolicy } = connector
  return { ...run, ...named, runId, worker, fence, type, connectorKey, schemaPolicy }
}

export const isReady = sql<boolean>`(status = 'QUEUED' OR (status = 'WAITING' AND retryAt <= now()))`

/** Claims of one organisation go one after the other, or two could take the last place. */
async function hasPlace(db: Db, organisationId: string): Promise<boolean> {
  await lockForTransaction(db, 'runClaims', organisationId)
  const { running } = await db
    .selectFrom('run')
    .select((eb) => eb.fn.countAll<number>().as('running'))
    .where('organisationId', '=', organisationId)
    .where('status', '=', 'RUNNING')
    .executeTakeFirstOrThrow()
  return running < runsAtOnce
}

export interface Held {
  readonly id: string
  readonly fence: number
  readonly isCancelled: boolean
}

/** Says that this worker is alive; answers which of these runs are still its own. */
export async function renew(db: Db, worker: string, runIds: readonly string[]): Promise<Held[]> {
  const rows = await db
    .updateTable('run')
    .set({ heartbeatAt: sql`now()` })
    .where('id', 'in', [...runIds])
    .where('worker', '=', worker)
    .where('status', '=', 'RUNNING')
    .returning(['id', 'fence', 'cancelRequestedAt'])
    .execute()
  return rows.map(({ id, fence, cancelRequestedAt }) => ({
    id,
    fence: fence ?? 0,
    isCancelled: cancelRequestedAt !== null,
  }))
}

/** What there is to say about it: why it failed, or what a person should know though it did not. */
interface Said {
  readonly fault?: Fault | null
  readonly notice?: string | null
}

/** Writes the outcome, unless the run has meanwhile become somebody else's. Answers whether it was ours to end. */
export async function letGo(db: Db, claim: Claim, outcome: Outcome, { fault, notice }: Said): Promise<boolean> {
  const changed = await db
    .updateTable('run')
    .set({
      status: outcome.status,
      worker: null,
      faultKind: fault?.kind ?? null,
      faultCode: fault?.code ?? null,
      remedy: fault?.remedy ?? null,
      // Whoever cancelled it has said so already.
      ...(outcome.status === 'CANCELLED' ? {} : { notice: fault?.notice ?? notice ?? null }),
      ...times(outcome),
    })
    .where('organisationId', '=', claim.organisationId)
    .where('id', '=', claim.runId)
    .where('fence', '=', claim.fence)
    .where('status', '=', 'RUNNING')
    .executeTakeFirst()
  return changed.numUpdatedRows > 0n
}

/**
 * A target that has seen a higher fence than the store has ever given has outlived it: the store was restored from a backup.
 * The count goes on from the target's, and the run is tried again. Answers false where the higher fence is another worker's.
 */
export async function catchUp(db: Db, claim: Claim, newerFence: number): Promise<boolean> {
  const { organisationId, connectorId } = claim
  const connector = await lockConnector(db, organisationId, connectorId)
  if (connector?.fence !== claim.fence) return false
  await db
    .updateTable('connector')
    .set({ fence: newerFence })
    .where('organisationId', '=', organisationId)
    .where('id', '=', connectorId)
    .execute()
  return letGo(db, claim, { status: 'QUEUED' }, {})
}

function times(outcome: Outcome) {
  switch (outcome.status) {
    case 'WAITING':
      return {
        retryAt: sql<string>`now() + ${outcome.waitMs} * interval '1 millisecond'`,
        ...(outcome.attempt === 'forgotten' ? { attempt: 0 } : {}),
      }
    case 'QUEUED':
      // A try that was broken off by a shutdown says nothing about the source.
      return { attempt: sql<number>`greatest(attempt - 1, 0)` }
    default:
      return { completedAt: sql<string>`now()` }
  }
}
