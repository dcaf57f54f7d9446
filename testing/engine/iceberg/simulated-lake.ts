/** A simulated Iceberg catalog with object storage, and the settings of a target in it. */
import { type LakeOptions, type LakeSimulator, startLake } from '@tributary/sims/iceberg/server'
import type { IcebergCatalog, LoadedTable, TableCommit } from '@tributary/engine/databases/iceberg/catalog/catalog'
import type { IcebergSchema, Snapshot } from '@tributary/engine/databases/iceberg/catalog/metadata'
import { openCatalog } from '@tributary/engine/databases/iceberg/settings/open-catalog'
import { parseSettings } from '@tributary/engine/databases/iceberg/settings/settings'
import type { ConnectionContext, ConnectorProperties } from '@tributary/engine/ports/source'
import { connectionContext } from '../sync/source-context.ts'

export const orders = { namespace: ['sales', 'eu'], name: 'orders' }
export const orderSchema: IcebergSchema = {
  type: 'struct',
  'schema-id': 0,
  fields: [{ id: 1, name: 'id', required: true, type: 'long' }],
}

/** Simulator and catalogs share a clock, which can be set forward and on which every pause is over at once. */
export class SimulatedLake implements AsyncDisposable {
  readonly context: ConnectionContext
  readonly simulator: LakeSimulator
  readonly #catalogs: IcebergCatalog[] = []
  readonly #clock: { aheadMs: number }

  private constructor(simulator: LakeSimulator, context: ConnectionContext, clock: { aheadMs: number }) {
    this.simulator = simulator
    this.context = context
    this.#clock = clock
  }

  static async start(options: Partial<LakeOptions> = {}): Promise<SimulatedLake> {
    const ahead = { aheadMs: 0 }
    const clock = { now: () => Date.now() + ahead.aheadMs, sleep: async () => {} }
    const simulator = await startLake({ clock, vends: true, ...options })
    return new SimulatedLake(simulator, { ...connectionContext(), clock }, ahead)
  }

  advance(ms: number): void {
    this.#clock.aheadMs += ms
  }

  properties(more: ConnectorProperties = {}): ConnectorProperties {
    const { url, clientId, clientSecret } = this.simulator
    return {
      'target.connectionString': {
        connector: 'iceberg',
        uri: url,
        warehouse: 'main',
        'client-id': clientId,
        'client-secret': clientSecret,
        ...more,
      },
      'target.schema': orders.namespace.join('.'),
    }
  }

  /** The access key of the storage in the settings, instead of vended credentials. */
  ownKeys(): ConnectorProperties {
    return {
      storage: 's3',
      's3.endpoint': this.simulator.store.url,
      's3.region': 'eu-central-1',
      's3.path-style-access': true,
      's3.access-key-id': 'AKIATRIBUTARY',
      's3.secret-access-key': 'the/secret+key',
    }
  }

  /** A catalog with the namespace of the orders. */
  async catalog(more?: ConnectorProperties): Promise<IcebergCatalog> {
    const catalog = await openCatalog(parseSettings(this.properties(more)), this.context)
    this.#catalogs.push(catalog)
    await catalog.ensureNamespace(orders.namespace)
    return catalog
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const catalog of this.#catalogs) await catalog[Symbol.asyncDispose]()
    await this.simulator.close()
  }
}

/** A commit of a new snapshot without files, which requires the snapshot of `table`. */
export function appendSnapshot(table: LoadedTable, id: bigint, identifier = orders): TableCommit {
  const current = table.metadata['current-snapshot-id'] ?? null
  const snapshot: Snapshot = {
    'snapshot-id': id,
    ...(current !== null && { 'parent-snapshot-id': current }),
    'sequence-number': table.metadata['last-sequence-number'] + 1,
    'timestamp-ms': 1_790_000_000_000,
    'manifest-list': `${table.metadata.location}/metadata/list.avro`,
    summary: { operation: 'append' },
    'schema-id': 0,
  }
  return {
    identifier,
    requirements: [{ type: 'assert-ref-snapshot-id', ref: 'main', 'snapshot-id': current }],
    updates: [
      { action: 'add-snapshot', snapshot },
      { action: 'set-snapshot-ref', 'ref-name': 'main', type: 'branch', 'snapshot-id': id },
      { action: 'set-properties', updates: { 'tributary.checkpoint': String(id) } },
    ],
  }
}
