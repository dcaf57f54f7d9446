/** A product's own target database, if its tables are not written to the organisation's. */
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

export interface ProductKey {
  readonly organisationId: string
  readonly connectorId: string
}

/** The specification allows the company next to the credentials; if present, it must be the product's. */
export interface EnteredCredentials {
  readonly tenantId?: string | undefined
  readonly creds: TableSyncCredentials
}

interface CredentialsOfProduct {
  readonly key: ProductKey
  readonly entered: EnteredCredentials
}

export async function readProductCredentials(db: Db, key: ProductKey): Promise<ProductCredentials> {
  const { tenantId, companyName } = await getProduct(db, key)
  return { tenantId, tenantName: companyName, creds: maskCredentials(await findCredentials(db, key)) }
}

/** @throws the errors of `acceptCredentials`. */
export async function saveProductCredentials(
  db: Db,
  { audit, secrets }: Pick<AppServices, 'audit' | 'secrets'>,
  auditContext: AuditContext<string, Actor>,
  { key, entered }: CredentialsOfProduct,
): Promise<void> {
  requireSameCompany(await getProduct(db, key), entered)
  const accepted = await acceptCredentials(db, secrets, key, entered.creds)
  await storeCredentials(db, secrets, { owner: key, savedBy: auditContext.actor.userId }, accepted)
  await probeTargetNow(db, key.organisationId, key.connectorId)
  await audit.record(
    db,
    auditContext,
    credentialsEvent(key, 'database.credentials_changed', { after: describeCredentialsForAudit(accepted) }),
  )
}

/** The target that would be in effect if the credentials were saved. @throws the errors of `acceptCredentials`. */
export async function resolveTargetToTest(
  db: Db,
  { secrets }: Pick<AppServices, 'secrets'>,
  key: ProductKey,
  entered: EnteredCredentials,
): Promise<TargetLocation> {
  const product = await getProduct(db, key)
  requireSameCompany(product, entered)
  const accepted = await acceptCredentials(db, secrets, key, entered.creds)
  const { organisationId } = key
  const schema = chooseSchema({}, product.key)
  const settings =
    accepted === null
      ? await applyDefaultTarget(db, secrets, { organisationId, connectorKey: product.key }, {})
      : toTargetProperties({ ...accepted, schema: accepted.schema || schema })
  return { organisationId, settings, schema }
}

async function getProduct(db: Db, { organisationId, connectorId }: ProductKey) {
  const product = await findProduct(db, organisationId, connectorId)
  if (product === undefined) throw new ApiFault('notFound')
  return product
}

function requireSameCompany(
  product: { readonly tenantId: string; readonly companyName: string },
  { tenantId }: EnteredCredentials,
): void {
  if (tenantId !== undefined && tenantId !== product.tenantId)
    throw badField('tenantId', `must be the company of this product, ${product.companyName}`)
}

function credentialsEvent({ organisationId, connectorId }: ProductKey, action: AuditAction, detail: object) {
  return {
    organisationId,
    action,
    outcome: 'success' as const,
    object: { type: 'connector', id: connectorId },
    detail: { ...detail },
  }
}
