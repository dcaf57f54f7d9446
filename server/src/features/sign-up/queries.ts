import { sql } from 'kysely'
import { isoTime } from '../../kernel/clock.ts'
import { hashOf } from '../../security/secrets/one-time-codes.ts'
import type { Db } from '../../kernel/store/store.ts'
import { lockForTransaction } from '../../kernel/store/locks.ts'

export interface Registration {
  readonly id: string
  readonly firstName: string
  readonly lastName: string
  readonly emailAddress: string
  /** '' after the applicant declined to join the existing organisation of that name. */
  readonly companyName: string
  readonly issuer: string | null
  readonly subject: string | null
  readonly provider: string | null
  readonly msOid: string | null
  readonly timeZone: string | null
  readonly linkedUserId: string | null
  readonly finalisedAt: string | null
  readonly hasPassword: boolean
  /** Whether this browser began the sign-up. In any other, its password and its external identity are ignored. */
  readonly isSameBrowser: boolean
}

/** A registration's id, and the hash of the secret in the caller's sign-up cookie. */
export interface RegistrationKey {
  readonly id: string
  readonly browserHash: Buffer
}

type NewRegistration = Omit<Registration, 'id' | 'linkedUserId' | 'finalisedAt' | 'hasPassword' | 'isSameBrowser'> & {
  readonly passwordHash: string | null
  readonly browserHash: Buffer | null
  readonly verifiedAt: string | null
  readonly createdAt: string
}

export async function insertRegistration(db: Db, registration: NewRegistration): Promise<string> {
  const { id } = await db.insertInto('registration').values(registration).returning('id').executeTakeFirstOrThrow()
  return id
}

const registrationColumns = [
  'id',
  'firstName',
  'lastName',
  'emailAddress',
  'companyName',
  'issuer',
  'subject',
  'provider',
  'msOid',
  'timeZone',
  'linkedUserId',
  'finalisedAt',
] as const

/** `lock` serialises concurrent finalisations of the registration. */
export function getRegistration(
  db: Db,
  { id, browserHash }: RegistrationKey,
  purpose: 'read' | 'lock',
): Promise<Registration> {
  const found = db
    .selectFrom('registration')
    .select(registrationColumns)
    .select(sql<boolean>`passwordHash IS NOT NULL`.as('hasPassword'))
    // The browser hash is null if the identity provider has verified the address.
    .select(sql<boolean>`coalesce(browserHash = ${browserHash}, true)`.as('isSameBrowser'))
    .where('id', '=', id)
  return (purpose === 'lock' ? found.forUpdate() : found).executeTakeFirstOrThrow()
}

export async function markVerified(db: Db, id: string, now: number): Promise<void> {
  await db
    .updateTable('registration')
    .set({ verifiedAt: isoTime(now) })
    .where('id', '=', id)
    .where('verifiedAt', 'is', null)
    .execute()
}

export async function markFinalised(db: Db, id: string, now: number): Promise<void> {
  await db
    .updateTable('registration')
    .set({ finalisedAt: isoTime(now), passwordHash: null })
    .where('id', '=', id)
    .execute()
}

export async function renameCompany(db: Db, id: string, companyName: string): Promise<void> {
  await db.updateTable('registration').set({ companyName }).where('id', '=', id).execute()
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

export async function linkAccount(db: Db, id: string, userId: string): Promise<void> {
  await db.updateTable('registration').set({ linkedUserId: userId }).where('id', '=', id).execute()
}

/** Advisory lock until the end of the transaction: no other transaction can create an account for this address. */
export async function lockAddress(db: Db, emailAddress: string): Promise<void> {
  await lockForTransaction(db, 'accountAddress', emailAddress.toLowerCase())
}

interface SignUpAccount {
  readonly id: string
  readonly passwordHash: string | null
  readonly status: string
  /** False if an administrator may know the password. */
  readonly isProven: boolean
}

export function findAccount(db: Db, emailAddress: string): Promise<SignUpAccount | undefined> {
  return db
    .selectFrom('portalUser')
    .innerJoin('status', 'status.id', 'portalUser.statusId')
    .select(['portalUser.id', 'passwordHash', 'isProven', 'status.name as status'])
    .where(sql`lower(emailAddress)`, '=', emailAddress.toLowerCase())
    .executeTakeFirst()
}

interface SignUpOrganisation {
  readonly id: string
  readonly companyName: string
  readonly archivedAt: string | null
}

export function findOrganisationNamed(db: Db, companyName: string): Promise<SignUpOrganisation | undefined> {
  return db
    .selectFrom('organisation')
    .select(['id', 'companyName', 'archivedAt'])
    .where(sql`lower(companyName)`, '=', sql`lower(${companyName})`)
    .executeTakeFirst()
}

export async function isMember(db: Db, organisationId: string, userId: string): Promise<boolean> {
  const found = await db
    .selectFrom('membership')
    .select('userId')
    .where('organisationId', '=', organisationId)
    .where('userId', '=', userId)
    .executeTakeFirst()
  return found !== undefined
}

interface PendingIdentity {
  readonly issuer: string
  readonly subject: string
  readonly provider: string
  readonly emailAddress: string | null
  readonly isEmailVerified: boolean
  readonly firstName: string | null
  readonly lastName: string | null
  readonly msOid: string | null
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

export function findPendingIdentity(db: Db, atid: string, now: number): Promise<PendingIdentity | undefined> {
  return db
    .selectFrom('pendingIdentity')
    .select(identityColumns)
    .where('atidHash', '=', hashOf(atid))
    .where('usedAt', 'is', null)
    .where('expiresAt', '>', isoTime(now))
    .executeTakeFirst()
}

/** Atomic and single-use: of concurrent calls exactly one gets the identity. */
export function redeemPendingIdentity(db: Db, atid: string, now: number): Promise<PendingIdentity | undefined> {
  return db
    .updateTable('pendingIdentity')
    .set({ usedAt: isoTime(now) })
    .where('atidHash', '=', hashOf(atid))
    .where('usedAt', 'is', null)
    .where('expiresAt', '>', isoTime(now))
    .returning(identityColumns)
    .executeTakeFirst()
}
