/** Where reporting tools connect to an organisation's warehouse, as its connection details name it. */
import type { ConnectionServices } from '../../../connections/connection-services.ts'
import type { WarehouseServer } from '../../../connections/databases/warehouse-server.ts'
import type { WarehouseRow } from '../queries.ts'
import { getServer, openServer, type ServerRow } from './server-rows.ts'

export interface ReaderAddress {
  readonly host: string
  readonly port: number
  readonly server: WarehouseServer
  /** Null: the provider has named none. */
  readonly region: string | null
}

type AddressServices = Pick<ConnectionServices, 'config' | 'secrets' | 'store' | 'warehouse'>

/** Opens a transaction: do not call within another. */
export async function readerAddressOf(
  services: AddressServices,
  { organisationId, serverId }: Pick<WarehouseRow, 'organisationId' | 'serverId'>,
): Promise<ReaderAddress> {
  // Across: servers belong to no organisation.
  return await services.store.across(async (db) => {
    const row = await getServer(db, serverId)
    const server = await openServer(db, services, row)
    const { key } = await db
      .selectFrom('organisation')
      .select('key')
      .where('id', '=', organisationId)
      .executeTakeFirstOrThrow()
    return { ...addressAt(services, { row, server }, key), server, region: row.region }
  })
}

interface OpenedServer {
  readonly row: Pick<ServerRow, 'readerHost' | 'readerPort'>
  readonly server: WarehouseServer
}

/** @param organisationKey part of the stable name, if the provider has set one */
export function addressAt(
  { config }: Pick<ConnectionServices, 'config'>,
  { row, server }: OpenedServer,
  organisationKey: string,
): Pick<ReaderAddress, 'host' | 'port'> {
  const stable = config.warehouseHost?.replaceAll('{organisation}', organisationKey)
  return { host: stable ?? row.readerHost ?? server.host, port: row.readerPort ?? server.port }
}
