import type { DataServer, Placement } from '@tributary/contract/data-servers'
import type { Camel } from '@tributary/contract/wire'
import type { AppServices } from '../../app-services.ts'
import { findWarehouse } from '../../access/warehouse/queries.ts'
import { addressAt } from '../../access/warehouse/servers/reader-address.ts'
import { getServer, openServer, type ServerRow } from '../../access/warehouse/servers/server-rows.ts'
import type { Db } from '../../kernel/store/store.ts'

/** Without the password. */
export function toDataServer(row: ServerRow, { warehouse }: Pick<AppServices, 'warehouse'>): Camel<DataServer> {
  const { password: _, createdAt: __, databaseName, userName, checkedAt, unreachableSince, ...rest } = row
  return {
    ...rest,
    host: row.host ?? warehouse.host,
    port: row.port ?? warehouse.port,
    database: databaseName,
    user: userName,
    checkedAtUtc: checkedAt,
    unreachableSinceUtc: unreachableSince,
  }
}

/** @param db sees all organisations */
export async function describePlacement(
  db: Db,
  services: Pick<AppServices, 'config' | 'secrets' | 'warehouse'>,
  organisationId: string,
): Promise<Camel<Placement>> {
  const { dataRegion: regionWish, key } = await db
    .selectFrom('organisation')
    .select(['dataRegion', 'key'])
    .where('id', '=', organisationId)
    .executeTakeFirstOrThrow()
  const names = await findWarehouse(db, organisationId)
  if (names === undefined) return { server: null, database: null, regionWish, host: null, port: null }
  const row = await getServer(db, names.serverId)
  const address = addressAt(services, { row, server: await openServer(db, services, row) }, key)
  const { id, name, region } = row
  return { server: { id, name, region }, database: names.databaseName, regionWish, ...address }
}
