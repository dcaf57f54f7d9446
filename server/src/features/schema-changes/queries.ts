/** Queries of schema changes of a source. */
import { sql } from 'kysely'
import type { ConnectorLocation } from '../../connections/connectors/connector-settings.ts'
import type { Db } from '../../kernel/store/store.ts'

/** Limits the list to the newest changes. */
const maxListedChanges = 1_000

export function listChanges(db: Db, connector: ConnectorLocation) {
  return selectChanges(db, connector).limit(maxListedChanges).execute()
}

export function findChanges(db: Db, connector: ConnectorLocation, ids: readonly string[]) {
  return selectChanges(db, connector)
    .where('schemaChange.id', 'in', [...ids])
    .execute()
}

function selectChanges(db: Db, { organisationId, connectorId }: ConnectorLocation) {
  return db
    .selectFrom('schemaChange')
    .leftJoin('portalUser', 'portalUser.id', 'schemaChange.decidedBy')
    .select([
      'schemaChange.id',
      'schemaChange.runId',
      'schemaChange.stream',
      'schemaChange.tableName as table',
      'schemaChange.columnName as column',
      'schemaChange.before',
      'schemaChange.after',
      'schemaChange.status',
      'schemaChange.foundAt as foundAtUtc',
      'schemaChange.decidedAt as decidedAtUtc',
      sql<string | null>`portalUser.firstName || ' ' || portalUser.lastName`.as('decidedBy'),
    ])
    .where('schemaChange.organisationId', '=', organisationId)
    .where('schemaChange.connectorId', '=', connectorId)
    .orderBy('schemaChange.foundAt', 'desc')
    .orderBy('schemaChange.id')
}

/** Locks the changes, so that concurrent decisions on them are serialised. Leaves out unknown ids. */
export function lockChanges(db: Db, { organisationId, connectorId }: ConnectorLocation, ids: readonly string[]) {
  return db
    .selectFrom('schemaChange')
    .select(['id', 'status'])
    .where('organisationId', '=', organisationId)
    .where('connectorId', '=', connectorId)
    .where('id', 'in', [...ids])
    .orderBy('id')
    .forUpdate()
    .execute()
}

export async function writeDecision(
  db: Db,
  organisationId: string,
  ids: readonly string[],
  { status, decidedBy }: { readonly status: 'ACCEPTED' | 'REJECTED'; readonly decidedBy: string },
): Promise<void> {
  await db
    .updateTable('schemaChange')
    .set({ status, decidedBy, decidedAt: sql`now()` })
    .where('organisationId', '=', organisationId)
    .where('id', 'in', [...ids])
    .execute()
}
