/** Connectors that other organisations share with one. */
import type { Db } from '../../kernel/store/store.ts'

/** Ids of the connectors that are shared with this organisation, by owner. */
export async function listOwnersOfShared(
  db: Db,
  organisationId: string,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = await db
    .selectFrom('connectorShare')
    .selectAll()
    .where('guestId', '=', organisationId)
    .orderBy('organisationId')
    .execute()
  const owners = Map.groupBy(rows, (row) => row.organisationId)
  return new Map([...owners].map(([ownerId, shares]) => [ownerId, shares.map(({ connectorId }) => connectorId)]))
}
