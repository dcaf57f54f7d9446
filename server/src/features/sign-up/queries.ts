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
  /** '' after a No to joining the organisation of the name that was given first. */
  readonly companyName: string
  readonly issuer: string | null
  readonly subject: string | null
  readonly provider: string | null
  readonly msOid: string | null
  readonly timeZone: string | null
  readonly linkedUserId: string | null
  readonly finalisedAt: string | null
  readonly hasPassword: boolean
  /** Whether it goes on in the browser that began it. In another the password and the external identity of it count for nothing. */
  readonly isSameBrowser: boolean
}

/** Which registration, and how the browser that asks for it is known. */
export interface InBrowser {
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

/** `lock` makes others who finalise the same wait until we are done. */
export function getRegistration(
  db: Db,
  { id, browserHash }: InBrowser,
  purpose: 'read' | 'lock',
): Promise<Registration> {
  const found = db
    .selectFrom('registration')
    .select(registrationColumns)
    .select(sql<boolean>`passwordHash IS NOT NULL`.as('hasPassword'))
    // Null where a provider vouches that the address is the same person's.
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

/** Password and external identity are of whoever filled the form in; in another browser that may not be who reads the mail. */
export async function dropStrangersProofs(db: Db, { id, browserHash }: InBrowser): Promise<void> {
  await db
    .updateTable('registration')
    .set({ issuer: null, subject: null, provider: null, msOid: null, passwordHash: null })
    .where('id', '=', id)
    .where('browserHash', '<>', browserHash)
    .where('finalisedAt', 'is', null)
    .execute()
}

/** From now on it is the sign-up of the browser that chose it. */
export async function keepChosenPassword(db: Db, { id, browserHash }: InBrowser, passwordHash: string): Promise<void> {
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

/** Until the transaction ends nobody else makes an account for this address. */
export async function lockAddress(db: Db, emailAddress: string): Promise<void> {
  await lockForTransaction(db, 'accountAddress', emailAddress.toLowerCase())
}

interface SignUpAccount {
  readonly id: string
  readonly passwordHash: string | null
  readonly status: string
  /** False: an administrator may know the password. */
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

/** Uses it up: of all who try at once exactly one gets it. */
export function takePendingIdentity(db: Db, atid: string, now: number): Promise<PendingIdentity | undefined> {
  return db
    .updateTable('pendingIdentity')
    .set({ usedAt: isoTime(now) })
    .where('atidHash', '=', hashOf(atid))
    .where('usedAt', 'is', null)
    .where('expiresAt', '>', isoTime(now))
    .returning(identityColumns)
    .executeTakeFirst()
}
