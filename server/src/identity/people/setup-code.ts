/** The setup code, printed to the console, with which the first superadmin is created. Only its hash is stored. */
import { randomBytes } from 'node:crypto'
import { isoTime, type Clock } from '../../kernel/clock.ts'
import type { Store } from '../../kernel/store/store.ts'
import { hashOf } from '../../security/secrets/one-time-codes.ts'

export const setupCodeMs = 60 * 60_000

/** Creates a code, which replaces any former one. Null if a superadmin exists. */
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
      .values({ hash: hashOf(code), expiresAt: isoTime(clock.now() + setupCodeMs) })
      .execute()
    return code
  })
}
