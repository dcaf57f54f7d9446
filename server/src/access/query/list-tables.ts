/** Lists the tables and views of the warehouse that a person reads. */
import type { Actor } from '../../kernel/http/actor.ts'
import { readTableOwners } from '../dictionary/table-owners.ts'
import { ownerOf, readableRelations, type RelationOwner } from '../logins/readable-relations.ts'
import { readCatalogue } from '../logins/warehouse-catalogue.ts'
import { findWarehouse } from '../warehouse/queries.ts'
import { asAdminOf, type ServerServices } from '../warehouse/servers/server-of.ts'
import { listReadableTables } from './readable-tables.ts'

export interface ReadableTable {
  readonly schema: string
  readonly name: string
  /** Whose table it is. `system`: one that the product keeps for itself, which only administrators read. */
  readonly owner: RelationOwner
  /** Whether the person reads only the rows that their rights allow. */
  readonly isLimitedByRows: boolean
}

/** By schema and name. Empty if the organisation has no warehouse yet. Throws the driver's error if it cannot be reached. */
export async function listTables(
  services: ServerServices,
  organisationId: string,
  actor: Pick<Actor, 'userId'>,
): Promise<readonly ReadableTable[]> {
  const { names, readable, owners } = await services.store.within(organisationId, async (db) => ({
    names: await findWarehouse(db, organisationId),
    readable: await listReadableTables(db, organisationId, actor),
    owners: await readTableOwners(db, organisationId),
  }))
  if (names === undefined || !readable.mayRead) return []
  const { relations } = await asAdminOf(services, names, (client) => readCatalogue(client, names))
  const oids = readableRelations(relations, readable, owners)
  return relations
    .filter(({ oid }) => oids.has(oid))
    .map((relation) => ({
      schema: relation.schema,
      name: relation.name,
      owner: ownerOf(relation, owners),
      isLimitedByRows: readable.versions !== 'all' && relation.isLimitedByRows,
    }))
}
