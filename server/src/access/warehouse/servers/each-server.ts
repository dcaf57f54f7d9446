/** Work on every server that holds warehouses, such as checks of its logins. */
import type { WarehouseServer } from '../../../connections/databases/warehouse-server.ts'
import { defaultServerId, type ServerServices } from './server-of.ts'
import { listServers, openServer } from './server-rows.ts'

export interface PlacedServer {
  readonly id: string
  readonly server: WarehouseServer
}

/** A server that fails does not keep the others from their turn: the first error is thrown after the last server. */
export async function forEachServer(
  services: ServerServices,
  work: (server: PlacedServer) => Promise<void>,
): Promise<void> {
  const rows = await services.store.across(listServers)
  const errors: unknown[] = []
  for (const row of rows) {
    try {
      const server =
        row.id === defaultServerId
          ? services.warehouse
          : await services.store.across((db) => openServer(db, services, row))
      await work({ id: row.id, server })
    } catch (error) {
      errors.push(error)
    }
  }
  if (errors.length > 0) throw errors[0]
}
