/** A company that a token reaches becomes a product of an organisation: a connector of that company, and where its tables are written. */
import type { AccountingProduct } from '@tributary/contract/accounting'
import type { TableSyncCredentials } from '@tributary/contract/table-sync'
import type { Camel } from '@tributary/contract/wire'
import type { AuditContext } from '../../kernel/audit-context.ts'
import type { Actor } from '../../kernel/http/actor.ts'
import { ApiFault, badField } from '../../kernel/http/api-fault.ts'
import type { GrantedCompany, CompanyConnector } from '../../connections/oauth/connect-companies.ts'
import type { AppServices } from '../../app-services.ts'
import type { Db } from '../../kernel/store/store.ts'
import { saveCredentials } from './product-credentials.ts'
import { findOfTenant, listProducts, setGrant } from './queries.ts'
import { listTenantsEverywhere } from './token-queries.ts'
import { askTenants, type TokenServices } from './tokens.ts'

type AssignTenantServices = Pick<AppServices, 'audit' | 'secrets' | 'store'> & TokenServices

export interface Assignment {
  readonly auditContext: AuditContext<string, Actor>
  /** Aborts when the caller goes away. */
  readonly signal: AbortSignal
  readonly tokenId: string
  readonly tenantId: string
  readonly creds: TableSyncCredentials
}

/** Throws what asking the source and what `acceptCredentials` throws, and `tenantTaken` for one that another organisation has. */
export async function assignTenant(
  services: AssignTenantServices,
  connecting: CompanyConnector,
  assignment: Assignment,
): Promise<Camel<AccountingProduct>> {
  const { auditContext, signal, tokenId, creds } = assignment
  const { organisationId } = auditContext
  const company = await requireReached(services, assignment, await askTenants(services, tokenId, signal))
  return services.store.within(organisationId, async (db) => {
    const connectorId = await connect(db, connecting, auditContext, company)
    await saveCredentials(db, services, auditContext, { of: { organisationId, connectorId }, entered: { creds } })
    const detail = { tenantId: company.tenantId, tenantName: company.name, tokenId }
    const object = { type: 'connector', id: connectorId }
    await services.audit.record(db, auditContext, {
      action: 'product.assigned',
      outcome: 'success',
      object,
      detail,
    })
    const [product] = await listProducts(db, organisationId, { assignedTo: null, id: connectorId })
    if (product === undefined) throw new ApiFault('notFound')
    return product
  })
}

/** Whatever the form says, only what the source has just told counts, the company's name included. */
async function requireReached(
  { store }: Pick<AppServices, 'store'>,
  { auditContext: { organisationId }, tokenId, tenantId }: Assignment,
  { type }: { readonly type: string },
): Promise<GrantedCompany> {
  // Across: the company may be another organisation's.
  const tenants = await store.across((db) => listTenantsEverywhere(db, tokenId))
  const tenant = tenants.find((one) => one.tenantId === tenantId)
  if (tenant === undefined)
    throw badField('tenantId', 'is a company that this token does not reach; load the companies of the token again')
  const { tenantName: name, country, currency } = tenant
  if (tenant.organisationId !== null && tenant.organisationId !== organisationId)
    throw new ApiFault('tenantTaken', { values: { name } })
  return { type, tenantId, name, country, currency, grantId: tokenId }
}

/** The connector that has the company, or had it before it was disconnected, keeps its history; else there is a new one. */
async function connect(
  db: Db,
  connecting: CompanyConnector,
  auditContext: AuditContext<string, Actor>,
  company: GrantedCompany,
): Promise<string> {
  const former = await findOfTenant(db, auditContext.organisationId, company)
  if (former === undefined) return connecting.add(db, auditContext, company)
  if (former.isReleased) await connecting.reconnect(db, auditContext, former.connectorId, company)
  else await setGrant(db, auditContext.organisationId, former.connectorId, company.grantId)
  return former.connectorId
}
