/** Records the last use of each reader login, sampled from the open connections of the warehouse server. */
import type { ConnectionServices } from '../../connections/connection-services.ts'
import type { WarehouseServer } from '../../connections/databases/warehouse-server.ts'
import { isoTime } from '../../kernel/clock.ts'
import { forEachServer } from './servers/each-server.ts'
import { listReaderConnections } from './warehouse-database.ts'
import { recordReaderLastSeenEverywhere } from './queries.ts'

type ReaderLastSeenServices = Pick<ConnectionServices, 'clock' | 'secrets' | 'store' | 'warehouse'>

/** Runs one statement on each server for all organisations, and one on the store for each connected login. */
export function sampleReaders(services: ReaderLastSeenServices): Promise<void> {
  return forEachServer(services, ({ server }) => sampleReadersOf(services, server))
}

/** Of one server, so that a page does not wait for the others. */
export async function sampleReadersOf(
  { clock, store }: ReaderLastSeenServices,
  server: WarehouseServer,
): Promise<void> {
  const connections = await listReaderConnections(server)
  const seenAt = isoTime(clock.now())
  // Across: the logins belong to all organisations.
  for (const connection of connections)
    await store.across((db) => recordReaderLastSeenEverywhere(db, connection, seenAt))
}
