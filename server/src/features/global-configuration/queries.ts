import { sql } from 'kysely'
import { selectFullName } from '../../identity/people/full-name.ts'
import type { Db } from '../../kernel/store/store.ts'

/** What differs from the default, or once did, and who changed it last. */
export function listChanged(db: Db) {
  return db
    .selectFrom('setting')
    .leftJoin('portalUser', 'portalUser.id', 'setting.changedBy')
    .select(['key', 'value', 'changedAt as changedAtUtc', selectFullName('changedBy').as('changedBy')])
    .execute()
}

/** One change at a time, so that each knows what was before it; reading goes on. */
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
