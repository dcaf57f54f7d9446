/** Connectors whose target stores tables only, such as Iceberg tables. What needs SQL in the target is refused for them. */
import { sql } from 'kysely'
import { ApiFault } from '../../kernel/http/api-fault.ts'
import type { Db } from '../../kernel/store/store.ts'
import { listHistoryReasons } from '../history/history-reasons.ts'
import { findClosedPeriodSettings } from './closed-period-settings.ts'
import type { ConnectorLocation } from './connector-settings.ts'
import { targets } from './connector-types.ts'

/** What a target needs SQL for, in words of the screens. */
export type SqlFeature = 'history' | 'closed periods' | 'marks' | 'publications' | 'queries' | 'verification'

const kinds = targets.filter(({ facts }) => facts.storesTablesOnly).map(({ kind }) => kind)

/** For queries of the table `connector`. */
export const isTablesOnly = sql<boolean>`EXISTS (
  SELECT FROM connectorProperty AS property
  WHERE property.organisationId = connector.organisationId
    AND property.connectorId = connector.id
    AND property.name = 'target.connectionString'
    AND property.value ->> 'connector' = ANY (${kinds}::text[]))`

export const storesTablesOnly = isTablesOnly.as('storesTablesOnly')

/** @throws ApiFault `targetTablesOnly` if the target of the connector has rows only */
export async function requireSqlTarget(
  db: Db,
  { organisationId, connectorId }: ConnectorLocation,
  feature: SqlFeature,
): Promise<void> {
  const found = await db
    .selectFrom('connector')
    .select(storesTablesOnly)
    .where('organisationId', '=', organisationId)
    .where('id', '=', connectorId)
    .executeTakeFirst()
  if (found?.storesTablesOnly === true) throw new ApiFault('targetTablesOnly', { values: { feature } })
}

/** What a connector uses that needs SQL in its target. */
export async function listUsedSqlFeatures(db: Db, connector: ConnectorLocation): Promise<readonly SqlFeature[]> {
  const { organisationId, connectorId } = connector
  const reasons = await listHistoryReasons(db, connector)
  const closedPeriods = await findClosedPeriodSettings(db, connector)
  const mark = await db
    .selectFrom('reportMark')
    .select('id')
    .where('organisationId', '=', organisationId)
    .where('connectorId', '=', connectorId)
    .where('supersededAt', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return [
    ...(reasons.some(({ reason }) => reason === 'setting') ? (['history'] as const) : []),
    ...(reasons.some(({ reason }) => reason === 'publications') ? (['publications'] as const) : []),
    ...(closedPeriods?.isOn === true ? (['closed periods'] as const) : []),
    ...(mark === undefined ? [] : (['marks'] as const)),
  ]
}
