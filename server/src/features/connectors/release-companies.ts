/** Takes companies off connectors. A company is free for other connectors at once, and a grant without use is revoked after the commit. */
import type { OrganisationContext } from '../../kernel/audit-context.ts'
import { isoTime } from '../../kernel/clock.ts'
import { detailedFault, notFound } from '../../kernel/http/api-fault.ts'
import { afterCommit, type Db } from '../../kernel/store/store.ts'
import type { AppServices } from '../../app-services.ts'
import { lockUndeletedConnector } from '../../connections/connectors/connector-lock.ts'
import type { ConnectorLocation } from '../../connections/connectors/connector-settings.ts'
import type { RemovedCompany } from '../../connections/oauth/connect-companies.ts'
import { type ConnectorCompany, listCompanies } from '../../connections/oauth/connector-companies.ts'
import { disconnectCompany, type DisconnectCompanyServices } from '../../connections/oauth/disconnect-company.ts'

/**
 * The next run removes the rows, unless they stay.
 *
 * @throws `notFound`, `settingsWrong` for the last company
 */
export async function removeCompany(
  db: Db,
  services: DisconnectCompanyServices & Pick<AppServices, 'audit'>,
  auditContext: OrganisationContext,
  { connectorId, tenantId, rows }: RemovedCompany,
): Promise<void> {
  const { organisationId } = auditContext
  const connector = { organisationId, connectorId }
  await lockUndeletedConnector(db, connector)
  const companies = await listCompanies(db, connector)
  const found = companies.find((company) => company.tenantId === tenantId)
  if (found === undefined) throw notFound()
  const others = companies.filter((company) => company !== found && company.state !== 'kept')
  if (others.length === 0)
    throw detailedFault('settingsWrong', 'A connector has at least one company. Delete the connector instead.')
  if (rows === 'stay')
    await db
      .updateTable('connectorCompany')
      .set({ state: 'kept', grantId: null, releasedAt: isoTime(services.clock.now()) })
      .where('organisationId', '=', organisationId)
      .where('connectorId', '=', connectorId)
      .where('tenantId', '=', tenantId)
      .execute()
  else
    await db
      .deleteFrom('connectorCompany')
      .where('organisationId', '=', organisationId)
      .where('connectorId', '=', connectorId)
      .where('tenantId', '=', tenantId)
      .execute()
  disconnectAfterCommit(db, services, found)
  await services.audit.record(db, auditContext, {
    action: 'connector.company_removed',
    object: { type: 'connector', id: connectorId },
    detail: { company: found.name, rows },
  })
}

/** Frees the companies of a connector that is disconnected or deleted. */
export async function releaseCompanies(
  db: Db,
  services: DisconnectCompanyServices,
  { organisationId, connectorId }: ConnectorLocation,
): Promise<void> {
  const companies = await listCompanies(db, { organisationId, connectorId })
  await db
    .updateTable('connectorCompany')
    .set({ releasedAt: isoTime(services.clock.now()), grantId: null })
    .where('organisationId', '=', organisationId)
    .where('connectorId', '=', connectorId)
    .where('releasedAt', 'is', null)
    .execute()
  for (const company of companies) disconnectAfterCommit(db, services, company)
}

function disconnectAfterCommit(
  db: Db,
  services: DisconnectCompanyServices,
  { grantId, tenantId }: Pick<ConnectorCompany, 'grantId' | 'tenantId'>,
): void {
  if (grantId !== null) afterCommit(db, () => void disconnectCompany(services, { grantId, tenantId }))
}
