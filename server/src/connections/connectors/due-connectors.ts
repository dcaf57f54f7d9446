/** The schedules that are due, shared by the scheduler and the gauge of schedule lateness. */
import { sql } from 'kysely'
import { isSyncRun } from '../verifications/verification-runs.ts'
import type { Db } from '../../kernel/store/store.ts'

/**
 * Connectors whose schedule is due, those of archived organisations included. A connector stays due while its target is unreachable,
 * and while a run of selected tables moves rows, because such a run does not replace a scheduled one. Afterwards a single run catches up.
 *
 * The query reads the index `connector_due` from its beginning. It has no join, and a scalar subquery instead of NOT EXISTS: the
 * planner estimates that row level security hides most rows, and would begin with all organisations.
 */
export function selectDueConnectors(db: Db) {
  return db
    .selectFrom('connector')
    .where('connector.nextRunAt', '<=', sql<string>`now()`)
    .where('connector.status', '=', 'CONNECTED')
    .where('connector.targetDownSince', 'is', null)
    .where('connector.awaitsApproval', '=', false)
    .where(
      sql<boolean>`(SELECT true FROM run WHERE run.connectorId = connector.id AND run.status IN ('QUEUED', 'RUNNING', 'WAITING')
        AND run.onlyStreams IS NOT NULL AND run.verifyingSince IS NULL AND ${isSyncRun} LIMIT 1) IS NULL`,
    )
}

/** For queries of `connector`: columns of its organisation, without a join. */
export const organisationOfConnector = {
  timeZone: sql<string>`(SELECT organisation.timeZone FROM organisation WHERE organisation.id = connector.organisationId)`,
  isArchived: sql<boolean>`(SELECT organisation.archivedAt IS NOT NULL FROM organisation WHERE organisation.id = connector.organisationId)`,
}
