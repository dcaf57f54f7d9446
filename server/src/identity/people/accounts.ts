/**
 * The accounts of people, as sign-in, sign-up and password resets read them. Service accounts are not among them, because they
 * cannot sign in. Across: an account belongs to no organisation.
 */
import { sql } from 'kysely'
import type { Db } from '../../kernel/store/store.ts'

export function selectAccounts(db: Db) {
  return (
    db
      .selectFrom('portalUser')
      .innerJoin('status', 'status.id', 'portalUser.statusId')
      .select(['portalUser.id', 'portalUser.emailAddress', 'passwordHash', 'status.name as status'])
      // False if an administrator may know the password.
      .select(['isProven', 'lastSignInAt', 'failedSignIns'])
      .select(sql<boolean>`providerRoleId is not null`.as('isProvider'))
      .where('isService', '=', false)
  )
}

export type Account = Awaited<ReturnType<ReturnType<typeof selectAccounts>['executeTakeFirstOrThrow']>>

export function findAccount(db: Db, emailAddress: string): Promise<Account | undefined> {
  return selectAccounts(db)
    .where(sql`lower(emailAddress)`, '=', emailAddress.toLowerCase())
    .executeTakeFirst()
}

/**
 * Returns undefined for a locked or archived account, too. `lock` serialises with a password change and with locking
 * the account: one that commits earlier is visible here, a later one waits and then ends the session that this
 * transaction creates.
 */
export function findActiveAccount(
  db: Db,
  userId: string,
  purpose: 'read' | 'lock' = 'read',
): Promise<Account | undefined> {
  const query = selectAccounts(db).where('portalUser.id', '=', userId).where('status.name', '=', 'active')
  return (purpose === 'lock' ? query.forNoKeyUpdate('portalUser') : query).executeTakeFirst()
}
