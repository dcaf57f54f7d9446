/** The rows of the PostgreSQL servers that hold warehouses. They belong to no organisation: `db` must see all. */
import { sql } from 'kysely'
import type { ConnectionServices } from '../../../connections/connection-services.ts'
import type { WarehouseServer } from '../../../connections/databases/warehouse-server.ts'
import type { Db } from '../../../kernel/store/store.ts'

/** The default server first, then by name. */
export function listServers(db: Db) {
  return selectServers(db).orderBy('isDefault', 'desc').orderBy('name').execute()
}

export function getServer(db: Db, id: string) {
  return selectServers(db).where('id', '=', id).executeTakeFirstOrThrow()
}

export function findServer(db: Db, id: string) {
  return selectServers(db).where('id', '=', id).executeTakeFirst()
}

function selectServers(db: Db) {
  return db
    .selectFrom('warehouseServer')
    .selectAll()
    .select(
      sql<number>`(SELECT count(*)::int FROM warehouse WHERE warehouse.serverId = warehouseServer.id)`.as('databases'),
    )
}

export type ServerRow = Awaited<ReturnType<typeof getServer>>

/** What is needed to sign in to a server. */
export type ServerAddress = Pick<ServerRow, 'host' | 'port' | 'databaseName' | 'userName' | 'tls' | 'caCertificate'>

/** Decrypts the password. The default server is `warehouse` of the services. */
export async function openServer(
  db: Db,
  { secrets, warehouse }: Pick<ConnectionServices, 'secrets' | 'warehouse'>,
  row: ServerRow,
): Promise<WarehouseServer> {
  if (row.isDefault) return warehouse
  return serverAt(row, await secrets.decrypt(db, passwordLocation(row.id), row.password ?? ''))
}

export function serverAt(address: ServerAddress, password: string): WarehouseServer {
  const { host, port, databaseName, userName, tls, caCertificate } = address
  if (host === null || port === null || databaseName === null || userName === null)
    throw new Error('A registered server has no address.')
  const ca = caCertificate === null ? {} : { ca: caCertificate }
  const ssl = tls === 'off' ? {} : { ssl: { rejectUnauthorized: tls === 'verified', ...ca } }
  return { admin: { host, port, database: databaseName, user: userName, password, ...ssl }, host, port }
}

export function passwordLocation(id: string) {
  return { organisationId: null, table: 'warehouse_server', column: 'password', row: id } as const
}
