/**
 * A change of sign-in methods requires the current password, so that another person at an unlocked browser cannot make
 * one.
 */
import type { IdentityServices } from '../identity-services.ts'
import type { SignedInContext } from '../../kernel/audit-context.ts'
import { ApiFault } from '../../kernel/http/api-fault.ts'
import { recordReAuthentication, requireReAuthentication } from '../factors/re-authentication.ts'
import type { ThrottleLimit } from '../../security/throttling/throttle.ts'

export type CurrentPasswordServices = Pick<IdentityServices, 'audit' | 'clock' | 'passwords' | 'store' | 'throttle'>

const currentPasswordLimit: ThrottleLimit = {
  kind: 'own password',
  free: 5,
  waitMs: 1_000,
  waitMaxMs: 900_000,
  windowMs: 3_600_000,
}

/**
 * Throws `passwordNeeded` if the person's password does not match. A person without a password must have
 * re-authenticated recently; otherwise throws `proofNeeded`. A correct password counts as re-authentication. Must not
 * run inside a transaction.
 *
 * @returns the hash that the password matched, which may have been replaced since; null if the person has no password.
 */
export async function requireCurrentPassword(
  services: CurrentPasswordServices,
  auditContext: SignedInContext,
  password: string | undefined,
): Promise<string | null> {
  const { actor } = auditContext
  const { audit, clock, passwords, store, throttle } = services
  const { userId } = actor
  // Across, here and below: a person belongs to no organisation.
  const { passwordHash } = await store.across((db) =>
    db.selectFrom('portalUser').select('passwordHash').where('id', '=', userId).executeTakeFirstOrThrow(),
  )
  if (passwordHash === null) {
    await requireReAuthentication(services, actor)
    return null
  }
  await throttle.attempt(currentPasswordLimit, userId)
  if (password === undefined) throw new ApiFault('passwordNeeded')
  if (!(await passwords.matches(passwordHash, password))) {
    await store.across((db) =>
      audit.record(db, auditContext, { organisationId: null, action: 'authn.proof_fail', outcome: 'failure' }),
    )
    throw new ApiFault('passwordNeeded')
  }
  await store.across(async (db) => {
    await throttle.forgive(db, currentPasswordLimit, userId)
    await recordReAuthentication(db, clock, actor, ['proofOf'])
  })
  return passwordHash
}
