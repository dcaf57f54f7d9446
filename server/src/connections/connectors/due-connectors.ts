/** Which schedules have come due, for whoever fires them and for the gauge that tells how late they are. */
import { sql } from 'kysely'
import type { Db } from '../../kernel/store/store.ts'

/**
 * Connectors that can be fired now. One stays due while its target is away, and while a run of some of its tables alone is under
 * way, which does not do a fire's work: afterwards one fire makes up for all that were left out.
 */
export function dueConnectors(db: Db) {
  return db
    .selectFrom('connector')
    .innerJoin('organisation', 'organisation.id', 'connector.organisationId')
    .where('connector.nextRunAt', '<=', sql<string>`now()`)
    .where('connector.status', '=', 'CONNECTED')
    .where('connector.targetDownSince', 'is', null)
    .where('organisation.archivedAt', 'is', null)
    .where(
      sql<boolean>`NOT EXISTS (SELECT FROM run WHERE run.connectorId = connector.id AND run.status IN ('QUEUED', 'RUNNING', 'WAITING')
        AND run.onlyStreams IS NOT NULL)`,
    )
}
