/** Revokes pending sign-ins and sign-in methods when an account gets a new password. */
import { isoTime, type Clock } from '../../kernel/clock.ts'
import type { Db } from '../../kernel/store/store.ts'

/** More than the clocks of two processes differ. */
const clockSkewMs = 60_000

/**
 * Revokes everything that could still lead to a session or a new sign-in method: emailed links, open verifications,
 * OAuth flows.
 */
export async function revokePendingSignIns(db: Db, clock: Clock, userId: string): Promise<void> {
  const ended = isoTime(clock.now() - clockSkewMs)
  await db.deleteFrom('linkCode').where('subjectId', '=', userId).where('purpose', 'in', ['reset', 'signin']).execute()
  await db.deleteFrom('externalLogin').where('userId', '=', userId).execute()
  await db
    .updateTable('verification')
    .set({ expiresAt: ended })
    .where('userId', '=', userId)
    .where('expiresAt', '>', ended)
    .execute()
}

const signInMethodTables = [
  'device',
  'totp',
  'passkey',
  'recoveryCode',
  'externalIdentity',
  'externalLogin',
  'oauthCode',
  'apiToken',
] as const

/**
 * Sets the password after a link in an email proved that the caller owns the address. An account that was not proven
 * before may have passkeys or identities of another person who knew its password, so all its sign-in methods and
 * access tokens are deleted.
 */
export async function setOwnerPassword(db: Db, clock: Clock, userId: string, passwordHash: string | null) {
  const { isProven } = await db
    .selectFrom('portalUser')
    .select('isProven')
    .where('id', '=', userId)
    .forUpdate()
    .executeTakeFirstOrThrow()
  await db
    .updateTable('portalUser')
    .set({ passwordHash, failedSignIns: 0, isProven: true, passwordIsTemporary: false })
    .where('id', '=', userId)
    .execute()
  for (const table of isProven ? (['device'] as const) : signInMethodTables)
    await db.deleteFrom(table).where('userId', '=', userId).execute()
  await revokePendingSignIns(db, clock, userId)
}
