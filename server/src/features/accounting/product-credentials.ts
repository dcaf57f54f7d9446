/** Where a product's tables are written, where that is not where the organisation's own are. */
import type { ProductCredentials } from '@tributary/contract/accounting'
import type { TableSyncCredentials } from '@tributary/contract/table-sync'
import type { AuditContext } from '../../kernel/audit-context.ts'
import type { Actor } from '../../kernel/http/actor.ts'
import type { AuditAction } from '../../security/audit/audit-actions.ts'
import {
  acceptCredentials,
  describeCredentialsForAudit,
  maskCredentials,
} from '../../connections/databases/credentials-form.ts'
import {
  toTargetProperties,
  chooseSchema,
  applyDefaultTarget,
} from '../../connections/databases/database-credentials.ts'
import { ApiFault, badField } from '../../kernel/http/api-fault.ts'
import type { TargetLocation } from '../../connections/databases/open-target.ts'
import type { AppServices } from '../../app-services.ts'
import type { Db } from '../../kernel/store/store.ts'
import { findCredentials, storeCredentials } from '../../connections/databases/stored-credentials.ts'
import { findProduct, probeTargetNow } from './queries.ts'

export interface ProductPlace {
  readonly organisationId: string
  readonly connectorId: string
}

/** As the specification has it, the company may be named beside the credentials; if it is, it must be the product's. */
export interface Entered {
  readonly tenantId?: string | undefined
  readonly creds: TableSyncCredentials
}

/** Credentials that are entered for a product. */
interface ProductEntry {
  readonly of: ProductPlace
  readonly entered: Entered
}

export async function showCredentials(db: Db, of: ProductPlace): Promise<ProductCredentials> {
  const { tenantId, companyName } = await getProduct(db, of)
  return { tenantId, tenantName: companyName, creds: maskCredentials(await findCredentials(db, of)) }
}

/** Throws what `acceptCredentials` throws. */
export async function saveCredentials(
  db: Db,
  { audit, secrets }: Pick<AppServices, 'audit' | 'secrets'>,
  auditContext: AuditContext<string, Actor>,
  { of, entered }: ProductEntry,
): Promise<void> {
  requireOwn(await getProduct(db, of), entered)
  const accepted = await acceptCredentials(db, secrets, of, entered.creds)
  await storeCredentials(db, secrets, { owner: of, savedBy: auditContext.actor.userId }, accepted)
  await probeTargetNow(db, of.organisationId, of.connectorId)
  await audit.record(
    db,
    auditContext,
    eventOf(of, 'database.credentials_changed', { after: describeCredentialsForAudit(accepted) }),
  )
}

/** The database that would be written to, were they saved. Throws what `acceptCredentials` throws. */
export async function placeToCheck(
  db: Db,
  { secrets }: Pick<AppServices, 'secrets'>,
  of: ProductPlace,
  entered: Entered,
): Promise<TargetLocation> {
  const product = await getProduct(db, of)
  requireOwn(product, entered)
  const accepted = await acceptCredentials(db, secrets, of, entered.creds)
  const { organisationId } = of
  const schema = chooseSchema({}, product.key)
  const settings =
    accepted === null
      ? await applyDefaultTarget(db, secrets, { organisationId, connectorKey: product.key }, {})
      : toTargetProperties({ ...accepted, schema: accepted.schema || schema })
  return { organisationId, settings, schema }
}

async function getProduct(db: Db, { organisationId, connectorId }: ProductPlace) {
  const product = await findProduct(db, organisationId, connectorId)
  if (product === undefined) throw new ApiFault('notFound')
  return product
}

function requireOwn(product: { readonly tenantId: string; readonly companyName: string }, { tenantId }: Entered): void {
  if (tenantId !== undefined && tenantId !== product.tenantId)
    throw badField('tenantId', `must be that of ${product.companyName}, which this product moves`)
}

function eventOf({ organisationId, connectorId }: ProductPlace, action: AuditAction, detail: object) {
  return {
    organisationId,
    action,
    outcome: 'success' as const,
    object: { type: 'connector', id: connectorId },
    detail: { ...detail },
  }
}
