/**
 * Sensitive changes require that the person signed in or re-authenticated within the last minutes. A session stays open
 * for hours, and another person may use the unlocked browser.
 */
import type { KernelServices } from '../../kernel/kernel-services.ts'
import { proofFreshMs } from '@tributary/contract/limits'
import { sql } from 'kysely'
import type { Actor } from '../../kernel/http/actor.ts'
import { isoTime, type Clock } from '../../kernel/clock.ts'
import { ApiFault } from '../../kernel/http/api-fault.ts'
import { hashOf, randomSecret } from '../../security/secrets/one-time-codes.ts'
import type { Db } from '../../kernel/store/store.ts'

type ReAuthenticationServices = Pick<KernelServices, 'clock' | 'store'>

/**
 * Throws `proofNeeded`. Reads the store and no cache, so that a re-authentication counts immediately in every process.
 */
export async function requireReAuthentication({ clock, store }: ReAuthenticationServices, actor: Actor): Promise<void> {
  const since = clock.now() - proofFreshMs
  if (Date.parse(actor.signedInAt) > since) return
  // Across: a person and their verifications belong to no organisation.
  const found = await store.across((db) =>
    db
      .selectFrom('verification')
      .select('referenceHash')
      .where('userId', '=', actor.userId)
      .where(sql`payload ->> 'proofOf'`, '=', actor.sessionId)
      .where('usedAt', '>', isoTime(since))
      .limit(1)
      .executeTakeFirst(),
  )
  if (found === undefined) throw new ApiFault('proofNeeded')
}

/** Records a re-authentication as a used verification. It counts for this session only. */
export async function recordReAuthentication(
  db: Db,
  clock: Clock,
  { userId, sessionId }: Pick<Actor, 'userId' | 'sessionId'>,
): Promise<void> {
  const now = clock.now()
  const at = isoTime(now)
  await db
    .insertInto('verification')
    .values({
      referenceHash: hashOf(randomSecret()),
      context: 'mfa',
      userId,
      payload: JSON.stringify({ proofOf: sessionId, sendTo: null }),
      createdAt: at,
      provenAt: at,
      usedAt: at,
      expiresAt: isoTime(now + proofFreshMs),
    })
    .execute()
}
