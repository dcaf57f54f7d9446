/** Re-authentication with the password, a passkey or a code. */
import type { ReAuthenticationProof, ProofQuestion } from '@tributary/contract/re-authentication'
import type { Camel } from '@tributary/contract/wire'
import type { SignedInContext } from '../../kernel/audit-context.ts'
import { ApiFault } from '../../kernel/http/api-fault.ts'
import { requestSecondFactor, type SecondFactorRequestServices } from '../../identity/factors/request-second-factor.ts'
import { redeemCode, listMethods, type SecondFactorServices } from '../../identity/factors/second-factors.ts'
import { createAuthenticationOptions, verifyPasskey } from '../../identity/factors/passkeys.ts'
import { provenFor, type ProofPurpose, recordReAuthentication } from '../../identity/factors/re-authentication.ts'
import {
  requireCurrentPassword,
  type CurrentPasswordServices,
} from '../../identity/passwords/require-current-password.ts'
import type { AppServices } from '../../app-services.ts'
import type { Db } from '../../kernel/store/store.ts'
import type { Verification } from '../../identity/factors/verification-codes.ts'
import { recordWrongFactor } from './account-change.ts'
import { getOwner } from './queries.ts'

type ReAuthenticateServices = Pick<AppServices, 'audit' | 'clock' | 'config' | 'store' | 'verifications'> &
  SecondFactorRequestServices &
  CurrentPasswordServices &
  SecondFactorServices

/**
 * Across, here and below: users belong to no single organisation.
 *
 * @param wanted `secondFactor`: the password is no method.
 */
export async function requestReAuthentication(
  services: ReAuthenticateServices,
  auditContext: SignedInContext,
  wanted: 'any' | 'secondFactor',
): Promise<Camel<ProofQuestion>> {
  const { store } = services
  const owner = await store.across((db) => getOwner(db, auditContext.actor.userId))
  const hasPassword = owner.passwordHash !== null
  const methods = await store.across((db) => listMethods(db, owner.id))
  const isStrong = methods.includes('passkey') || methods.includes('totp')
  const byMail = {
    ...describeVerification(auditContext, hasPassword ? ['factorOf'] : ['proofOf', 'factorOf']),
    person: owner,
  }
  const challenge =
    isStrong || (hasPassword && wanted === 'any')
      ? await requestStrongFactor(services, auditContext)
      : await requestSecondFactor(services, byMail)
  const { verificationReference, verificationMethods, verificationSentTo } = challenge
  const hasPasskey = verificationReference !== null && verificationMethods.includes('passkey')
  return {
    hasPassword: hasPassword && wanted === 'any',
    verificationReference,
    verificationMethods: [...verificationMethods],
    verificationSentTo,
    passkeyOptions: hasPasskey
      ? await store.across((db) => createPasskeyChallenge(services, db, verificationReference))
      : null,
  }
}

function describeVerification(auditContext: SignedInContext, purposes: readonly ProofPurpose[]) {
  const { actor } = auditContext
  return { context: 'mfa', payload: provenFor(actor.sessionId, purposes), auditContext } as const
}

/**
 * Alternatives to the password. Excludes codes by email: a person at an unlocked browser may have access to the
 * mailbox, too.
 */
async function requestStrongFactor(
  { store, verifications }: Pick<AppServices, 'store' | 'verifications'>,
  auditContext: SignedInContext,
) {
  const { context, payload } = describeVerification(auditContext, ['proofOf', 'factorOf'])
  return store.across(async (db) => {
    const { userId } = auditContext.actor
    const verificationMethods = (await listMethods(db, userId)).filter((method) => method !== 'email')
    const verificationReference =
      verificationMethods.length === 0
        ? null
        : await verifications.create(db, { context, userId, sendTo: null, payload })
    return { verificationReference, verificationMethods, verificationSentTo: null }
  })
}

async function createPasskeyChallenge(
  services: Pick<AppServices, 'config' | 'verifications'>,
  db: Db,
  reference: string,
): Promise<Record<string, unknown>> {
  // Requires user verification (fingerprint or PIN): a security key left in the computer shows only that a person is
  // present.
  const options = await createAuthenticationOptions(db, services, null)
  await services.verifications.setChallenge(db, reference, options.challenge)
  return { ...options }
}

/**
 * Counts attempts like a sign-in.
 *
 * @throws `passwordNeeded` or `codeNotRight`.
 */
export async function reAuthenticate(
  services: ReAuthenticateServices,
  auditContext: SignedInContext,
  proof: ReAuthenticationProof,
): Promise<void> {
  const { actor } = auditContext
  const { audit, clock, store, verifications } = services
  if ('password' in proof) {
    await requireCurrentPassword(services, auditContext, proof.password)
    return store.across((db) => audit.record(db, auditContext, { organisationId: null, action: 'authn.proof_given' }))
  }
  const isAccepted = await verifications.submit(
    { reference: proof.verificationReference, context: 'mfa' },
    {
      check: async (db, verification) =>
        listPurposes(verification, auditContext).length > 0 && (await isRightProof(services, db, verification, proof)),
      onVerified: async (db, verification) => {
        await recordReAuthentication(db, clock, actor, listPurposes(verification, auditContext))
        await audit.record(db, auditContext, { organisationId: null, action: 'authn.proof_given' })
        return true
      },
      onRejected: (db) => recordWrongFactor(services, db, auditContext),
    },
  )
  if (isAccepted !== true) throw new ApiFault('codeNotRight')
}

/** Empty for the challenge of another user, of another session or for another purpose. */
function listPurposes({ userId, payload }: Verification, { actor }: SignedInContext): readonly ProofPurpose[] {
  if (userId !== actor.userId) return []
  return (['proofOf', 'factorOf'] as const).filter((purpose) => payload[purpose] === actor.sessionId)
}

async function isRightProof(
  services: ReAuthenticateServices,
  db: Db,
  verification: Verification,
  proof: Exclude<ReAuthenticationProof, { password: string }>,
): Promise<boolean> {
  if ('verificationCode' in proof) return redeemCode(db, services, verification, proof.verificationCode)
  const { userId, passkeyChallenge } = verification
  if (userId === null || passkeyChallenge === null) return false
  return (
    (await verifyPasskey(db, services, { userId: null, challenge: passkeyChallenge, answer: proof.passkey })) === userId
  )
}
