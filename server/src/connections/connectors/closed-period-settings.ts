/** When periods of a connector are closed, as its administrators have set it. */
import type { Db } from '../../kernel/store/store.ts'
import type { ConnectorLocation } from './connector-settings.ts'

export function findClosedPeriodSettings(db: Db, { organisationId, connectorId }: ConnectorLocation) {
  return db
    .selectFrom('closedPeriod')
    .selectAll()
    .where('organisationId', '=', organisationId)
    .where('connectorId', '=', connectorId)
    .executeTakeFirst()
}
