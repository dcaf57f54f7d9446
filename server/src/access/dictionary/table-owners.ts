/** Whose each table and view of a warehouse is. */
import { ApiFault } from '../../kernel/http/api-fault.ts'
import type { Db } from '../../kernel/store/store.ts'
import { findTableWriter, listPlannedRecordIds } from '../logins/queries.ts'
import { ownerOf, type RelationOwner, type TableOwners } from '../logins/readable-relations.ts'
import { readCatalogue } from '../logins/warehouse-catalogue.ts'
import { keyOf } from '../query/table-model.ts'
import type { WarehouseRow } from '../warehouse/queries.ts'
import { asAdminOf, type ServerServices } from '../warehouse/servers/server-of.ts'
import { readHistories, type WarehouseHistory } from '../warehouse/warehouse-histories.ts'

export interface OwnedTable {
  readonly owner: RelationOwner
  /** Persons who are no administrators read only some of its rows. */
  readonly isLimitedByRows: boolean
  readonly history: WarehouseHistory | undefined
}

/** By `keyOf`. Throws `warehouseUnreachable`. */
export async function readOwners(
  services: ServerServices,
  organisationId: string,
  names: WarehouseRow,
): Promise<ReadonlyMap<string, OwnedTable>> {
  const owners = await services.store.within(organisationId, (db) => readTableOwners(db, organisationId))
  const { relations, histories } = await asAdminOf(services, names, async (client) => ({
    relations: (await readCatalogue(client, names)).relations,
    histories: await readHistories(client, names),
  })).catch((cause: unknown) => {
    throw new ApiFault('warehouseUnreachable', { cause })
  })
  return new Map(
    relations.map((relation) => [
      keyOf(relation),
      {
        owner: ownerOf(relation, owners),
        isLimitedByRows: relation.isLimitedByRows,
        history: histories.get(keyOf(relation)),
      },
    ]),
  )
}

export async function readTableOwners(db: Db, organisationId: string): Promise<TableOwners> {
  return {
    tableWriter: await findTableWriter(db, organisationId),
    ...(await listPlannedRecordIds(db, organisationId)),
  }
}
