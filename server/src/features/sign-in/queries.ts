import { sql } from 'kysely'
import type { Db } from '../../kernel/store/store.ts'

export interface SignInAccount {
  readonly id: string
  readonly emailAddress: string
  readonly passwordHash: string | null
  readonly status: string
  readonly isProvider: boolean
  readonly lastSignInAt: string | null
  readonly failedSignIns: number
}

/** @param emailAddress in lower case. */
export function findAccount(db: Db, emailAddress: string): Promise<SignInAccount | undefined> {
  return accounts(db)
    .where(sql`lower(emailAddress)`, '=', emailAddress)
    .executeTakeFirst()
}

/**
 * Undefined for one that is locked or archived, too. `lock` makes a new password, and the locking of the person, wait until
 * our session is there to be ended; one that came first is seen here.
 */
export function findActiveAccount(
  db: Db,
  userId: string,
  purpose: 'read' | 'lock',
): Promise<SignInAccount | undefined> {
  const found = accounts(db).where('portalUser.id', '=', userId).where('status.name', '=', 'active')
  return (purpose === 'lock' ? found.forNoKeyUpdate('portalUser') : found).executeTakeFirst()
}

function accounts(db: Db) {
  return db
    .selectFrom('portalUser')
    .innerJoin('status', 'status.id', 'portalUser.statusId')
    .select(['portalUser.id', 'emailAddress', 'passwordHash', 'status.name as status', 'lastSignInAt', 'failedSignIns'])
    .select(sql<boolean>`providerRoleId is not null`.as('isProvider'))
}

/** How many wrong passwords in a row that makes; undefined for an address that nobody has. */
export async function countFailure(db: Db, emailAddress: string): Promise<number | undefined> {
  const counted = await db
    .updateTable('portalUser')
    .set((row) => ({ failedSignIns: row('failedSignIns', '+', 1) }))
    .where(sql`lower(emailAddress)`, '=', emailAddress)
    .returning('failedSignIns')
    .executeTakeFirst()
  return counted?.failedSignIns
}

export async function replaceHash(db: Db, userId: string, { from, to }: { from: string; to: string }): Promise<void> {
  await db
    .updateTable('portalUser')
    .set({ passwordHash: to })
    .where('id', '=', userId)
    .where('passwordHash', '=', from)
    .execute()
}

/** Undefined for one that is not there any more. */
export async function verifyRegistration(
  db: Db,
  registrationId: string,
  verifiedAt: string,
): Promise<string | undefined> {
  const found = await db
    .updateTable('registration')
    .set({ verifiedAt })
    .where('id', '=', registrationId)
    .returning('id')
    .executeTakeFirst()
  return found?.id
}

export async function hasSuperadmin(db: Db): Promise<boolean> {
  const found = await db
    .selectFrom('portalUser')
    .innerJoin('role', 'role.id', 'portalUser.providerRoleId')
    .select('portalUser.id')
    .where('role.name', '=', 'superadmin')
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

/** Deletes the code if it is the one in force, so that it works once. */
export async function takeSetupCode(db: Db, hash: Buffer, now: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('setupCode')
    .where('hash', '=', hash)
    .where('expiresAt', '>', now)
    .executeTakeFirst()
  return numDeletedRows === 1n
}

/** Undefined where the address has an account. */
export async function insertSuperadmin(
  db: Db,
  person: { firstName: string; lastName: string; emailAddress: string; passwordHash: string },
): Promise<string | undefined> {
  const made = await db
    .insertInto('portalUser')
    .values((values) => ({
      ...person,
      providerRoleId: values.selectFrom('role').select('id').where('name', '=', 'superadmin'),
    }))
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return made?.id
}
