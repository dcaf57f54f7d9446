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
 * What a verification proves of a session, as its payload names it: `proofOf` a re-authentication, `factorOf` a second factor.
 * A password is no second factor, and a code by email is no re-authentication of a person who has a password.
 */
export type ProofPurpose = 'proofOf' | 'factorOf'

/**
 * Throws `proofNeeded`. Reads the store and no cache, so that a re-authentication counts immediately in every process.
 */
export async function requireReAuthentication(services: ReAuthenticationServices, actor: Actor): Promise<void> {
  if (Date.parse(actor.signedInAt) > services.clock.now() - proofFreshMs) return
  if (!(await hasFreshProof(services, actor, 'proofOf'))) throw new ApiFault('proofNeeded')
}

/**
 * Throws `factorNeeded` unless the person confirmed a second factor in this session within the last minutes. A second factor at
 * sign-in does not count, because a trusted browser may have taken its place.
 */
export async function requireSecondFactor(services: ReAuthenticationServices, actor: Actor): Promise<void> {
  if (!(await hasFreshProof(services, actor, 'factorOf'))) throw new ApiFault('factorNeeded')
}

async function hasFreshProof(
  { clock, store }: ReAuthenticationServices,
  actor: Actor,
  purpose: ProofPurpose,
): Promise<boolean> {
  // Across: a person and their verifications belong to no organisation.
  const found = await store.across((db) =>
    db
      .selectFrom('verification')
      .select('referenceHash')
      .where('userId', '=', actor.userId)
      .where(sql`payload ->> ${purpose}`, '=', actor.sessionId)
      .where('usedAt', '>', isoTime(clock.now() - proofFreshMs))
      .limit(1)
      .executeTakeFirst(),
  )
  return found !== undefined
}

/** Records what a person proved as a used verification. It counts for this session only. */
export async function recordReAuthentication(
  db: Db,
  clock: Clock,
  { userId, sessionId }: Pick<Actor, 'userId' | 'sessionId'>,
  purposes: readonly ProofPurpose[],
): Promise<void> {
  const now = clock.now()
  const at = isoTime(now)
  await db
    .insertInto('verification')
    .values({
      referenceHash: hashOf(randomSecret()),
      context: 'mfa',
      userId,
      payload: JSON.stringify({ ...provenFor(sessionId, purposes), sendTo: null }),
      createdAt: at,
      provenAt: at,
      usedAt: at,
      expiresAt: isoTime(now + proofFreshMs),
    })
    .execute()
}

/** The payload of a verification that proves these purposes of the session. */
export function provenFor(sessionId: string, purposes: readonly ProofPurpose[]): Readonly<Record<string, string>> {
  return Object.fromEntries(purposes.map((purpose) => [purpose, sessionId]))
}
