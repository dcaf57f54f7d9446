/** What the provider sees of all organisations. */
import { type SqlBool, sql } from 'kysely'
import { isOfOrganisations, listScheduledFires, withHealth } from '../../connections/connectors/connector-health.ts'
import { currentDay } from '../../connections/rate-budgets/daily-calls.ts'
import type { Db } from '../../kernel/store/store.ts'

/** More do not help: the list changes every few seconds. */
const runningMax = 500

/** The connectors that are running, by organisation and name. */
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
    .limit(runningMax)
    .execute()
}

/** Those of these organisations that are not archived, by name, with the number of their connectors in each kind of state. */
export async function countHealthEverywhere(db: Db, organisationIds: readonly string[], now: Date) {
  const fires = await listScheduledFires(db, organisationIds, now)
  const connectors = db
    .selectFrom('connector')
    .innerJoin('organisation', 'organisation.id', 'connector.organisationId')
    .where(isOfOrganisations(sql.ref('connector.organisationId'), organisationIds))
  const health = withHealth(connectors, fires, now).select('connector.organisationId').as('health')
  const isIn = (...states: readonly string[]) =>
    sql<number>`count(*) FILTER (WHERE health.state = ANY (${states}::text[]))`
  return db
    .selectFrom('organisation')
    .leftJoin(health, 'health.organisationId', 'organisation.id')
    .select(['organisation.id', 'organisation.companyName', 'organisation.createdAt as createdAtUtc'])
    .select([
      sql<number>`count(health.state) FILTER (WHERE health.state <> 'disconnected')`.as('connectors'),
      isIn('running').as('running'),
      isIn('forbidden', 'targetDown', 'failed').as('failing'),
      isIn('late', 'stalled').as('late'),
      sql<boolean>`NOT EXISTS (SELECT FROM connector WHERE connector.organisationId = organisation.id)`.as(
        'neverConnected',
      ),
    ])
    .where('organisation.archivedAt', 'is', null)
    .where(isOfOrganisations(sql.ref('organisation.id'), organisationIds))
    .groupBy(['organisation.id', 'organisation.companyName', 'organisation.createdAt'])
    .orderBy('organisation.companyName')
    .execute()
}

/** Rows in the targets of connectors that are not deleted. */
export function countRowsEverywhere(db: Db, organisationIds: readonly string[]) {
  return db
    .selectFrom('connector')
    .innerJoin('connectorStream', 'connectorStream.connectorId', 'connector.id')
    .select('connector.organisationId')
    .select(sql<number>`coalesce(sum(rows), 0)::int8`.as('rows'))
    .where('connector.status', '<>', 'DELETED')
    .where(isOfOrganisations(sql.ref('connector.organisationId'), organisationIds))
    .groupBy('connector.organisationId')
    .execute()
}

/** The calls of today, connector by connector. */
export function listCallsEverywhere(db: Db, organisationIds: readonly string[]) {
  return db
    .selectFrom('connector')
    .innerJoin('dailyCalls', 'dailyCalls.connectorId', 'connector.id')
    .select([
      'connector.organisationId',
      'connector.type',
      'connector.name as connectorName',
      sql<number>`sum(dailyCalls.calls)::int8`.as('used'),
    ])
    .where(sql<SqlBool>`dailyCalls.day = ${currentDay}`)
    .where(isOfOrganisations(sql.ref('connector.organisationId'), organisationIds))
    .groupBy('connector.id')
    .orderBy('connector.name')
    .execute()
}

/** How many connectors of each type hold each granted licence. */
export function countLicencesEverywhere(db: Db, organisationIds: readonly string[]) {
  return db
    .selectFrom('connector')
    .innerJoin('connectorLicence', 'connectorLicence.connectorId', 'connector.id')
    .select(['connector.organisationId', 'connector.type', 'connectorLicence.licence'])
    .select((eb) => eb.fn.countAll<number>().as('connectors'))
    .where('connector.status', '<>', 'DELETED')
    .where(isOfOrganisations(sql.ref('connector.organisationId'), organisationIds))
    .groupBy(['connector.organisationId', 'connector.type', 'connectorLicence.licence'])
    .orderBy('connector.type')
    .orderBy('connectorLicence.licence')
    .execute()
}
