/** The code that whoever sees the console makes the first superadmin with. Only its hash is kept. */
import { createHash, randomBytes } from 'node:crypto'
import { isoTime, type Clock } from '../../kernel/clock.ts'
import type { Store } from '../../kernel/store/store.ts'

export const setupCodeLifeMs = 60 * 60_000

/** A new code, which replaces any other; null where there is a superadmin already. */
export function createSetupCode(store: Store, clock: Clock): Promise<string | null> {
  // Across: the first superadmin belongs to no organisation.
  return store.across(async (db) => {
    const superadmins = db
      .selectFrom('portalUser')
      .innerJoin('role', 'role.id', 'portalUser.providerRoleId')
      .where('role.name', '=', 'superadmin')
    if ((await superadmins.select('portalUser.id').limit(1).executeTakeFirst()) !== undefined) return null
    const code = randomBytes(16).toString('base64url')
    await db.deleteFrom('setupCode').execute()
    await db
      .insertInto('setupCode')
      .values({ hash: hashSetupCode(code), expiresAt: isoTime(clock.now() + setupCodeLifeMs) })
      .execute()
    return code
  })
}

export function hashSetupCode(code: string): Buffer {
  return createHash('sha256').update(code).digest()
}
