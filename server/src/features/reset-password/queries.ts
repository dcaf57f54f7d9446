import { sql } from 'kysely'
import type { Db } from '../../kernel/store/store.ts'

export interface PasswordResetAccount {
  readonly id: string
  readonly emailAddress: string
  readonly passwordHash: string | null
}

/** Of an account that is active. */
export function findActiveAccount(db: Db, emailAddress: string): Promise<PasswordResetAccount | undefined> {
  return activeAccounts(db)
    .where(sql`lower(emailAddress)`, '=', emailAddress.toLowerCase())
    .executeTakeFirst()
}

export function findActiveAccountById(db: Db, id: string): Promise<PasswordResetAccount | undefined> {
  return activeAccounts(db).where('portalUser.id', '=', id).executeTakeFirst()
}

/** The names that a password of this person must not be made of. */
export async function listNamesEverywhere(db: Db, userId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('portalUser')
    .leftJoin('membership', 'membership.userId', 'portalUser.id')
    .leftJoin('organisation', 'organisation.id', 'membership.organisationId')
    .select(['firstName', 'lastName', 'emailAddress', 'companyName'])
    .where('portalUser.id', '=', userId)
    .execute()
  return rows.flatMap((row) => Object.values(row)).filter((name) => name !== null)
}

function activeAccounts(db: Db) {
  return db
    .selectFrom('portalUser')
    .innerJoin('status', 'status.id', 'portalUser.statusId')
    .select(['portalUser.id', 'emailAddress', 'passwordHash'])
    .where(sql<boolean>`status.name = 'active'`)
}
