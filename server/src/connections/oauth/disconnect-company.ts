/**
 * Disconnects a company that no connector uses. Failures are harmless: the source only lists one connection too many.
 */
import type { ConnectionServices } from '../connection-services.ts'
import { sql } from 'kysely'
import type { Db } from '../../kernel/store/store.ts'
import { deleteUnusedGrants } from './grants.ts'

export type DisconnectCompanyServices = Pick<ConnectionServices, 'clock' | 'log' | 'oauth' | 'store'>

interface DisconnectedCompany {
  readonly grantId: string
  readonly tenantId: string
}

/**
 * Closes the connection at the source unless a connector uses it again, and deletes the grant if it was the last. Never
 * revokes the grant at the source, because that would disconnect every company that the same person authorised, in any
 * organisation.
 */
export async function disconnectCompany(
  services: DisconnectCompanyServices,
  company: DisconnectedCompany,
): Promise<void> {
  const { clock, log, store } = services
  try {
    // Across, here and below: a grant belongs to no organisation.
    const connection = await store.across((db) => findUnused(db, company))
    if (connection !== undefined) await closeConnection(services, company, connection)
  } catch (error) {
    log.info('a connection at a source was not closed', { error })
  }
  await store
    .across((db) => deleteUnusedGrants(db, clock, [company.grantId]))
    .catch((error: unknown) => log.warn('an unused grant was not deleted', { error }))
}

interface CompanyConnection {
  readonly connectionId: string | null
  readonly type: string
}

function findUnused(db: Db, { grantId, tenantId }: DisconnectedCompany): Promise<CompanyConnection | undefined> {
  return (
    db
      .selectFrom('oauthTenant')
      .innerJoin('oauthGrant', 'oauthGrant.id', 'oauthTenant.grantId')
      .select(['oauthTenant.connectionId', 'oauthGrant.type'])
      .where('oauthTenant.grantId', '=', grantId)
      .where('oauthTenant.tenantId', '=', tenantId)
      .where('oauthGrant.deadAt', 'is', null)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('connectorCompany')
              .select('tenantId')
              .where('grantId', '=', grantId)
              .where('connectorCompany.tenantId', '=', tenantId),
          ),
        ),
      )
      // A person may be about to choose the company.
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('authorisation')
              .select('id')
              .where('grantId', '=', grantId)
              .where(sql<boolean>`${tenantId} = ANY (tenantIds)`)
              .where('chosenAt', 'is', null),
          ),
        ),
      )
      .executeTakeFirst()
  )
}

async function closeConnection(
  { oauth, store }: DisconnectCompanyServices,
  { grantId, tenantId }: DisconnectedCompany,
  { connectionId, type }: CompanyConnection,
): Promise<void> {
  const known = oauth.types.get(type)
  const address = connectionId === null ? undefined : known?.oauth.disconnectUrl?.(known.endpoints.api, connectionId)
  if (address === undefined) return
  await oauth.client.closeConnection(address, await oauth.tokens.provide(grantId).token())
  await store.across((db) =>
    db.deleteFrom('oauthTenant').where('grantId', '=', grantId).where('tenantId', '=', tenantId).execute(),
  )
}
