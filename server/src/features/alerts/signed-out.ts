import type { Db } from '../../kernel/store/store.ts'
import type { ConnectorLocation } from '../../connections/connectors/connector-settings.ts'

/** True if the source revoked the authorisation of one of the connector's companies, and the administrators have been notified of it. */
export async function isSignedOut(db: Db, { organisationId, connectorId }: ConnectorLocation): Promise<boolean> {
  const found = await db
    .selectFrom('connectorCompany')
    .innerJoin('oauthGrant', 'oauthGrant.id', 'connectorCompany.grantId')
    .select('connectorId')
    .where('organisationId', '=', organisationId)
    .where('connectorId', '=', connectorId)
    .where('toldAt', 'is not', null)
    .executeTakeFirst()
  return found !== undefined
}
