import { sql } from 'kysely'
import type { Db } from '../../kernel/store/store.ts'

/** Returns the number of consecutive wrong passwords, or undefined for an unknown address. */
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

/** Returns undefined if the registration no longer exists. */
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

/** Deletes the code if it is valid, so that it works once. */
export async function redeemSetupCode(db: Db, hash: Buffer, now: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('setupCode')
    .where('hash', '=', hash)
    .where('expiresAt', '>', now)
    .executeTakeFirst()
  return numDeletedRows === 1n
}

/** Returns undefined if the address already has an account. */
export async function insertSuperadmin(
  db: Db,
  person: { firstName: string; lastName: string; emailAddress: string; passwordHash: string },
): Promise<string | undefined> {
  const inserted = await db
    .insertInto('portalUser')
    .values((values) => ({
      ...person,
      providerRoleId: values.selectFrom('role').select('id').where('name', '=', 'superadmin'),
    }))
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted?.id
}
