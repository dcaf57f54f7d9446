/** Runs that never take the place of one that moves rows: verifications and maintenance. */
import { sql } from 'kysely'
import type { AppServices } from '../../../app-services.ts'
import type { ConnectorLocation } from '../../../connections/connectors/connector-settings.ts'
import { runChannel } from '../../../connections/connectors/start-run.ts'
import type { RunMode } from '../../../connections/verifications/verification-runs.ts'
import type { Db } from '../../../kernel/store/store.ts'

/** Connectors without an unfinished run whose target can be reached. */
export function selectIdleConnectors(db: Db) {
  return db
    .selectFrom('connector')
    .select(['connector.id', 'connector.organisationId'])
    .where('connector.status', '=', 'CONNECTED')
    .where('connector.targetDownSince', 'is', null)
    .where('connector.awaitsApproval', '=', false)
    .where(
      // Not as NOT EXISTS, which the planner may turn into a join that reads the unfinished runs of all connectors.
      sql<boolean>`(SELECT true FROM run WHERE run.connectorId = connector.id AND run.status IN ('QUEUED', 'RUNNING', 'WAITING') LIMIT 1) IS NULL`,
    )
}

/** Does nothing if another run has just begun. */
export async function startOnIdle(
  db: Db,
  queue: AppServices['queue'],
  { organisationId, connectorId, mode }: ConnectorLocation & { readonly mode: RunMode },
): Promise<void> {
  const run = await db
    .insertInto('run')
    .values({ organisationId, connectorId, mode, trigger: 'schedule' })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (run !== undefined) await queue.notify(db, runChannel, run.id)
}
