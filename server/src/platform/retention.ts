/** Clears away what has served its purpose: mail that is out, codes and questions that nobody can answer any more. */
import { isoTime } from './clock.ts'
import type { Parts } from './parts.ts'
import type { Db } from './store.ts'

/** Long enough to answer 'did you ever write to me?', short enough not to gather addresses. */
const keptMs = 30 * 86_400_000
/** What the mailbox of a trial holds. */
export const mailboxMax = 200

/** Safe to repeat, and by several workers at once. */
export async function clearAway({ clock, config, store }: Pick<Parts, 'clock' | 'config' | 'store'>): Promise<void> {
  const before = isoTime(clock.now() - keptMs)
  // Across: none of it belongs to an organisation.
  await store.across(async (db) => {
    for (const table of expiring) await db.deleteFrom(table).where('expiresAt', '<', before).execute()
    await clearSignUps(db, before)
    await (config.mode === 'trial' ? clearMailbox(db) : clearMail(db, before))
  })
}

const expiring = ['linkCode', 'verification', 'externalLogin', 'pendingIdentity', 'captchaUsed'] as const

/** Those that nobody went on with: they hold an address and the hash of a password. */
async function clearSignUps(db: Db, before: string): Promise<void> {
  await db
    .deleteFrom('registration')
    .where('finalisedAt', 'is', null)
    .where('createdAt', '<', before)
    .where((is) =>
      is.not(is.exists(is.selectFrom('approval').select('approval.id').whereRef('approval.registrationId', '=', 'registration.id'))),
    )
    .execute()
}

/** Mail that still waits to go out stays. */
async function clearMail(db: Db, before: string): Promise<void> {
  await db
    .deleteFrom('mail')
    .where((mail) => mail.or([mail('sentAt', '<', before), mail('gaveUpAt', '<', before)]))
    .execute()
}

async function clearMailbox(db: Db): Promise<void> {
  const beyond = db.selectFrom('mail').select('id').orderBy('createdAt', 'desc').orderBy('id').offset(mailboxMax)
  await db.deleteFrom('mail').where('id', 'in', beyond).execute()
}
