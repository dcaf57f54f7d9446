/** Tie-outs that differ: an incident by itself, which a run that completes does not end, and which hides no other. */
import { sql } from 'kysely'
import type { Db } from '../../kernel/store/store.ts'
import type { OpenIncident, Trouble } from './queries.ts'

/** As the store and the messages call this kind of incident. */
export const tieOutKind = 'tieOut'

const differs = 'The rows in the target do not add up to the report of the source.'

/** Connectors whose latest tie-out is red, unless an incident has told of it. */
export function listDifferingEverywhere(db: Db): Promise<Trouble[]> {
  return differing(db).execute()
}

export function findDiffering(db: Db, organisationId: string, connectorId: string): Promise<Trouble | undefined> {
  return differing(db)
    .where('tieOut.organisationId', '=', organisationId)
    .where('tieOut.connectorId', '=', connectorId)
    .executeTakeFirst()
}

function differing(db: Db) {
  return db
    .selectFrom('tieOut')
    .innerJoin('connector', 'connector.id', 'tieOut.connectorId')
    .innerJoin('organisation', 'organisation.id', 'tieOut.organisationId')
    .select(['tieOut.organisationId', 'tieOut.connectorId', 'tieOut.runId'])
    .select([sql<string>`${tieOutKind}`.as('kind'), sql<string>`coalesce(tieOut.notice, ${differs})`.as('notice')])
    .where('tieOut.state', '=', 'red')
    .where(isLatest)
    .where('connector.status', '=', 'CONNECTED')
    .where('organisation.archivedAt', 'is', null)
    .where(
      sql<boolean>`NOT EXISTS (SELECT FROM incident WHERE incident.connectorId = connector.id AND kind = ${tieOutKind}
        AND coalesce(closedAt, 'infinity') >= tieOut.checkedAt)`,
    )
}

const isLatest = sql<boolean>`NOT EXISTS (SELECT FROM tieOut AS later
  WHERE later.connectorId = tieOut.connectorId AND later.checkedAt > tieOut.checkedAt)`

/** Open ones that are over: a later tie-out could be told and is not red, or the connector rests. */
export function listAgreeingEverywhere(db: Db): Promise<OpenIncident[]> {
  return agreeing(db).execute()
}

export function findAgreeing(db: Db, organisationId: string, connectorId: string): Promise<OpenIncident | undefined> {
  return agreeing(db)
    .where('incident.organisationId', '=', organisationId)
    .where('incident.connectorId', '=', connectorId)
    .executeTakeFirst()
}

function agreeing(db: Db) {
  const rests = sql<boolean>`(connector.status <> 'CONNECTED' OR organisation.archivedAt IS NOT NULL)`
  // One that could not be told has no accounts, and says nothing.
  const agrees = sql<boolean>`EXISTS (SELECT FROM tieOut
    WHERE tieOut.connectorId = incident.connectorId AND state <> 'red' AND accounts > 0 AND ${isLatest})`
  return db
    .selectFrom('incident')
    .innerJoin('connector', 'connector.id', 'incident.connectorId')
    .innerJoin('organisation', 'organisation.id', 'incident.organisationId')
    .select(['incident.id', 'incident.organisationId', 'incident.connectorId'])
    .select(sql<boolean>`NOT ${rests}`.as('hasRecovered'))
    .where('incident.closedAt', 'is', null)
    .where('incident.kind', '=', tieOutKind)
    .where(sql<boolean>`(${rests} OR ${agrees})`)
}
