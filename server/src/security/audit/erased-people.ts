/** What an event says of somebody who is erased already goes as well, however late it comes to lie beside the event. */
import { sql } from 'kysely'
import type { WholeEvent } from './audit-chain.ts'
import type { Db, Store } from '../../kernel/store/store.ts'

/** Those among the people of these events who are erased. */
export async function findErased(db: Db, events: readonly WholeEvent[]): Promise<ReadonlySet<string>> {
  const ids = [...new Set(events.flatMap(peopleOf))]
  const found = await db
    .selectFrom('portalUser')
    .select('id')
    .where(sql<boolean>`id = ANY (${ids}::uuid[])`)
    .where('erasedNumber', 'is not', null)
    .execute()
  return new Set(found.map(({ id }) => id))
}

const idForm = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/u

/** Whom it names by what lies beside it: who did it or, where nobody did, whom it befell; and who was linked to something. */
export function peopleOf({ actorId, objectId, detail }: WholeEvent): readonly string[] {
  const { addedIds, removedIds } = detail as Readonly<Record<string, unknown>>
  return [actorId ?? objectId, addedIds, removedIds]
    .flat()
    .filter((id): id is string => typeof id === 'string' && idForm.test(id))
}

/**
 * What was still being written while somebody was erased: by a call of theirs under way, by a process that knew their session
 * for a moment longer, by a server from before. @param since of those who were erased after that.
 */
export async function forgetErased(store: Store, since: string): Promise<void> {
  // Across: a person may have been of several organisations.
  await store.across((db) => {
    const isLate = sql<boolean>`eventId IN (
      SELECT id FROM auditEvent WHERE actorId IN (SELECT person.id FROM portalUser AS person WHERE erasedAt > ${since})
      UNION ALL
      SELECT id FROM auditEvent WHERE actorId IS NULL
        AND objectId IN (SELECT person.id::text FROM portalUser AS person WHERE erasedAt > ${since}))`
    return db.deleteFrom('auditPersonal').where(isLate).execute()
  })
}
