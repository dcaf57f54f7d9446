/** The second login of a connector's target, which only reads. Administrators query the target under it. */
import type { Db } from '../../kernel/store/store.ts'
import type { ConnectorLocation } from '../connectors/connector-settings.ts'

export async function deleteReadingLogin(db: Db, { organisationId, connectorId }: ConnectorLocation): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('readingLogin')
    .where('organisationId', '=', organisationId)
    .where('connectorId', '=', connectorId)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}
