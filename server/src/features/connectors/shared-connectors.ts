/** Takes companies off a connector that moves several into one set of tables. */
import type { OrganisationContext } from '../../kernel/audit-context.ts'
import { isoTime } from '../../kernel/clock.ts'
import { detailedFault, notFound } from '../../kernel/http/api-fault.ts'
import { afterCommit, type Db } from '../../kernel/store/store.ts'
import type { AppServices } from '../../app-services.ts'
import { lockUndeletedConnector } from '../../connections/connectors/connector-lock.ts'
import type { ConnectorLocation } from '../../connections/connectors/connector-settings.ts'
import type { RemovedCompany } from '../../connections/oauth/connect-companies.ts'
import { disconnectCompany, type DisconnectCompanyServices } from '../../connections/oauth/disconnect-company.ts'
import { listSharedCompanies } from '../../connections/oauth/shared-companies.ts'

/**
 * The next run removes the rows, unless they stay. Frees the company for other connectors at once.
 *
 * @throws `notFound`, `settingsWrong` for the last company
 */
export async function removeSharedCompany(
  db: Db,
  services: DisconnectCompanyServices & Pick<AppServices, 'audit'>,
  auditContext: OrganisationContext,
  { connectorId, tenantId, rows }: RemovedCompany,
): Promise<void> {
  const { organisationId } = auditContext
  const connector = { organisationId, connectorId }
  await lockUndeletedConnector(db, connector)
  const companies = await listSharedCompanies(db, connector)
  const found = companies.find((company) => company.tenantId === tenantId)
  if (found === undefined) throw notFound()
  const others = companies.filter((company) => company !== found && company.state === 'current')
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
  await linkFirstCompany(db, services, connector)
  const { grantId, name } = found
  if (grantId !== null) afterCommit(db, () => void disconnectCompany(services, { grantId, tenantId }))
  await services.audit.record(db, auditContext, {
    action: 'connector.company_removed',
    object: { type: 'connector', id: connectorId },
    detail: { company: name, rows },
  })
}

/** Points the link of the connector to the first company that it reads. */
export async function linkFirstCompany(
  db: Db,
  { clock }: Pick<AppServices, 'clock'>,
  { organisationId, connectorId }: ConnectorLocation,
): Promise<void> {
  const companies = await listSharedCompanies(db, { organisationId, connectorId })
  const current = companies.filter(({ state, releasedAt }) => state === 'current' && releasedAt === null)
  const first = current.find(({ grantId, deadAt }) => grantId !== null && deadAt === null) ?? current[0]
  if (first === undefined) return
  const { tenantId, name, country, currency, grantId } = first
  await db
    .updateTable('connectorTenant')
    .set({ tenantId, name, country, currency, grantId, releasedAt: null, connectedAt: isoTime(clock.now()) })
    .where('organisationId', '=', organisationId)
    .where('connectorId', '=', connectorId)
    .execute()
}

/** Frees the companies of a connector that is disconnected or deleted. */
export async function releaseSharedCompanies(
  db: Db,
  services: DisconnectCompanyServices,
  { organisationId, connectorId }: ConnectorLocation,
): Promise<void> {
  const companies = await listSharedCompanies(db, { organisationId, connectorId })
  if (companies.length === 0) return
  await db
    .updateTable('connectorCompany')
    .set({ releasedAt: isoTime(services.clock.now()), grantId: null })
    .where('organisationId', '=', organisationId)
    .where('connectorId', '=', connectorId)
    .where('releasedAt', 'is', null)
    .execute()
  for (const { grantId, tenantId } of companies)
    if (grantId !== null) afterCommit(db, () => void disconnectCompany(services, { grantId, tenantId }))
}
