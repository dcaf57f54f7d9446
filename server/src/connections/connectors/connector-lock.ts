/** The order of row locks: a change of a connector or its runs locks the connector first, which prevents deadlocks. */
import { ApiFault } from '../../kernel/http/api-fault.ts'
import type { Db } from '../../kernel/store/store.ts'
import type { ConnectorLocation } from './connector-settings.ts'

/** The connector's row, locked until the transaction ends; undefined if it does not exist. */
export function lockConnector(db: Db, { organisationId, connectorId }: ConnectorLocation) {
  return db
    .selectFrom('connector')
    .selectAll()
    .where('organisationId', '=', organisationId)
    .where('id', '=', connectorId)
    .forUpdate()
    .executeTakeFirst()
}

/** Like `lockConnector`. Throws `notFound` for a connector that does not exist or is deleted. */
export async function lockUndeletedConnector(db: Db, location: ConnectorLocation) {
  const connector = await lockConnector(db, location)
  if (connector === undefined || connector.status === 'DELETED') throw new ApiFault('notFound')
  return connector
}
