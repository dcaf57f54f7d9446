/** Incidents of tables that differ from the source. They are independent of run incidents: a completed run does not close them. */
import { sql } from 'kysely'
import type { Db } from '../../kernel/store/store.ts'
import type { ConnectorLocation } from '../../connections/connectors/connector-settings.ts'
import { hasDifferences } from '../../connections/verifications/source-verification.ts'
import { isInScope } from './incident-scope.ts'
import { type ConnectorFailure, listEndedEverywhere, type OpenIncident } from './queries.ts'

/** The kind of these incidents in the store and in messages. */
export const verificationKind = 'verification'

/** Tables that a notice names. */
const namedMax = 5

/** Connectors with rows that differ from the source, which have had no incident. */
export function listUnequalEverywhere(db: Db, connector?: ConnectorLocation): Promise<ConnectorFailure[]> {
  return (
    db
      .selectFrom('connector')
      .innerJoin('organisation', 'organisation.id', 'connector.organisationId')
      .innerJoinLateral(
        (lateral) =>
          lateral
            .selectFrom('streamVerification')
            .select([
              sql<string>`(array_agg(runId ORDER BY changedAt DESC))[1]`.as('runId'),
              sql<string>`max(changedAt)`.as('foundAt'),
              describeDifferences.as('notice'),
            ])
            .whereRef('streamVerification.connectorId', '=', 'connector.id')
            .where('openDifferences', '>', 0)
            .having(({ fn }) => fn.countAll(), '>', 0)
            .as('found'),
        (join) => join.onTrue(),
      )
      .select(['connector.organisationId', 'connector.id as connectorId', 'found.runId', 'found.notice'])
      .select(sql<string>`${verificationKind}`.as('kind'))
      .where('connector.status', '=', 'CONNECTED')
      .where('organisation.archivedAt', 'is', null)
      .where(
        sql<boolean>`NOT EXISTS (SELECT FROM incident WHERE incident.connectorId = connector.id AND kind = ${verificationKind}
        AND coalesce(closedAt, 'infinity') >= found.foundAt)`,
      )
      .where(isInScope(connector ?? 'all'))
      // Read first, from an index that holds only such tables.
      .where(
        sql<boolean>`connector.id IN (SELECT differing.connectorId FROM streamVerification AS differing WHERE differing.openDifferences > 0)`,
      )
      .execute()
  )
}

/** '3 rows of 2 tables differ from the source: sale, sale_line.' */
const describeDifferences = sql<string>`format('%s %s of %s %s from the source: %s%s.',
  sum(openDifferences), CASE sum(openDifferences) WHEN 1 THEN 'row' ELSE 'rows' END,
  count(*), CASE count(*) WHEN 1 THEN 'table differ' ELSE 'tables differ' END,
  array_to_string((array_agg(stream ORDER BY stream))[1:${sql.lit(namedMax)}], ', '),
  CASE WHEN count(*) > ${sql.lit(namedMax)} THEN format(' and %s more', count(*) - ${sql.lit(namedMax)}) ELSE '' END)`

/** Open incidents to close: no row differs any more, or the connector is inactive. */
export function listEqualEverywhere(db: Db, connector?: ConnectorLocation): Promise<OpenIncident[]> {
  return listEndedEverywhere(db, { kind: verificationKind, isOver: sql<boolean>`NOT ${hasDifferences}`, connector })
}
