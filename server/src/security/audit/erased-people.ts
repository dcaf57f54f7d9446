/** Deletes personal fields that are written after their person was erased. */
import { sql } from 'kysely'
import type { StoredAuditEvent } from './audit-chain.ts'
import type { Db, Store } from '../../kernel/store/store.ts'

/** The people of these events who have been erased. */
export async function findErasedPeople(db: Db, events: readonly StoredAuditEvent[]): Promise<ReadonlySet<string>> {
  const ids = [...new Set(events.flatMap(listPeopleOf))]
  const found = await db
    .selectFrom('portalUser')
    .select('id')
    .where(sql<boolean>`id = ANY (${ids}::uuid[])`)
    .where('erasedNumber', 'is not', null)
    .execute()
  return new Set(found.map(({ id }) => id))
}

const idForm = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/u

/** The people whom an event's personal fields identify: the actor, or without one the object; and linked people. */
export function listPeopleOf({ actorId, objectId, detail }: StoredAuditEvent): readonly string[] {
  const { addedIds, removedIds } = detail as Readonly<Record<string, unknown>>
  return [actorId ?? objectId, addedIds, removedIds]
    .flat()
    .filter((id): id is string => typeof id === 'string' && idForm.test(id))
}

/**
 * Deletes personal fields that were written while a person was being erased: by a call in progress, by a process that had cached
 * the session, or by a server of an earlier version. @param since considers people who were erased after this time
 */
export async function deleteLatePersonalFields(store: Store, since: string): Promise<void> {
  // Across: a person may have been a member of several organisations.
  await store.across((db) => {
    const isLate = sql<boolean>`eventId IN (
      SELECT id FROM auditEvent WHERE actorId IN (SELECT person.id FROM portalUser AS person WHERE erasedAt > ${since})
      UNION ALL
      SELECT id FROM auditEvent WHERE actorId IS NULL
        AND objectId IN (SELECT person.id::text FROM portalUser AS person WHERE erasedAt > ${since}))`
    return db.deleteFrom('auditPersonal').where(isLate).execute()
  })
}
