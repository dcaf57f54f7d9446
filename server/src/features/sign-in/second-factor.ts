/** The second step: a code, or a passkey, for a reference that the first one gave out. */
import { withActor } from '../../kernel/audit-context.ts'
import { registrationLinkMs } from '@tributary/contract/limits'
import type { CodeSignIn, PasskeySignIn } from '@tributary/contract/sign-in'
import { addressBlock } from '../../security/throttling/network-prefix.ts'
import { isoTime } from '../../kernel/clock.ts'
import { runOrDiscard } from '../../security/secrets/timing-equaliser.ts'
import { ApiFault } from '../../kernel/http/api-fault.ts'
import { redeemCode, type SecondFactorServices } from '../../identity/factors/second-factors.ts'
import { createAuthenticationOptions, verifyPasskey } from '../../identity/factors/passkeys.ts'
import { createLinkCode } from '../../security/secrets/one-time-codes.ts'
import { signInCode, signUpCode } from '../../identity/people/account-email-templates.ts'
import type { AppServices } from '../../app-services.ts'
import type { Db } from '../../kernel/store/store.ts'
import type { ThrottleLimit } from '../../security/throttling/throttle.ts'
import { maskAddress, type Verification, type VerificationContext } from '../../identity/factors/verification-codes.ts'
import {
  deviceOf,
  enter,
  takeIn,
  type StartedSession,
  type SignInCall,
  type StartSessionServices,
} from './start-session.ts'
import { findActiveAccount, verifyRegistration } from './queries.ts'

type AnswerSecondFactorServices = Pick<
  AppServices,
  'audit' | 'clock' | 'config' | 'mailer' | 'store' | 'throttle' | 'verifications'
> &
  SecondFactorServices &
  StartSessionServices

const codesPerAddress: ThrottleLimit = {
  kind: 'code address',
  free: 30,
  waitMs: 600_000,
  waitMaxMs: 600_000,
  windowMs: 600_000,
  isShared: true,
}
const sendsPerAddress: ThrottleLimit = {
  kind: 'code sent address',
  free: 10,
  waitMs: 600_000,
  waitMaxMs: 3_600_000,
  windowMs: 3_600_000,
  isShared: true,
}
const passkeysPerAddress: ThrottleLimit = {
  kind: 'passkey address',
  free: 300,
  waitMs: 60_000,
  waitMaxMs: 600_000,
  windowMs: 600_000,
  isShared: true,
}

export async function signInByCode(
  services: AnswerSecondFactorServices,
  body: CodeSignIn,
  visit: SignInCall,
): Promise<StartedSession['answer']> {
  const question = { reference: body.verificationReference, context: 'signin' } as const
  const entered = await answer(services, visit, question, {
    check: (db, of) => redeemCode(db, services, of, body.verificationCode),
    onRight: (db, of) =>
      enterAs(services, db, visit, { userId: of.userId, by: 'code', trust: body.verificationTrustDevice === true }),
  })
  return takeIn(services, visit, entered)
}

/** As the second factor, or by itself: then the passkey says whose it is. */
export async function signInByPasskey(
  services: AnswerSecondFactorServices,
  body: PasskeySignIn,
  visit: SignInCall,
): Promise<StartedSession['answer']> {
  const question = { reference: body.verificationReference, context: 'signin' } as const
  let owner: string | null = null
  const entered = await answer(services, visit, question, {
    check: async (db, { userId, passkeyChallenge: challenge }) => {
      if (challenge !== null) owner = await verifyPasskey(db, services, { userId, challenge, answer: body.passkey })
      return owner !== null
    },
    onRight: (db) =>
      enterAs(services, db, visit, { userId: owner, by: 'passkey', trust: body.verificationTrustDevice === true }),
  })
  return takeIn(services, visit, entered)
}

/** POST /verify. For 'signin' it signs in, as the code at /auth/signin does. */
export async function verify(
  services: AnswerSecondFactorServices,
  { reference, code, context }: { reference: string; code: string; context: VerificationContext },
  visit: SignInCall,
): Promise<StartedSession['answer'] | { readonly statusCode: 200; readonly code: string | null }> {
  if (context === 'signin')
    return signInByCode(services, { verificationReference: reference, verificationCode: code }, visit)
  return answer(
    services,
    visit,
    { reference, context },
    {
      check: (db, of) => redeemCode(db, services, of, code),
      onRight: async (db, of) => {
        if (context === 'mfa') return { statusCode: 200, code: null }
        const finaliseCode = await confirmRegistration(services, db, of)
        return finaliseCode === null ? null : { statusCode: 200, code: finaliseCode }
      },
    },
  )
}

/** A new code; the former one stops working. */
export async function resendCode(
  services: AnswerSecondFactorServices,
  reference: string,
  visit: SignInCall,
): Promise<{ verificationSentTo: string }> {
  const { mailer, store, throttle, verifications } = services
  await throttle.attempt(sendsPerAddress, addressBlock(visit.auditContext.address))
  // Across, here and below: a verification belongs to no organisation.
  const asked = await store.across((db) => verifications.find(db, reference))
  if (asked?.sendTo == null) throw new ApiFault('verificationFailed')
  const { context, deviceId, payload, sendTo } = asked
  await verifications.countSending(context, sendTo, deviceId)
  await store.across(async (db) => {
    const code = await verifications.createCode(db, reference)
    // Whose address was taken already was written to about that, and nobody is to be told the difference.
    const isReal = context !== 'registration' || typeof payload['registrationId'] === 'string'
    const letter = context === 'registration' ? signUpCode(code) : signInCode(code)
    await runOrDiscard(isReal ? 'real' : 'decoy', db, () => mailer.enqueue(db, sendTo, letter))
  })
  return { verificationSentTo: maskAddress(sendTo) }
}

/** What the browser needs to ask for a passkey; without a reference, of whoever it is. */
export async function passkeyOptions(
  services: AnswerSecondFactorServices,
  reference: string | undefined,
  visit: SignInCall,
) {
  const { store, throttle, verifications } = services
  await throttle.attempt(passkeysPerAddress, addressBlock(visit.auditContext.address))
  return store.across(async (db) => {
    const asked = reference === undefined ? null : await verifications.find(db, reference)
    if (reference !== undefined && asked?.context !== 'signin') throw new ApiFault('verificationFailed')
    const verificationReference = reference ?? (await verifications.create(db, { context: 'signin', sendTo: null }))
    const options = await createAuthenticationOptions(db, services, asked?.userId ?? null)
    await verifications.setChallenge(db, verificationReference, options.challenge)
    return { verificationReference, options: { ...options } }
  })
}

interface SecondFactorCheck<T> {
  readonly check: (db: Db, of: Verification) => Promise<boolean>
  /** Null: it was right, and yet there is nothing that it could open. */
  readonly onRight: (db: Db, of: Verification) => Promise<T | null>
}

/** Throws `verificationFailed` for whatever is not right. */
async function answer<T>(
  { audit, store, throttle, verifications }: AnswerSecondFactorServices,
  { auditContext }: SignInCall,
  question: { readonly reference: string; readonly context: VerificationContext },
  { check, onRight }: SecondFactorCheck<T>,
): Promise<T> {
  const address = addressBlock(auditContext.address)
  await throttle.attempt(codesPerAddress, address)
  const failure = {
    organisationId: null,
    action: 'authn.mfa_fail',
    outcome: 'failure',
    detail: { context: question.context },
  } as const
  const result = await verifications.submit(question, {
    check,
    onVerified: onRight,
    onRejected: (db, { userId }) => audit.record(db, withActor(auditContext, { userId }), failure),
  })
  if (result === null) throw new ApiFault('verificationFailed')
  await store.across((db) => throttle.refund(db, codesPerAddress, address))
  return result
}

async function enterAs(
  services: AnswerSecondFactorServices,
  db: Db,
  visit: SignInCall,
  { userId, by, trust }: { readonly userId: string | null; readonly by: 'code' | 'passkey'; readonly trust: boolean },
): Promise<StartedSession | null> {
  const account = userId === null ? undefined : await findActiveAccount(db, userId, 'lock')
  if (account === undefined) return null
  return enter(services, db, visit, {
    account,
    by,
    device: await deviceOf(services, db, account, visit),
    hasMfa: true,
    trust,
  })
}

/** The code for GET /registration/finalise; the link of the mail stays in force beside it. */
async function confirmRegistration(
  { clock }: Pick<AppServices, 'clock'>,
  db: Db,
  { payload }: Verification,
): Promise<string | null> {
  const { registrationId } = payload
  if (typeof registrationId !== 'string') return null
  const subjectId = await verifyRegistration(db, registrationId, isoTime(clock.now()))
  if (subjectId === undefined) return null
  return createLinkCode(db, clock, { purpose: 'registration', subjectId, lifeMs: registrationLinkMs, replaces: false })
}
