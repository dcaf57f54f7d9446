/** The second step of a sign-in: a code or a passkey for the reference that the first step returned. */
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
import { findActiveAccount } from '../../identity/people/accounts.ts'
import {
  findKnownDevice,
  startSession,
  setSignInCookies,
  type StartedSession,
  type SignInCall,
  type StartSessionServices,
} from './start-session.ts'
import { verifyRegistration } from './queries.ts'

type AnswerSecondFactorServices = Pick<
  AppServices,
  'audit' | 'clock' | 'config' | 'mailer' | 'store' | 'throttle' | 'verifications'
> &
  SecondFactorServices &
  StartSessionServices

const codesPerAddress: ThrottleLimit = { kind: 'code address', free: 30, waitMs: 600_000, isShared: true }
const sendsPerAddress: ThrottleLimit = {
  kind: 'code sent address',
  free: 10,
  waitMs: 600_000,
  windowMs: 3_600_000,
  isShared: true,
}
const passkeysPerAddress: ThrottleLimit = {
  kind: 'passkey address',
  free: 300,
  waitMs: 60_000,
  windowMs: 600_000,
  isShared: true,
}

export async function signInByCode(
  services: AnswerSecondFactorServices,
  body: CodeSignIn,
  call: SignInCall,
): Promise<StartedSession['reply']> {
  const target = { reference: body.verificationReference, context: 'signin' } as const
  const trust = body.verificationTrustDevice === true
  const started = await submitAnswer(services, call, target, {
    check: (db, verification) => redeemCode(db, services, verification, body.verificationCode),
    onVerified: (db, { userId }) => startSessionAs(services, db, call, { userId, by: 'code', trust }),
  })
  return setSignInCookies(services, call, started)
}

/** A passkey is the second factor or the only one: without a first factor, the passkey identifies the user. */
export async function signInByPasskey(
  services: AnswerSecondFactorServices,
  body: PasskeySignIn,
  call: SignInCall,
): Promise<StartedSession['reply']> {
  const target = { reference: body.verificationReference, context: 'signin' } as const
  const trust = body.verificationTrustDevice === true
  let owner: string | null = null
  const started = await submitAnswer(services, call, target, {
    check: async (db, { userId, passkeyChallenge: challenge }) => {
      if (challenge !== null) owner = await verifyPasskey(db, services, { userId, challenge, answer: body.passkey })
      return owner !== null
    },
    onVerified: (db) => startSessionAs(services, db, call, { userId: owner, by: 'passkey', trust }),
  })
  return setSignInCookies(services, call, started)
}

/** POST /verify. With the context `signin` it signs in, like a code sent to /auth/signin. */
export async function verify(
  services: AnswerSecondFactorServices,
  { reference, code, context }: { reference: string; code: string; context: VerificationContext },
  call: SignInCall,
): Promise<StartedSession['reply'] | { readonly statusCode: 200; readonly code: string | null }> {
  if (context === 'signin')
    return signInByCode(services, { verificationReference: reference, verificationCode: code }, call)
  return submitAnswer(
    services,
    call,
    { reference, context },
    {
      check: (db, verification) => redeemCode(db, services, verification, code),
      onVerified: async (db, verification) => {
        if (context === 'mfa') return { statusCode: 200, code: null }
        const finaliseCode = await confirmRegistration(services, db, verification)
        return finaliseCode === null ? null : { statusCode: 200, code: finaliseCode }
      },
    },
  )
}

/** Sends a new code and revokes the previous one. */
export async function resendCode(
  services: AnswerSecondFactorServices,
  reference: string,
  call: SignInCall,
): Promise<{ verificationSentTo: string }> {
  const { mailer, store, throttle, verifications } = services
  await throttle.attempt(sendsPerAddress, addressBlock(call.auditContext.address))
  // Across, here and below: a verification belongs to no organisation.
  const verification = await store.across((db) => verifications.find(db, reference))
  if (verification?.sendTo == null) throw new ApiFault('verificationFailed')
  const { context, deviceId, payload, sendTo } = verification
  await verifications.countSending(context, sendTo, deviceId)
  await store.across(async (db) => {
    const code = await verifications.createCode(db, reference)
    // The owner of an address in use has received another email; the reply must not reveal the difference.
    const isReal = context !== 'registration' || typeof payload['registrationId'] === 'string'
    const email = context === 'registration' ? signUpCode(code) : signInCode(code)
    await runOrDiscard(isReal ? 'real' : 'decoy', db, () => mailer.enqueue(db, sendTo, email))
  })
  return { verificationSentTo: maskAddress(sendTo) }
}

/** WebAuthn request options for the browser. Without a reference, a passkey of any user is accepted. */
export async function passkeyOptions(
  services: AnswerSecondFactorServices,
  reference: string | undefined,
  call: SignInCall,
) {
  const { store, throttle, verifications } = services
  await throttle.attempt(passkeysPerAddress, addressBlock(call.auditContext.address))
  return store.across(async (db) => {
    const verification = reference === undefined ? null : await verifications.find(db, reference)
    if (reference !== undefined && verification?.context !== 'signin') throw new ApiFault('verificationFailed')
    const verificationReference = reference ?? (await verifications.create(db, { context: 'signin', sendTo: null }))
    const options = await createAuthenticationOptions(db, services, verification?.userId ?? null)
    await verifications.setChallenge(db, verificationReference, options.challenge)
    return { verificationReference, options: { ...options } }
  })
}

interface SecondFactorCheck<T> {
  readonly check: (db: Db, verification: Verification) => Promise<boolean>
  /** Returns null if there is nothing left to grant although the answer is right. */
  readonly onVerified: (db: Db, verification: Verification) => Promise<T | null>
}

/** @throws `verificationFailed` for every reason alike. */
async function submitAnswer<T>(
  { audit, store, throttle, verifications }: AnswerSecondFactorServices,
  { auditContext }: SignInCall,
  target: { readonly reference: string; readonly context: VerificationContext },
  { check, onVerified }: SecondFactorCheck<T>,
): Promise<T> {
  const address = addressBlock(auditContext.address)
  await throttle.attempt(codesPerAddress, address)
  const failure = {
    organisationId: null,
    action: 'authn.mfa_fail',
    outcome: 'failure',
    detail: { context: target.context },
  } as const
  const result = await verifications.submit(target, {
    check,
    onVerified,
    onRejected: (db, { userId }) => audit.record(db, withActor(auditContext, { userId }), failure),
  })
  if (result === null) throw new ApiFault('verificationFailed')
  await store.across((db) => throttle.refund(db, codesPerAddress, address))
  return result
}

async function startSessionAs(
  services: AnswerSecondFactorServices,
  db: Db,
  call: SignInCall,
  { userId, by, trust }: { readonly userId: string | null; readonly by: 'code' | 'passkey'; readonly trust: boolean },
): Promise<StartedSession | null> {
  const account = userId === null ? undefined : await findActiveAccount(db, userId, 'lock')
  if (account === undefined) return null
  return startSession(services, db, call, {
    account,
    by,
    device: await findKnownDevice(services, db, account, call),
    hasMfa: true,
    trust,
  })
}

/** Creates the code for GET /registration/finalise. The link in the email stays valid, too. */
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
