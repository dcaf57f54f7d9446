/** Releases the company of a connector that was authorised by signing in at its source. */
import { isoTime } from '../../kernel/clock.ts'
import { disconnectCompany, type DisconnectCompanyServices } from '../../connections/oauth/disconnect-company.ts'
import { afterCommit, type Db } from '../../kernel/store/store.ts'
import type { ConnectorLocation } from '../../connections/connectors/connector-settings.ts'

/** Frees the company for other connectors at once, and revokes a grant that is no longer used after the commit. */
export async function releaseCompany(
  db: Db,
  services: DisconnectCompanyServices,
  { organisationId, connectorId }: ConnectorLocation,
): Promise<void> {
  const former = await db
    .selectFrom('connectorTenant')
    .select(['grantId', 'tenantId', 'type'])
    .where('organisationId', '=', organisationId)
    .where('connectorId', '=', connectorId)
    .where('releasedAt', 'is', null)
    .executeTakeFirst()
  if (former === undefined) return
  await db
    .updateTable('connectorTenant')
    .set({ releasedAt: isoTime(services.clock.now()), grantId: null })
    .where('organisationId', '=', organisationId)
    .where('connectorId', '=', connectorId)
    .execute()
  const { grantId, tenantId } = former
  if (grantId !== null) afterCommit(db, () => void disconnectCompany(services, { grantId, tenantId }))
}
