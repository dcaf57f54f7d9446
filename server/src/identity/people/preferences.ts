/** The preferences of a person, for their own calls and for the reply to a sign-in. */
import type { Preferences } from '@tributary/contract/preferences'
import type { Camel } from '@tributary/contract/wire'
import type { Db } from '../../kernel/store/store.ts'

export function getPreferences(db: Db, userId: string): Promise<Camel<Preferences>> {
  return selectPreferences(db, userId).executeTakeFirstOrThrow()
}

/** Locks the row, so that a concurrent change does not overwrite what was not sent. */
export function lockPreferences(db: Db, userId: string): Promise<Camel<Preferences>> {
  return selectPreferences(db, userId).forNoKeyUpdate().executeTakeFirstOrThrow()
}

export async function updatePreferences(
  db: Db,
  userId: string,
  { tables, ...columns }: Camel<Preferences>,
): Promise<void> {
  await db
    .updateTable('portalUser')
    .set({ ...columns, tableColumns: JSON.stringify(tables) })
    .where('id', '=', userId)
    .execute()
}

function selectPreferences(db: Db, userId: string) {
  return db
    .selectFrom('portalUser')
    .select(['locale', 'timeZone', 'keyboardShortcuts', 'density', 'tableColumns as tables'])
    .where('id', '=', userId)
}
