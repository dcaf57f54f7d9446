/** Starts the runs whose planned time has come, each once. */
import { sql } from 'kysely'
import type { AppServices } from '../../app-services.ts'
import { startScheduledRuns } from '../../connections/connectors/start-run.ts'
import { isSyncRun } from '../../connections/verifications/verification-runs.ts'
import type { Db } from '../../kernel/store/store.ts'
import { isSignInRefused } from './due-plans.ts'

/** Connectors in one transaction. */
const batchSize = 200

/**
 * A promise whose rows another run brings needs no run: one of all tables that began within its hours, and has completed or is under way. A
 * run that began before, or of selected tables, is waited for. Starting a run and noting it is one transaction, so a killed
 * process starts none twice and forgets none. Returns the number of promises.
 */
export async function startBatch(db: Db, { queue }: Pick<AppServices, 'queue'>): Promise<number> {
  const due = await db
    .selectFrom('readyByPlan')
    .innerJoin('connector', 'connector.id', 'readyByPlan.connectorId')
    .innerJoin('organisation', 'organisation.id', 'readyByPlan.organisationId')
    .select(['readyByPlan.connectorId', coveringRun.as('runId')])
    .where('startAt', '<=', sql<string>`now()`)
    .where('startedAt', 'is', null)
    .where('dueAt', '>', sql<string>`now()`)
    .where('connector.status', '=', 'CONNECTED')
    .where('connector.targetDownSince', 'is', null)
    .where('connector.awaitsApproval', '=', false)
    .where('organisation.archivedAt', 'is', null)
    .where(sql<boolean>`NOT ${isSignInRefused}`)
    .where(
      sql<boolean>`(${coveringRun} IS NOT NULL OR NOT EXISTS (SELECT FROM run WHERE run.connectorId = connector.id AND ${isSyncRun}
        AND run.status IN ('QUEUED', 'RUNNING', 'WAITING') AND run.verifyingSince IS NULL))`,
    )
    .orderBy('startAt')
    .limit(batchSize)
    .forUpdate(['readyByPlan', 'connector'])
    .skipLocked()
    .execute()
  const ids = due.flatMap(({ connectorId, runId }) => (runId === null ? [connectorId] : []))
  if (ids.length > 0) await startScheduledRuns(db, queue, ids)
  await markStarted(
    db,
    due.map(({ connectorId }) => connectorId),
  )
  return due.length
}

const coveringRun = sql<string | null>`(SELECT run.id FROM run WHERE run.connectorId = connector.id AND ${isSyncRun}
  AND run.onlyStreams IS NULL AND run.status IN ('QUEUED', 'RUNNING', 'WAITING', 'COMPLETED')
  AND coalesce(run.startedAt, run.queuedAt) >= readyByPlan.earliestAt ORDER BY run.queuedAt LIMIT 1)`

async function markStarted(db: Db, connectorIds: readonly string[]): Promise<void> {
  if (connectorIds.length === 0) return
  await sql`UPDATE readyByPlan SET startedAt = now(), runId = ${coveringRun} FROM connector
    WHERE connector.id = readyByPlan.connectorId AND readyByPlan.connectorId = ANY (${connectorIds}::uuid[])`.execute(
    db,
  )
}
