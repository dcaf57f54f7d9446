/** Opens the configured databases: the operator's, or the embedded one. */
import type { ClientConfig } from 'pg'
import type { Config } from './kernel/config/config.ts'
import { type DatabaseAddress, parseDatabaseUrl } from './kernel/store/database-url.ts'
import { isDiskFull } from './kernel/embedded/disk-space.ts'
import type { NetworkEndpoint } from './security/egress/egress.ts'
import type { EmbeddedPostgres } from './kernel/embedded/supervisor.ts'
import type { WarehouseServer } from './connections/databases/warehouse-server.ts'

export interface Databases {
  readonly store: ClientConfig
  readonly warehouse: WarehouseServer
  /** Endpoints that no connector may reach. */
  readonly deny: readonly NetworkEndpoint[]
  /** The embedded server, in which the trial's shop lives; null where the operator brings a database. */
  readonly embedded: { readonly superuser: ClientConfig; readonly address: NetworkEndpoint } | null
  /** Whether the disk of the embedded database is full. An operator's database reports that itself. */
  isDiskFull(): boolean
  /** Stops the embedded database if this call started it. */
  close(): Promise<void>
}

/** @param open opens the embedded database: it starts it, or joins the process that owns it. */
export async function openDatabases(
  config: Config,
  open: (home: string) => Promise<EmbeddedPostgres>,
): Promise<Databases> {
  if (config.databaseUrl !== null) {
    const store: DatabaseAddress = parseDatabaseUrl(config.databaseUrl)
    const admin = config.warehouseUrl === null ? store : parseDatabaseUrl(config.warehouseUrl)
    const warehouse = { admin, host: admin.host, port: admin.port }
    return { store, warehouse, deny: [store], embedded: null, isDiskFull: () => false, close: async () => undefined }
  }
  const embedded = await open(config.dataDir)
  const { superuser, warehouse: address } = embedded
  return {
    store: embedded.store,
    warehouse: { admin: superuser, ...address },
    // By TCP the embedded server accepts only the readers of warehouses and of the trial's shop. They cannot reach the
    // store.
    deny: [],
    embedded: { superuser, address },
    isDiskFull: () => isDiskFull(config.dataDir),
    close: () => embedded.stop(),
  }
}
