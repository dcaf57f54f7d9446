/**
 * Assigns a company of a token to an organisation as a product: connects the company and stores where its tables are
 * written.
 */
import type { AccountingProduct } from '@tributary/contract/accounting'
import type { TableSyncCredentials } from '@tributary/contract/table-sync'
import type { Camel } from '@tributary/contract/wire'
import type { CallerContext } from '../../kernel/audit-context.ts'
import { ApiFault, badField, requireFound } from '../../kernel/http/api-fault.ts'
import type { GrantedCompany, CompanyConnector } from '../../connections/oauth/connect-companies.ts'
import type { AppServices } from '../../app-services.ts'
import type { Db } from '../../kernel/store/store.ts'
import { saveProductCredentials } from './product-credentials.ts'
import { findConnectorOfCompany, listProducts, setGrant } from './queries.ts'
import { listTenantsEverywhere } from './token-queries.ts'
import { refreshTenants, type TokenServices } from './tokens.ts'

type AssignTenantServices = Pick<AppServices, 'audit' | 'secrets' | 'store'> & TokenServices

export interface TenantAssignment {
  readonly auditContext: CallerContext
  /** Aborts when the caller disconnects. */
  readonly signal: AbortSignal
  readonly tokenId: string
  readonly tenantId: string
  readonly creds: TableSyncCredentials
}

/**
 * @throws the errors of `askTenants` and `acceptCredentials`, and `tenantTaken` if another organisation has the
 * company.
 */
export async function assignTenant(
  services: AssignTenantServices,
  connecting: CompanyConnector,
  assignment: TenantAssignment,
): Promise<Camel<AccountingProduct>> {
  const { auditContext, signal, tokenId, creds } = assignment
  const { organisationId } = auditContext
  const company = await requireReachableCompany(services, assignment, await refreshTenants(services, tokenId, signal))
  return services.store.within(organisationId, async (db) => {
    const connectorId = await connectCompany(db, connecting, auditContext, company)
    await saveProductCredentials(db, services, auditContext, {
      key: { organisationId, connectorId },
      entered: { creds },
    })
    await services.audit.record(db, auditContext, {
      action: 'product.assigned',
      object: { type: 'connector', id: connectorId },
      detail: { tenantId: company.tenantId, tenantName: company.name, tokenId },
    })
    const [product] = await listProducts(db, organisationId, { assignedTo: null, id: connectorId })
    return requireFound(product)
  })
}

/** Takes the company, including its name, from the source's latest reply and not from the form. */
async function requireReachableCompany(
  { store }: Pick<AppServices, 'store'>,
  { auditContext: { organisationId }, tokenId, tenantId }: TenantAssignment,
  { type }: { readonly type: string },
): Promise<GrantedCompany> {
  // Across: the company may belong to another organisation.
  const tenants = await store.across((db) => listTenantsEverywhere(db, tokenId))
  const tenant = tenants.find((one) => one.tenantId === tenantId)
  if (tenant === undefined)
    throw badField('tenantId', 'must be a company that this token reaches; reload the companies of the token')
  const { tenantName: name, country, currency } = tenant
  if (tenant.organisationId !== null && tenant.organisationId !== organisationId)
    throw new ApiFault('tenantTaken', { values: { name } })
  return { type, tenantId, name, country, currency, grantId: tokenId }
}

/**
 * Reuses the connector that reads the company, or did before it was disconnected, with its history. Otherwise adds a
 * connector.
 */
async function connectCompany(
  db: Db,
  connecting: CompanyConnector,
  auditContext: CallerContext,
  company: GrantedCompany,
): Promise<string> {
  const { organisationId } = auditContext
  const existing = await findConnectorOfCompany(db, organisationId, company)
  if (existing === undefined) return connecting.add(db, auditContext, company)
  const { connectorId, isReleased } = existing
  if (isReleased) await connecting.reconnect(db, auditContext, connectorId, [company])
  else await setGrant(db, { organisationId, connectorId }, company)
  return connectorId
}
