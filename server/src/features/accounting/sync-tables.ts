/** Creates and widens the tables of every product of a token in the product's target, without writing rows. */
import type { SyncedTable } from '@tributary/contract/table-sync'
import type { Camel } from '@tributary/contract/wire'
import type { CompanyFailure } from '@tributary/engine/ports/companies'
import { asFault } from '@tributary/engine/ports/faults'
import {
  baseBundle,
  type ConnectorProperties,
  type Stream,
  type ConnectionContext,
} from '@tributary/engine/ports/source'
import { FencedError, type OpenTarget } from '@tributary/engine/ports/target'
import type { AuditContext } from '../../kernel/audit-context.ts'
import { claimFence } from '../../connections/databases/claim-fence.ts'
import {
  listBundles,
  listGrantedLicences,
  filterLicensedBundles,
} from '../../connections/connectors/connector-licences.ts'
import { lockConnector } from '../../connections/connectors/connector-lock.ts'
import { decryptSettings } from '../../connections/connectors/connector-settings.ts'
import { openSource } from '../../connections/connectors/open-source.ts'
import { chooseSchema, applyDefaultTarget } from '../../connections/databases/database-credentials.ts'
import { ApiFault } from '../../kernel/http/api-fault.ts'
import { createOrWidenTable } from '../../planning/tables/create-table.ts'
import { provideCredentials } from '../../connections/oauth/oauth.ts'
import { describeTarget, openTarget, type TargetLocation } from '../../connections/databases/open-target.ts'
import type { AppServices } from '../../app-services.ts'
import type { Db } from '../../kernel/store/store.ts'
import type { WarehouseTarget } from '../../connections/databases/warehouse-server.ts'
import { withTimeout, type WithTimeoutServices } from '../../connections/databases/with-timeout.ts'
import { raiseFence, takeFence, appliesSchemaChanges } from './queries.ts'
import { findTokenEverywhere, listConnectedProductsEverywhere, type ConnectedProduct } from './token-queries.ts'

type ProductTablesServices = Pick<AppServices, 'audit' | 'log' | 'oauth' | 'secrets' | 'store'> & WithTimeoutServices

export interface ProductTableSyncRequest {
  readonly tokenId: string
  readonly auditContext: AuditContext
  /** Aborts when the caller disconnects. */
  readonly signal: AbortSignal
  readonly warehouseTarget: WarehouseTarget
}

/** A product whose target fails is reported with the reason and does not stop the others. */
export async function syncTables(services: ProductTablesServices, request: ProductTableSyncRequest) {
  // Across: a grant belongs to no organisation.
  const products = await services.store.across(async (db) => {
    if ((await findTokenEverywhere(db, request.tokenId)) === undefined) throw new ApiFault('notFound')
    return listConnectedProductsEverywhere(db, request.tokenId)
  })
  const results = []
  for (const product of products) {
    request.signal.throwIfAborted()
    const outcome = await createProductTables(services, request, product)
    results.push({ productId: product.connectorId, companyName: product.companyName, ...outcome })
  }
  return results
}

const timeoutMs = 5 * 60_000

async function createProductTables(
  services: ProductTablesServices,
  { auditContext, signal, warehouseTarget }: ProductTableSyncRequest,
  product: ConnectedProduct,
) {
  const { organisationId, connectorId, connectorKey } = product
  const target = await services.store.within(organisationId, (db) => locateTarget(db, services, product))
  const place = describeTarget(target)
  try {
    const plan = await services.store.within(organisationId, (db) =>
      planTableSync(db, services, product, target.settings),
    )
    if (plan === undefined) return { place, notice: runUnderWay, tables: [] }
    const { tables, notice } = await withTimeout(services, signal, timeoutMs, (around) =>
      createTables(services, product, { plan, location: target, around, warehouseTarget }),
    )
    const event = {
      organisationId,
      action: 'tables.synchronised',
      object: { type: 'connector', id: connectorId },
    } as const
    const detail = { connectorKey, place, tables: tables.length }
    await services.store.within(organisationId, (db) => services.audit.record(db, auditContext, { ...event, detail }))
    return { place, notice, tables }
  } catch (error) {
    if (error instanceof FencedError) return { place, notice: runUnderWay, tables: [] }
    const fault = asFault(error)
    if (fault.kind === 'bug')
      services.log.error('the tables of a product could not be made', { organisationId, connectorId, error })
    return { place, notice: fault.notice, tables: [] }
  }
}

const runUnderWay = 'A run of this product is queued or under way and creates the tables itself.'

/** In the same order as a run: the target of the connector, of the product, of the organisation, then the warehouse. */
async function locateTarget(
  db: Db,
  { secrets }: Pick<AppServices, 'secrets'>,
  product: ConnectedProduct,
): Promise<TargetLocation> {
  const { organisationId, connectorKey } = product
  const settings = await applyDefaultTarget(db, secrets, product, await decryptSettings(db, secrets, product))
  return { organisationId, settings, schema: chooseSchema(settings, connectorKey) }
}

/**
 * Returns undefined while a run is queued or under way.
 *
 * @throws a `signIn` Fault if the connector must be authorised first.
 */
async function planTableSync(
  db: Db,
  { oauth }: Pick<AppServices, 'oauth'>,
  product: ConnectedProduct,
  settings: ConnectorProperties,
) {
  await lockConnector(db, product)
  const lent = await provideCredentials(db, oauth, product)
  const fence = await takeFence(db, product)
  if (fence === undefined) return undefined
  const granted = await listGrantedLicences(db, product)
  return {
    fence,
    settings,
    lent,
    // A stream without a bundle is in the base bundle, which every connector has.
    bundles: new Set([baseBundle, ...filterLicensedBundles(listBundles(product.type), granted).map(({ id }) => id)]),
    appliesAllChanges: await appliesSchemaChanges(db, product),
  }
}

interface TableCreation {
  readonly plan: NonNullable<Awaited<ReturnType<typeof planTableSync>>>
  readonly location: TargetLocation
  readonly around: ConnectionContext
  readonly warehouseTarget: WarehouseTarget
}

async function createTables(
  { store }: Pick<AppServices, 'store'>,
  product: ConnectedProduct,
  { plan, location, around, warehouseTarget }: TableCreation,
) {
  const { type, organisationId, connectorId } = product
  await using source = await openSource({ ...plan, type, log: () => undefined }, around)
  const streams = (await source.streams()).filter(({ bundle = baseBundle }) => plan.bundles.has(bundle))
  await using target = await openTarget(location, around, warehouseTarget)
  const raiseTo = (newest: number) =>
    store.within(organisationId, (db) => raiseFence(db, product, { from: plan.fence, to: newest + 1 }))
  await claimFence(target, connectorId, plan.fence, raiseTo)
  const tables: Camel<SyncedTable>[] = []
  for (const stream of streams) {
    around.signal.throwIfAborted()
    const needsDecision = !plan.appliesAllChanges && (await hasColumnChanges(target, stream))
    tables.push(
      needsDecision
        ? { table: stream.table.name, ...awaitingDecision }
        : await createOrWidenTable(target, stream, 'stream'),
    )
  }
  return { tables, notice: describeFailures(source.companies?.failures() ?? []) }
}

/** The other companies of the product have their columns, so its tables are made all the same. */
function describeFailures(failures: readonly CompanyFailure[]): string | null {
  return failures.map(({ company, fault }) => `${company.name}: ${fault.notice}`).join(' ') || null
}

/** Ignores new tables, which need no decision. */
async function hasColumnChanges(target: OpenTarget, stream: Stream): Promise<boolean> {
  return (await target.previewChanges(stream)).some(({ column }) => column !== null)
}

const awaitingDecision = {
  kind: 'stream',
  outcome: 'unchanged',
  notice: 'Its columns have changed. The next run asks for a decision.',
} as const
