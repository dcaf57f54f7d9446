import { sql } from 'kysely'
import type { Db } from '../../kernel/store/store.ts'

export interface ProfileOwner {
  readonly id: string
  readonly emailAddress: string
  readonly firstName: string
  readonly lastName: string
  readonly passwordHash: string | null
  readonly requiresMfa: boolean
}

export function getOwner(db: Db, userId: string): Promise<ProfileOwner> {
  return db
    .selectFrom('portalUser')
    .select(['id', 'emailAddress', 'firstName', 'lastName', 'passwordHash', 'requiresMfa'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
}

/** The organisations' names, which must not be part of the user's password. */
export async function listOwnNamesEverywhere(db: Db, userId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('membership')
    .innerJoin('organisation', 'organisation.id', 'membership.organisationId')
    .select('companyName')
    .where('userId', '=', userId)
    .execute()
  return rows.map(({ companyName }) => companyName)
}

/**
 * Compare-and-set. Returns false if a reset link or an administrator has changed the password since; that one stays.
 */
export async function replacePassword(
  db: Db,
  { id, passwordHash: former }: Pick<ProfileOwner, 'id' | 'passwordHash'>,
  passwordHash: string,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('portalUser')
    .set({ passwordHash, failedSignIns: 0, passwordIsTemporary: false })
    .where('id', '=', id)
    .where('passwordHash', 'is not distinct from', former)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

export async function hasAuthenticatorApp(db: Db, userId: string): Promise<boolean> {
  const found = await db
    .selectFrom('totp')
    .select('userId')
    .where('userId', '=', userId)
    .where('confirmedAt', 'is not', null)
    .executeTakeFirst()
  return found !== undefined
}

/** Returns false if the user has none. */
export async function deleteAuthenticatorApp(db: Db, userId: string): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('totp').where('userId', '=', userId).executeTakeFirst()
  return numDeletedRows === 1n
}

export function listPasskeys(db: Db, userId: string) {
  const columns = ['id', 'name', 'createdAt as createdAtUtc', 'lastUsedAt as lastUsedAtUtc'] as const
  return db.selectFrom('passkey').select(columns).where('userId', '=', userId).orderBy('createdAt').execute()
}

/** Returns false if the user has no such passkey. */
export async function deletePasskey(db: Db, userId: string, passkeyId: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('passkey')
    .where('userId', '=', userId)
    .where('id', '=', passkeyId)
    .executeTakeFirst()
  return numDeletedRows === 1n
}

export function listExternalIdentities(db: Db, userId: string) {
  const columns = ['provider', 'emailAddress', 'createdAt as linkedAtUtc'] as const
  return db.selectFrom('externalIdentity').select(columns).where('userId', '=', userId).orderBy('createdAt').execute()
}

/**
 * Returns false if no identity of the provider was linked.
 *
 * @param isMicrosoft also clears the Microsoft object id, which alone suffices to sign in.
 */
export async function unlinkIdentities(
  db: Db,
  userId: string,
  { provider, isMicrosoft }: { readonly provider: string; readonly isMicrosoft: boolean },
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('externalIdentity')
    .where('userId', '=', userId)
    .where(sql`lower(provider)`, '=', provider.toLowerCase())
    .executeTakeFirst()
  if (numDeletedRows > 0n && isMicrosoft)
    await db.updateTable('portalUser').set({ msOid: null }).where('id', '=', userId).execute()
  return numDeletedRows > 0n
}

/** Open sessions, most recently active first. */
export function listSessions(db: Db, userId: string) {
  return db
    .selectFrom('session')
    .select(['id', 'deviceName', 'address', 'createdAt', 'lastActiveAt'])
    .where('userId', '=', userId)
    .where('endedAt', 'is', null)
    .orderBy('lastActiveAt', 'desc')
    .execute()
}
