import { sql } from 'kysely'
import { selectFullName } from '../../identity/people/full-name.ts'
import type { Db } from '../../kernel/store/store.ts'

/** The settings that were ever changed, and who changed each last. */
export function listChanged(db: Db) {
  return db
    .selectFrom('setting')
    .leftJoin('portalUser', 'portalUser.id', 'setting.changedBy')
    .select(['key', 'value', 'changedAt as changedAtUtc', selectFullName('changedBy').as('changedBy')])
    .execute()
}

/** Serialises changes, so that each records the right value before it. Does not block reads. */
export async function lockSettings(db: Db): Promise<void> {
  await sql`LOCK TABLE setting IN SHARE ROW EXCLUSIVE MODE`.execute(db)
}

export async function saveSetting(
  db: Db,
  setting: { readonly key: string; readonly value: boolean; readonly changedAt: string; readonly changedBy: string },
): Promise<void> {
  const { key: _, ...change } = setting
  await db
    .insertInto('setting')
    .values(setting)
    .onConflict((conflict) => conflict.column('key').doUpdateSet(change))
    .execute()
}
