/** Starts the daily maintenance of connectors whose tables are files, such as Iceberg tables. */
import { sql } from 'kysely'
import type { AppServices } from '../../../app-services.ts'
import { organisationOfConnector } from '../../../connections/connectors/due-connectors.ts'
import type { ConnectorLocation } from '../../../connections/connectors/connector-settings.ts'
import { isTablesOnly, storesTablesOnly } from '../../../connections/connectors/tables-only.ts'
import type { Db } from '../../../kernel/store/store.ts'
import { selectIdleConnectors, startOnIdle } from './idle-connectors.ts'

/** Connectors in one transaction. */
const batchSize = 200

/** Makes maintenance due a day after the first run that has moved rows since the last one. */
export async function planMaintenance(db: Db, { organisationId, connectorId }: ConnectorLocation): Promise<void> {
  await db
    .updateTable('connector')
    .set({ maintainNextAt: sql<string>`now() + interval '1 day'` })
    .where('organisationId', '=', organisationId)
    .where('id', '=', connectorId)
    .where('maintainNextAt', 'is', null)
    .where(isTablesOnly)
    .execute()
}

/** Does nothing while schedules are switched off. */
export async function fireDueMaintenance({
  settings,
  store,
  queue,
}: Pick<AppServices, 'queue' | 'settings' | 'store'>): Promise<void> {
  if (!(await settings.read()).ScheduledRuns) return
  // Across organisations: a worker serves all of them.
  while ((await store.across((db) => fireBatch(db, queue))) > 0);
}

/**
 * A connector with an unfinished run is left until that run has ended, so that maintenance never takes the place of a run that moves rows. One
 * whose target has become a database loses its time.
 */
async function fireBatch(db: Db, queue: AppServices['queue']): Promise<number> {
  const due = await selectIdleConnectors(db)
    .select([organisationOfConnector.isArchived.as('isArchived'), storesTablesOnly])
    .where('connector.maintainNextAt', '<=', sql<string>`now()`)
    .orderBy('connector.maintainNextAt')
    .limit(batchSize)
    .forUpdate()
    .skipLocked()
    .execute()
  for (const { id: connectorId, organisationId, isArchived, storesTablesOnly: isFiles } of due) {
    await db
      .updateTable('connector')
      .set({ maintainNextAt: null })
      .where('organisationId', '=', organisationId)
      .where('id', '=', connectorId)
      .execute()
    if (isFiles && !isArchived) await startOnIdle(db, queue, { organisationId, connectorId, mode: 'maintain' })
  }
  return due.length
}
