/** The databases that a configuration names: the operator's own, or the embedded one. */
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
  /** What no connector may dial. */
  readonly never: readonly NetworkEndpoint[]
  /** The embedded server, in which the trial's shop lives; null where the operator brings a database. */
  readonly embedded: { readonly superuser: ClientConfig; readonly listens: NetworkEndpoint } | null
  /** Whether the built-in database has no disk space left. An operator's own database says so itself, as long as it runs. */
  isDiskFull(): boolean
  /** Stops what was started. */
  close(): Promise<void>
}

/** @param open how the embedded database is come by: to own it, or to join whoever does. */
export async function openDatabases(
  config: Config,
  open: (home: string) => Promise<EmbeddedPostgres>,
): Promise<Databases> {
  if (config.databaseUrl !== null) {
    const store: DatabaseAddress = parseDatabaseUrl(config.databaseUrl)
    const admin = config.warehouseUrl === null ? store : parseDatabaseUrl(config.warehouseUrl)
    const warehouse = { admin, host: admin.host, port: admin.port }
    return { store, warehouse, never: [store], embedded: null, isDiskFull: () => false, close: async () => undefined }
  }
  const embedded = await open(config.dataDir)
  const { superuser, warehouse: listens } = embedded
  return {
    store: embedded.store,
    warehouse: { admin: superuser, ...listens },
    // By TCP the embedded server lets in readers of the warehouse and of the trial's shop, and nobody to the store.
    never: [],
    embedded: { superuser, listens },
    isDiskFull: () => isDiskFull(config.dataDir),
    close: () => embedded.stop(),
  }
}
