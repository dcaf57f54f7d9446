/** Incidents of tie-outs that differ. They are independent of run incidents: a completed run does not close them. */
import { sql } from 'kysely'
import type { Db } from '../../kernel/store/store.ts'
import type { ConnectorLocation } from '../../connections/connectors/connector-settings.ts'
import { isInScope } from './incident-scope.ts'
import { type ConnectorFailure, listEndedEverywhere, type OpenIncident } from './queries.ts'

/** The kind of these incidents in the store and in messages. */
export const tieOutKind = 'tieOut'

const defaultNotice = 'The rows in the target do not add up to the report of the source.'

/** Connectors whose latest tie-out is red and has had no incident. */
export function listDifferingEverywhere(db: Db, connector?: ConnectorLocation): Promise<ConnectorFailure[]> {
  return db
    .selectFrom('tieOut')
    .innerJoin('connector', 'connector.id', 'tieOut.connectorId')
    .innerJoin('organisation', 'organisation.id', 'tieOut.organisationId')
    .select(['tieOut.organisationId', 'tieOut.connectorId', 'tieOut.runId'])
    .select([
      sql<string>`${tieOutKind}`.as('kind'),
      sql<string>`coalesce(tieOut.notice, ${defaultNotice})`.as('notice'),
    ])
    .where('tieOut.state', '=', 'red')
    .where(isLatest)
    .where('connector.status', '=', 'CONNECTED')
    .where('organisation.archivedAt', 'is', null)
    .where(
      sql<boolean>`NOT EXISTS (SELECT FROM incident WHERE incident.connectorId = connector.id AND kind = ${tieOutKind}
        AND coalesce(closedAt, 'infinity') >= tieOut.checkedAt)`,
    )
    .where(isInScope(connector ?? 'all'))
    .execute()
}

const isLatest = sql<boolean>`NOT EXISTS (SELECT FROM tieOut AS later
  WHERE later.connectorId = tieOut.connectorId AND later.checkedAt > tieOut.checkedAt)`

/** Open incidents to close: the latest tie-out was compared and is not red, or the connector is inactive. */
export function listAgreeingEverywhere(db: Db, connector?: ConnectorLocation): Promise<OpenIncident[]> {
  // A tie-out without accounts could not be compared.
  const agrees = sql<boolean>`EXISTS (SELECT FROM tieOut
    WHERE tieOut.connectorId = incident.connectorId AND state <> 'red' AND accounts > 0 AND ${isLatest})`
  return listEndedEverywhere(db, { kind: tieOutKind, isOver: agrees, connector })
}
