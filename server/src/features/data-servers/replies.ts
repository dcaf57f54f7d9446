import type { DataServer, Placement, WarehouseMove } from '@tributary/contract/data-servers'
import type { Camel } from '@tributary/contract/wire'
import type { AppServices } from '../../app-services.ts'
import { findMove } from '../../access/warehouse/moves/move-rows.ts'
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
  const hasStableHost = services.config.warehouseHost !== null
  const common = { regionWish, hasStableHost }
  if (names === undefined) return { ...common, server: null, database: null, host: null, port: null, move: null }
  const row = await getServer(db, names.serverId)
  const address = addressAt(services, { row, server: await openServer(db, services, row) }, key)
  const { id, name, region } = row
  const move = await describeMove(db, organisationId)
  return { ...common, ...address, server: { id, name, region }, database: names.databaseName, move }
}

async function describeMove(db: Db, organisationId: string): Promise<Camel<WarehouseMove> | null> {
  const move = await findMove(db, organisationId)
  if (move === undefined) return null
  const [from, to] = [await getServer(db, move.fromServer), await getServer(db, move.toServer)]
  const { id, state, keepsReadable, tablesTotal, tablesDone, rowsCopied, notice } = move
  return {
    id,
    state,
    keepsReadable,
    tablesTotal,
    tablesDone,
    rowsCopied,
    notice,
    fromServer: { id: from.id, name: from.name },
    toServer: { id: to.id, name: to.name },
    isCancelling: move.cancelRequestedAt !== null && move.endedAt === null,
    requestedAtUtc: move.requestedAt,
    switchedAtUtc: move.switchedAt,
    dropAtUtc: move.dropAt,
    endedAtUtc: move.endedAt,
  }
}
