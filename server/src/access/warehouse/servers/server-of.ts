/** Which server holds an organisation's warehouse. Everything that opens a warehouse resolves its placement here. */
import type { Client } from 'pg'
import type { ConnectionServices } from '../../../connections/connection-services.ts'
import type { WarehouseServer } from '../../../connections/databases/warehouse-server.ts'
import type { WarehouseRow } from '../queries.ts'
import { asAdmin } from '../warehouse-database.ts'
import { getServer, openServer } from './server-rows.ts'

export type ServerServices = Pick<ConnectionServices, 'secrets' | 'store' | 'warehouse'>

/** The server of the settings. It has a row in the store, for its name, region and capacity. */
export const defaultServerId = '00000000-0000-4000-8000-000000000001'

/** Throws `SecretUnreadable` if the password of the server cannot be decrypted. Opens a transaction: do not call within another. */
export async function serverOf(
  services: ServerServices,
  { serverId }: Pick<WarehouseRow, 'serverId'>,
): Promise<WarehouseServer> {
  if (serverId === defaultServerId) return services.warehouse
  // Across: servers belong to no organisation.
  return await services.store.across(async (db) => openServer(db, services, await getServer(db, serverId)))
}

/** Connects to the organisation's warehouse as the admin of its server. Throws the driver's errors. */
export async function asAdminOf<T>(
  services: ServerServices,
  names: Pick<WarehouseRow, 'databaseName' | 'serverId'>,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  return await asAdmin(await serverOf(services, names), names.databaseName, work)
}
