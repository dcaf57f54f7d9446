/** The order of row locks: a change of a connector or its runs locks the connector first, which prevents deadlocks. */
import type { Db } from '../../kernel/store/store.ts'

/** The connector's row, locked until the transaction ends; undefined if it does not exist. */
export function lockConnector(db: Db, organisationId: string, connectorId: string) {
  return db
    .selectFrom('connector')
    .selectAll()
    .where('organisationId', '=', organisationId)
    .where('id', '=', connectorId)
    .forUpdate()
    .executeTakeFirst()
}
