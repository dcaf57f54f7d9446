/** What ends when an account gets a new password, or comes into the hands of its owner. */
import { isoTime, type Clock } from '../../kernel/clock.ts'
import type { Db } from '../../kernel/store/store.ts'

/** No other process's clock is that slow. */
const slowMs = 60_000

/** What is on its way to a session, to another password or to another way in: links in mails, waiting codes, trips to a provider. */
export async function revokePendingSignIns(db: Db, clock: Clock, userId: string): Promise<void> {
  const ended = isoTime(clock.now() - slowMs)
  await db.deleteFrom('linkCode').where('subjectId', '=', userId).where('purpose', 'in', ['reset', 'signin']).execute()
  await db.deleteFrom('externalLogin').where('userId', '=', userId).execute()
  await db
    .updateTable('verification')
    .set({ expiresAt: ended })
    .where('userId', '=', userId)
    .where('expiresAt', '>', ended)
    .execute()
}

const waysIn = ['device', 'totp', 'passkey', 'recoveryCode', 'externalIdentity', 'externalLogin'] as const

/**
 * The owner of the address sets the password, as a link of a mail proves. Whoever was in the account while an administrator
 * knew its password may have left a passkey or an identity of their own: then all of those go.
 */
export async function setPasswordOfOwner(
  db: Db,
  clock: Clock,
  { userId, passwordHash }: { userId: string; passwordHash: string | null },
) {
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
  for (const table of isProven ? (['device'] as const) : waysIn)
    await db.deleteFrom(table).where('userId', '=', userId).execute()
  await revokePendingSignIns(db, clock, userId)
}
