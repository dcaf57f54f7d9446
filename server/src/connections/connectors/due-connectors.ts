/** The schedules that are due, shared by the scheduler and the gauge of schedule lateness. */
import { sql } from 'kysely'
import { isSyncRun } from '../verifications/verification-runs.ts'
import type { Db } from '../../kernel/store/store.ts'

/**
 * Connectors whose schedule can fire now. A connector stays due while its target is unreachable, and while a run of
 * selected tables moves rows, because such a run does not replace a scheduled one. Afterwards a single run catches up.
 */
export function selectDueConnectors(db: Db) {
  return db
    .selectFrom('connector')
    .innerJoin('organisation', 'organisation.id', 'connector.organisationId')
    .where('connector.nextRunAt', '<=', sql<string>`now()`)
    .where('connector.status', '=', 'CONNECTED')
    .where('connector.targetDownSince', 'is', null)
    .where('connector.awaitsApproval', '=', false)
    .where('organisation.archivedAt', 'is', null)
    .where(
      sql<boolean>`NOT EXISTS (SELECT FROM run WHERE run.connectorId = connector.id AND run.status IN ('QUEUED', 'RUNNING', 'WAITING')
        AND run.onlyStreams IS NOT NULL AND run.verifyingSince IS NULL AND ${isSyncRun})`,
    )
}
