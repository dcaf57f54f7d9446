/** Makes and widens the tables of every product of a token, each in its own database, without moving a row. */
import type { SyncedTable } from '@tributary/contract/table-sync'
import type { Camel } from '@tributary/contract/wire'
import { asFault } from '@tributary/engine/ports/faults'
import {
  baseBundle,
  type OpenSource,
  type ConnectorProperties,
  type Stream,
  type ConnectionContext,
} from '@tributary/engine/ports/source'
import { FencedError, type OpenTarget } from '@tributary/engine/ports/target'
import type { AuditContext } from '../../kernel/audit-context.ts'
import { claimFence } from '../../connections/databases/claim-fence.ts'
import { requireSource } from '../../connections/connectors/connector-types.ts'
import {
  listBundles,
  listGrantedLicences,
  filterLicensedBundles,
} from '../../connections/connectors/connector-licences.ts'
import { lockConnector } from '../../connections/connectors/connector-lock.ts'
import { decryptSettings } from '../../connections/connectors/connector-settings.ts'
import { chooseSchema, applyDefaultTarget } from '../../connections/databases/database-credentials.ts'
import { ApiFault } from '../../kernel/http/api-fault.ts'
import { createOrWidenTable } from '../../planning/tables/create-table.ts'
import { provideCredentials } from '../../connections/oauth/oauth.ts'
import { describeTarget, openTarget, type TargetLocation } from '../../connections/databases/open-target.ts'
import type { AppServices } from '../../app-services.ts'
import type { Db, Store } from '../../kernel/store/store.ts'
import type { WarehouseTarget } from '../../connections/databases/warehouse-server.ts'
import { withTimeout, type WithTimeoutServices } from '../../connections/databases/with-timeout.ts'
import { raiseFence, takeFence, takesEverything } from './queries.ts'
import { findTokenEverywhere, listMovedEverywhere, type Moved } from './token-queries.ts'

type ProductTablesServices = Pick<AppServices, 'audit' | 'log' | 'oauth' | 'secrets' | 'store'> & WithTimeoutServices

export interface TablesRequest {
  readonly tokenId: string
  readonly auditContext: AuditContext
  /** Aborts when the caller goes away. */
  readonly signal: AbortSignal
  readonly warehouseTarget: WarehouseTarget
}

interface Made {
  readonly place: string
  readonly notice: string | null
  readonly tables: readonly Camel<SyncedTable>[]
}

/** A product that cannot be reached says why, and the others are made all the same. */
export async function syncTables(services: ProductTablesServices, request: TablesRequest) {
  // Across: a grant belongs to no organisation.
  const moved = await services.store.across(async (db) => {
    if ((await findTokenEverywhere(db, request.tokenId)) === undefined) throw new ApiFault('notFound')
    return listMovedEverywhere(db, request.tokenId)
  })
  const done = []
  for (const product of moved) {
    request.signal.throwIfAborted()
    const made = await makeAll(services, request, product)
    done.push({ productId: product.connectorId, companyName: product.companyName, ...made })
  }
  return done
}

const timeMaxMs = 5 * 60_000

async function makeAll(
  services: ProductTablesServices,
  { auditContext, signal, warehouseTarget }: TablesRequest,
  product: Moved,
): Promise<Made> {
  const { organisationId, connectorId, connectorKey } = product
  const place = await services.store.within(organisationId, (db) => placeOf(db, services, product))
  const where = describeTarget(place)
  try {
    const orders = await services.store.within(organisationId, (db) =>
      readOrders(db, services, product, place.settings),
    )
    if (orders === undefined) return { place: where, notice: underWay, tables: [] }
    const tables = await withTimeout(services, { signal, timeoutMs: timeMaxMs }, (around) =>
      makeTables(product, { orders, place, around, warehouseTarget, store: services.store }),
    )
    const event = {
      organisationId,
      action: 'tables.synchronised',
      outcome: 'success',
      object: { type: 'connector', id: connectorId },
    } as const
    const detail = { connectorKey, place: where, tables: tables.length }
    await services.store.within(organisationId, (db) => services.audit.record(db, auditContext, { ...event, detail }))
    return { place: where, notice: null, tables }
  } catch (error) {
    if (error instanceof FencedError) return { place: where, notice: underWay, tables: [] }
    const fault = asFault(error)
    if (fault.kind === 'bug')
      services.log.error('the tables of a product could not be made', { organisationId, connectorId, error })
    return { place: where, notice: fault.notice, tables: [] }
  }
}

const underWay = 'A run of this product is under way or waits, and makes the tables itself.'

/** As of a run: the connector's own target, the product's, the organisation's, the warehouse. */
async function placeOf(db: Db, { secrets }: Pick<AppServices, 'secrets'>, product: Moved): Promise<TargetLocation> {
  const { organisationId, connectorKey } = product
  const settings = await applyDefaultTarget(db, secrets, product, await decryptSettings(db, secrets, product))
  return { organisationId, settings, schema: chooseSchema(settings, connectorKey) }
}

interface Orders {
  readonly fence: number
  readonly source: ConnectorProperties
  readonly lent: Pick<ConnectionContext, 'accessTokens'>
  readonly bundles: ReadonlySet<string>
  readonly takesAll: boolean
}

/** Undefined while a run is under way. Throws a `signIn` Fault where somebody must authorise the connector first. */
async function readOrders(
  db: Db,
  { oauth }: Pick<AppServices, 'oauth'>,
  product: Moved,
  settings: ConnectorProperties,
): Promise<Orders | undefined> {
  const { organisationId, connectorId, type } = product
  await lockConnector(db, organisationId, connectorId)
  const { properties, context: around } = await provideCredentials(db, oauth, product)
  const fence = await takeFence(db, organisationId, connectorId)
  if (fence === undefined) return undefined
  const granted = await listGrantedLicences(db, { organisationId, connectorId })
  return {
    fence,
    source: { ...settings, ...properties },
    lent: around,
    // A stream that names no bundle is in the one that every connector has.
    bundles: new Set([baseBundle, ...filterLicensedBundles(listBundles(type), granted).map(({ id }) => id)]),
    takesAll: await takesEverything(db, organisationId, connectorId),
  }
}

interface Making {
  readonly orders: Orders
  readonly place: TargetLocation
  readonly around: ConnectionContext
  readonly warehouseTarget: WarehouseTarget
  readonly store: Store
}

async function makeTables(
  { organisationId, connectorId, type }: Moved,
  { orders, place, around, warehouseTarget, store }: Making,
) {
  const kind = requireSource(type)
  await using source: OpenSource = await kind.open(kind.parse(orders.source), { ...around, ...orders.lent })
  const streams = (await source.streams()).filter(({ bundle = baseBundle }) => orders.bundles.has(bundle))
  await using target = await openTarget(place, around, warehouseTarget)
  const countOnFrom = (newest: number) =>
    store.within(organisationId, (db) =>
      raiseFence(db, organisationId, { connectorId, from: orders.fence, to: newest + 1 }),
    )
  await claimFence(target, { writerId: connectorId, fence: orders.fence, raiseFence: countOnFrom })
  const tables: Camel<SyncedTable>[] = []
  for (const stream of streams) {
    around.signal.throwIfAborted()
    const isAsked = !orders.takesAll && (await wouldChange(target, stream))
    tables.push(isAsked ? { table: stream.table.name, ...waiting } : await createOrWidenTable(target, stream, 'stream'))
  }
  return tables
}

/** New tables need no decision. */
async function wouldChange(target: OpenTarget, stream: Stream): Promise<boolean> {
  return (await target.previewChanges(stream)).some(({ column }) => column !== null)
}

const waiting = {
  kind: 'stream',
  outcome: 'unchanged',
  notice: 'A change of its columns is for the next run to ask about.',
} as const
