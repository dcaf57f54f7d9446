/** Who uses the read-only logins: sampled from the connections that the warehouse's server has just now. */
import type { WarehouseServer } from '../../connections/databases/warehouse-server.ts'
import type { Store } from '../../kernel/store/store.ts'
import { isoTime, type Clock } from '../../kernel/clock.ts'
import { listReaderConnections } from './warehouse-database.ts'
import { rememberReaderEverywhere } from './queries.ts'

interface ReaderLastSeenServices {
  readonly clock: Clock
  readonly store: Store
  readonly warehouse: WarehouseServer
}

/** One statement at the warehouse for all organisations, and one at the store for each login that is connected. */
export async function sampleReaders({ clock, store, warehouse }: ReaderLastSeenServices): Promise<void> {
  const connections = await listReaderConnections(warehouse)
  const seenAt = isoTime(clock.now())
  // Across: the logins are of all organisations.
  for (const connection of connections) await store.across((db) => rememberReaderEverywhere(db, connection, seenAt))
}
