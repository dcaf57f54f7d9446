/** Incidents of connectors that hold a publication back for longer than their set allows. */
import { sql } from 'kysely'
import type { Db } from '../../kernel/store/store.ts'
import type { ConnectorLocation } from '../../connections/connectors/connector-settings.ts'
import { isInScope } from './incident-scope.ts'
import { type ConnectorFailure, listEndedEverywhere, type OpenIncident } from './queries.ts'

/** The kind of these incidents in the store and in messages. */
export const publicationKind = 'publication'

/** Connectors that hold their publication back for too long, and have no open incident about it. */
export function listHeldEverywhere(db: Db, connector?: ConnectorLocation): Promise<ConnectorFailure[]> {
  return db
    .selectFrom('connector')
    .innerJoin('organisation', 'organisation.id', 'connector.organisationId')
    .innerJoin('publicationMember', 'publicationMember.connectorId', 'connector.id')
    .innerJoin('publicationSet', 'publicationSet.id', 'publicationMember.setId')
    .select(['connector.organisationId', 'connector.id as connectorId', sql<string | null>`NULL`.as('runId')])
    .select(sql<string>`${publicationKind}`.as('kind'))
    .select(
      sql<string>`format('The publication of %s stays as it is. %s', publicationSet.name, heldBecause)`.as('notice'),
    )
    .where('connector.status', '=', 'CONNECTED')
    .where('organisation.archivedAt', 'is', null)
    .where('publicationSet.isOn', '=', true)
    .where(sql<boolean>`heldSince < now() - incidentAfterHours * interval '1 hour'`)
    .where(
      sql<boolean>`NOT EXISTS (SELECT FROM incident WHERE incident.connectorId = connector.id AND kind = ${publicationKind} AND closedAt IS NULL)`,
    )
    .where(isInScope(connector ?? 'all'))
    .execute()
}

/** Open incidents to close: the connector no longer holds a publication back, or is inactive. */
export function listUnheldEverywhere(db: Db, connector?: ConnectorLocation): Promise<OpenIncident[]> {
  const isOver = sql<boolean>`NOT EXISTS (SELECT FROM publicationMember JOIN publicationSet ON publicationSet.id = publicationMember.setId
    WHERE publicationMember.connectorId = connector.id AND isOn AND heldBecause IS NOT NULL)`
  return listEndedEverywhere(db, { kind: publicationKind, isOver, connector })
}
