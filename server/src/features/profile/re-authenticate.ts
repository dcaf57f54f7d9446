/** Proving anew who one is: with the password, a passkey or a code. */
import type { ReAuthenticationProof, ProofQuestion } from '@tributary/contract/re-authentication'
import type { Camel } from '@tributary/contract/wire'
import type { AuditContext } from '../../kernel/audit-context.ts'
import type { Actor } from '../../kernel/http/actor.ts'
import { ApiFault } from '../../kernel/http/api-fault.ts'
import { requestSecondFactor, type SecondFactorRequestServices } from '../../identity/factors/request-second-factor.ts'
import { redeemCode, listMethods, type SecondFactorServices } from '../../identity/factors/second-factors.ts'
import { createAuthenticationOptions, verifyPasskey } from '../../identity/factors/passkeys.ts'
import { recordReAuthentication } from '../../identity/factors/re-authentication.ts'
import {
  requireCurrentPassword,
  type CurrentPasswordServices,
} from '../../identity/passwords/require-current-password.ts'
import type { AppServices } from '../../app-services.ts'
import type { Db } from '../../kernel/store/store.ts'
import type { Verification } from '../../identity/factors/verification-codes.ts'
import { noteWrongFactor } from './account-change.ts'
import { getOwner } from './queries.ts'

type ReAuthenticateServices = Pick<AppServices, 'audit' | 'clock' | 'config' | 'store' | 'verifications'> &
  SecondFactorRequestServices &
  CurrentPasswordServices &
  SecondFactorServices

/** Across, here and below: a person belongs to no organisation. */
export async function askForProof(
  services: ReAuthenticateServices,
  auditContext: AuditContext<string | null, Actor>,
): Promise<Camel<ProofQuestion>> {
  const { store } = services
  const owner = await store.across((db) => getOwner(db, auditContext.actor.userId))
  const hasPassword = owner.passwordHash !== null
  const question = hasPassword
    ? await askForFactor(services, auditContext)
    : await requestSecondFactor(services, { ...asking(auditContext), person: owner })
  const { verificationReference, verificationMethods, verificationSentTo } = question
  const hasPasskey = verificationReference !== null && verificationMethods.includes('passkey')
  return {
    hasPassword,
    verificationReference,
    verificationMethods: [...verificationMethods],
    verificationSentTo,
    passkeyOptions: hasPasskey ? await store.across((db) => challenge(services, db, verificationReference)) : null,
  }
}

function asking(auditContext: AuditContext<string | null, Actor>) {
  const { actor } = auditContext
  return { context: 'mfa', payload: { proofOf: actor.sessionId }, auditContext } as const
}

/** Beside the password only what proves as much: whoever sits at an open browser may well have the mailbox open, too. */
async function askForFactor(
  { store, verifications }: Pick<AppServices, 'store' | 'verifications'>,
  auditContext: AuditContext<string | null, Actor>,
) {
  const { context, payload } = asking(auditContext)
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

async function challenge(
  services: Pick<AppServices, 'config' | 'verifications'>,
  db: Db,
  reference: string,
): Promise<Record<string, unknown>> {
  // One that asks for the finger or the PIN, too: a key that was left in the machine proves nobody's presence but somebody's.
  const options = await createAuthenticationOptions(db, services, null)
  await services.verifications.setChallenge(db, reference, options.challenge)
  return { ...options }
}

/** Throws `passwordNeeded` or `codeNotRight`; tries are counted as those of signing in are. */
export async function giveProof(
  services: ReAuthenticateServices,
  auditContext: AuditContext<string | null, Actor>,
  given: ReAuthenticationProof,
): Promise<void> {
  const { actor } = auditContext
  const { audit, clock, store, verifications } = services
  if ('password' in given) {
    await requireCurrentPassword(services, auditContext, given.password)
    return store.across((db) =>
      audit.record(db, auditContext, { organisationId: null, action: 'authn.proof_given', outcome: 'success' }),
    )
  }
  const isDone = await verifications.submit(
    { reference: given.verificationReference, context: 'mfa' },
    {
      check: async (db, of) => isAbout(of, auditContext) && (await isRight(services, db, of, given)),
      onVerified: async (db) => {
        await recordReAuthentication(db, clock, actor)
        await audit.record(db, auditContext, { organisationId: null, action: 'authn.proof_given', outcome: 'success' })
        return true
      },
      onRejected: (db) => noteWrongFactor(services, db, auditContext),
    },
  )
  if (isDone !== true) throw new ApiFault('codeNotRight')
}

/** A question that was put to somebody else, to another session or for another purpose is worth nothing. */
function isAbout({ userId, payload }: Verification, { actor }: AuditContext<string | null, Actor>): boolean {
  return userId === actor.userId && payload['proofOf'] === actor.sessionId
}

async function isRight(
  services: ReAuthenticateServices,
  db: Db,
  of: Verification,
  given: Exclude<ReAuthenticationProof, { password: string }>,
): Promise<boolean> {
  if ('verificationCode' in given) return redeemCode(db, services, of, given.verificationCode)
  const { userId, passkeyChallenge } = of
  if (userId === null || passkeyChallenge === null) return false
  return (
    (await verifyPasskey(db, services, { userId: null, challenge: passkeyChallenge, answer: given.passkey })) === userId
  )
}
