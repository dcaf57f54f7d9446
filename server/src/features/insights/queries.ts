/** The connectors that are running, of all organisations, by organisation and name. */
import { sql } from 'kysely'
import type { Db } from '../../kernel/store/store.ts'

export function listRunningEverywhere(db: Db) {
  return db
    .selectFrom('run')
    .innerJoin('connector', 'connector.id', 'run.connectorId')
    .innerJoin('organisation', 'organisation.id', 'run.organisationId')
    .select([
      'organisation.companyName as clientName',
      'connector.name as clientConnectorName',
      'connector.id as clientConnectorId',
      sql<string | null>`CASE run.trigger WHEN 'schedule' THEN run.queuedAt END`.as('automaticallyTriggeredAtUtc'),
      sql<string | null>`CASE run.trigger WHEN 'person' THEN run.queuedAt END`.as('manuallyTriggeredAtUtc'),
    ])
    .where('run.status', '=', 'RUNNING')
    .orderBy('organisation.companyName')
    .orderBy('connector.name')
    .execute()
}
