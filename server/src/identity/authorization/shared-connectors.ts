/** Connectors that an organisation shares with other organisations. */
import type { Db } from '../../kernel/store/store.ts'

/**
 * The organisation that shares the connector with `guestId`, or null. Archived organisations do not take part in
 * sharing. `db` is a transaction across organisations.
 */
export async function findOwner(db: Db, connectorId: string, guestId: string): Promise<string | null> {
  const found = await selectShares(db)
    .where('connectorId', '=', connectorId)
    .where('guestId', '=', guestId)
    .executeTakeFirst()
  return found?.organisationId ?? null
}

/** Those of the organisations that the connector is shared with. `db` is a transaction across organisations. */
export async function filterGuests(db: Db, connectorId: string, ids: readonly string[]): Promise<readonly string[]> {
  if (ids.length === 0) return []
  const rows = await selectShares(db)
    .where('connectorId', '=', connectorId)
    .where('guestId', 'in', [...ids])
    .orderBy('guestId')
    .execute()
  return rows.map(({ guestId }) => guestId)
}

function selectShares(db: Db) {
  return db
    .selectFrom('connectorShare')
    .innerJoin('organisation', 'organisation.id', 'connectorShare.organisationId')
    .innerJoin('organisation as guest', 'guest.id', 'connectorShare.guestId')
    .select(['connectorShare.organisationId', 'connectorShare.guestId'])
    .where('organisation.archivedAt', 'is', null)
    .where('guest.archivedAt', 'is', null)
}
