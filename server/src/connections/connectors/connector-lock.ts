/** The one order of locks: whoever changes a connector or its runs takes the connector first, so nobody waits in a circle. */
import type { Db } from '../../kernel/store/store.ts'

/** The connector's row, held until the transaction ends; undefined where there is none. */
export function lockConnector(db: Db, organisationId: string, connectorId: string) {
  return db
    .selectFrom('connector')
    .selectAll()
    .where('organisationId', '=', organisationId)
    .where('id', '=', connectorId)
    .forUpdate()
    .executeTakeFirst()
}
