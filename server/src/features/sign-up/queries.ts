import { sql, type InsertObject, type UpdateObject } from 'kysely'
import { isoTime } from '../../kernel/clock.ts'
import { hashOf } from '../../security/secrets/one-time-codes.ts'
import type { Db } from '../../kernel/store/store.ts'
import { lockForTransaction } from '../../kernel/store/locks.ts'
import type { StoreSchema } from '../../kernel/store/schema/schema.ts'

/** A registration's id, and the hash of the secret in the caller's sign-up cookie. */
export interface RegistrationKey {
  readonly id: string
  readonly browserHash: Buffer
}

export async function insertRegistration(
  db: Db,
  registration: InsertObject<StoreSchema, 'registration'>,
): Promise<string> {
  const { id } = await db.insertInto('registration').values(registration).returning('id').executeTakeFirstOrThrow()
  return id
}

/** `lock` serialises concurrent finalisations of the registration. */
export function getRegistration(db: Db, { id, browserHash }: RegistrationKey, purpose: 'read' | 'lock') {
  const found = db
    .selectFrom('registration')
    // The company name is '' after the applicant declined to join the existing organisation of that name.
    .select(['id', 'firstName', 'lastName', 'emailAddress', 'companyName', 'timeZone', 'linkedUserId', 'finalisedAt'])
    .select(['issuer', 'subject', 'provider', 'msOid'])
    .select(sql<boolean>`passwordHash IS NOT NULL`.as('hasPassword'))
    // In any other browser than the one that began the sign-up, its password and its external identity are ignored.
    // The browser hash is null if the identity provider has verified the address.
    .select(sql<boolean>`coalesce(browserHash = ${browserHash}, true)`.as('isSameBrowser'))
    .where('id', '=', id)
  return (purpose === 'lock' ? found.forUpdate() : found).executeTakeFirstOrThrow()
}
export type Registration = Awaited<ReturnType<typeof getRegistration>>

export async function markVerified(db: Db, id: string, now: number): Promise<void> {
  await db
    .updateTable('registration')
    .set({ verifiedAt: isoTime(now) })
    .where('id', '=', id)
    .where('verifiedAt', 'is', null)
    .execute()
}

export async function updateRegistration(
  db: Db,
  id: string,
  change: UpdateObject<StoreSchema, 'registration'>,
): Promise<void> {
  await db.updateTable('registration').set(change).where('id', '=', id).execute()
}

/** The password and the external identity belong to the person who filled in the form, who may not own the address. */
export async function clearForeignSignInMethods(db: Db, { id, browserHash }: RegistrationKey): Promise<void> {
  await db
    .updateTable('registration')
    .set({ issuer: null, subject: null, provider: null, msOid: null, passwordHash: null })
    .where('id', '=', id)
    .where('browserHash', '<>', browserHash)
    .where('finalisedAt', 'is', null)
    .execute()
}

/** Also binds the registration to the browser that chose the password. */
export async function storeChosenPassword(
  db: Db,
  { id, browserHash }: RegistrationKey,
  passwordHash: string,
): Promise<void> {
  await db
    .updateTable('registration')
    .set({ passwordHash, browserHash })
    .where('id', '=', id)
    .where('finalisedAt', 'is', null)
    .execute()
}

/** Advisory lock until the end of the transaction: no other transaction can create an account for this address. */
export async function lockAddress(db: Db, emailAddress: string): Promise<void> {
  await lockForTransaction(db, 'accountAddress', emailAddress.toLowerCase())
}

export function findOrganisationNamed(db: Db, companyName: string) {
  return db
    .selectFrom('organisation')
    .select(['id', 'companyName', 'archivedAt'])
    .where(sql`lower(companyName)`, '=', sql`lower(${companyName})`)
    .executeTakeFirst()
}

const identityColumns = [
  'issuer',
  'subject',
  'provider',
  'emailAddress',
  'isEmailVerified',
  'firstName',
  'lastName',
  'msOid',
] as const

export function findPendingIdentity(db: Db, atid: string, now: number) {
  return db
    .selectFrom('pendingIdentity')
    .select(identityColumns)
    .where('atidHash', '=', hashOf(atid))
    .where('usedAt', 'is', null)
    .where('expiresAt', '>', isoTime(now))
    .executeTakeFirst()
}

/** Atomic and single-use: of concurrent calls exactly one gets the identity. */
export function redeemPendingIdentity(db: Db, atid: string, now: number) {
  return db
    .updateTable('pendingIdentity')
    .set({ usedAt: isoTime(now) })
    .where('atidHash', '=', hashOf(atid))
    .where('usedAt', 'is', null)
    .where('expiresAt', '>', isoTime(now))
    .returning(identityColumns)
    .executeTakeFirst()
}
