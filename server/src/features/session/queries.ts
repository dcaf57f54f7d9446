import { sql } from 'kysely'
import type { Db } from '../../platform/store.ts'

export interface Account {
  readonly id: string
  readonly passwordHash: string | null
  readonly status: string
  readonly isProvider: boolean
}

/** @param emailAddress in lower case. */
export function findAccount(db: Db, emailAddress: string): Promise<Account | undefined> {
  return db
    .selectFrom('portalUser')
    .innerJoin('status', 'status.id', 'portalUser.statusId')
    .select(['portalUser.id', 'passwordHash', 'status.name as status'])
    .select(sql<boolean>`provider_role_id is not null`.as('isProvider'))
    .where(sql`lower(email_address)`, '=', emailAddress)
    .executeTakeFirst()
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
  const { numDeletedRows } = await db.deleteFrom('setupCode').where('hash', '=', hash).where('expiresAt', '>', now).executeTakeFirst()
  return numDeletedRows === 1n
}

export async function insertSuperadmin(
  db: Db,
  person: { firstName: string; lastName: string; emailAddress: string; passwordHash: string },
): Promise<string> {
  const { id } = await db
    .insertInto('portalUser')
    .values((values) => ({ ...person, providerRoleId: values.selectFrom('role').select('id').where('name', '=', 'superadmin') }))
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
