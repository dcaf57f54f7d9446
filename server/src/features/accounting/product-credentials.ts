/** A product's own target database, if its tables are not written to the organisation's. */
import type { ProductCredentials } from '@tributary/contract/accounting'
import type { TableSyncCredentials } from '@tributary/contract/table-sync'
import type { CallerContext } from '../../kernel/audit-context.ts'
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
import { badField } from '../../kernel/http/api-fault.ts'
import type { TargetLocation } from '../../connections/databases/open-target.ts'
import type { AppServices } from '../../app-services.ts'
import type { Db } from '../../kernel/store/store.ts'
import { findCredentials, storeCredentials } from '../../connections/databases/stored-credentials.ts'
import type { ConnectorLocation } from '../../connections/connectors/connector-settings.ts'
import { getProduct, probeTargetNow } from './queries.ts'

/** The specification allows the company next to the credentials; if present, it must be the product's. */
export interface EnteredCredentials {
  readonly tenantId?: string | undefined
  readonly creds: TableSyncCredentials
}

interface CredentialsOfProduct {
  readonly key: ConnectorLocation
  readonly entered: EnteredCredentials
}

export async function readProductCredentials(db: Db, key: ConnectorLocation): Promise<ProductCredentials> {
  const {
    tenantIds: [tenantId = ''],
    companyName,
  } = await getProduct(db, key)
  return { tenantId, tenantName: companyName, creds: maskCredentials(await findCredentials(db, key)) }
}

/** @throws the errors of `acceptCredentials`. */
export async function saveProductCredentials(
  db: Db,
  { audit, secrets }: Pick<AppServices, 'audit' | 'secrets'>,
  auditContext: CallerContext,
  { key, entered }: CredentialsOfProduct,
): Promise<void> {
  requireSameCompany(await getProduct(db, key), entered)
  const accepted = await acceptCredentials(db, secrets, key, entered.creds)
  await storeCredentials(db, secrets, { owner: key, savedBy: auditContext.actor.userId }, accepted)
  await probeTargetNow(db, key)
  await audit.record(db, auditContext, {
    organisationId: key.organisationId,
    action: 'database.credentials_changed',
    object: { type: 'connector', id: key.connectorId },
    detail: { after: describeCredentialsForAudit(accepted) },
  })
}

/** The target that would be in effect if the credentials were saved. @throws the errors of `acceptCredentials`. */
export async function resolveTargetToTest(
  db: Db,
  { secrets }: Pick<AppServices, 'secrets'>,
  key: ConnectorLocation,
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

function requireSameCompany(
  product: { readonly tenantIds: readonly string[]; readonly companyName: string },
  { tenantId }: EnteredCredentials,
): void {
  if (tenantId !== undefined && !product.tenantIds.includes(tenantId))
    throw badField('tenantId', `must be the company of this product, ${product.companyName}`)
}
