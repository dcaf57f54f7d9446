/** Records the last use of each reader login, sampled from the open connections of the warehouse server. */
import type { ConnectionServices } from '../../connections/connection-services.ts'
import { isoTime } from '../../kernel/clock.ts'
import { listReaderConnections } from './warehouse-database.ts'
import { recordReaderLastSeenEverywhere } from './queries.ts'

type ReaderLastSeenServices = Pick<ConnectionServices, 'clock' | 'store' | 'warehouse'>

/** Runs one statement on the warehouse server for all organisations, and one on the store for each connected login. */
export async function sampleReaders({ clock, store, warehouse }: ReaderLastSeenServices): Promise<void> {
  const connections = await listReaderConnections(warehouse)
  const seenAt = isoTime(clock.now())
  // Across: the logins belong to all organisations.
  for (const connection of connections)
    await store.across((db) => recordReaderLastSeenEverywhere(db, connection, seenAt))
}
