/** Connectors that an organisation shares with other organisations. */
import type { Db } from '../../kernel/store/store.ts'

/** Across: the organisation that shares this connector with that one, null where none does. An archived one shares nothing, and nothing is shared with it. */
export async function findOwner(db: Db, connectorId: string, guestId: string): Promise<string | null> {
  const found = await shares(db)
    .where('connectorId', '=', connectorId)
    .where('guestId', '=', guestId)
    .executeTakeFirst()
  return found?.organisationId ?? null
}

/** Across: those of the organisations that the connector is shared with. */
export async function guestsAmong(db: Db, connectorId: string, ids: readonly string[]): Promise<readonly string[]> {
  if (ids.length === 0) return []
  const rows = await shares(db)
    .where('connectorId', '=', connectorId)
    .where('guestId', 'in', [...ids])
    .orderBy('guestId')
    .execute()
  return rows.map(({ guestId }) => guestId)
}

function shares(db: Db) {
  return db
    .selectFrom('connectorShare')
    .innerJoin('organisation', 'organisation.id', 'connectorShare.organisationId')
    .innerJoin('organisation as guest', 'guest.id', 'connectorShare.guestId')
    .select(['connectorShare.organisationId', 'connectorShare.guestId'])
    .where('organisation.archivedAt', 'is', null)
    .where('guest.archivedAt', 'is', null)
}
