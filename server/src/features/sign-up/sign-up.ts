/**
 * Begins a sign-up. The reply is the same for every address; only its owner learns by email whether it has an account.
 */
import { registrationLinkMs } from '@tributary/contract/limits'
import type { SignUp } from '@tributary/contract/sign-up'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AuditContext } from '../../kernel/audit-context.ts'
import { addressBlock } from '../../security/throttling/network-prefix.ts'
import { isoTime } from '../../kernel/clock.ts'
import { readOrCreateSignUpSecret, signUpCookie } from '../../identity/sessions/session-cookies.ts'
import { setCookie } from '../../kernel/http/own-cookie.ts'
import { ApiFault, badField } from '../../kernel/http/api-fault.ts'
import { hashOf, createLinkCode } from '../../security/secrets/one-time-codes.ts'
import { alreadyRegistered, confirmSignUp } from '../../identity/people/account-email-templates.ts'
import { requireTimeZone } from '../../identity/people/organisations.ts'
import type { AppServices } from '../../app-services.ts'
import type { Db } from '../../kernel/store/store.ts'
import { findAccount } from '../../identity/people/accounts.ts'
import { signUpsInTotal, signUpsPerAddress } from './sign-up-limits.ts'
import { insertRegistration, redeemPendingIdentity } from './queries.ts'

type SignUpServices = Pick<
  AppServices,
  'captcha' | 'clock' | 'config' | 'mailer' | 'passwords' | 'settings' | 'store' | 'throttle' | 'verifications'
>

interface SignUpCall {
  readonly auditContext: AuditContext
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

export interface StartedSignUp {
  readonly message: string
  readonly verificationReference: string
  /** The code for GET /registration/finalise; null if the address must be confirmed first. */
  readonly code: string | null
}

export async function signUp(
  services: SignUpServices,
  body: SignUp,
  { auditContext, request, reply }: SignUpCall,
): Promise<StartedSignUp> {
  const { captcha, config, passwords, settings, store, throttle, verifications } = services
  if (!(await settings.read()).AllowSignUp) throw new ApiFault('signUpClosed')
  await throttle.attempt(signUpsPerAddress, addressBlock(auditContext.address))
  await captcha.require(body.recaptchaToken, auditContext.address)
  // After the captcha, so that a few bots cannot use up the limit for all visitors at no cost.
  await throttle.attempt(signUpsInTotal, '')
  if (body.organisation.timeZone !== undefined) requireTimeZone('organisation.timeZone', body.organisation.timeZone)
  await requirePassword(services, body)
  await verifications.countSending('registration', body.account.emailAddress)

  const { password } = body.account
  const passwordHash = password === undefined ? null : await passwords.hash(password)
  const secret = readOrCreateSignUpSecret(config, request)
  // Across: an applicant belongs to no organisation.
  const started = await store.across((db) =>
    insertSignUp(services, db, body, { passwordHash, browserHash: hashOf(secret) }),
  )
  setCookie(config, reply, signUpCookie, secret)
  return started
}

async function requirePassword(
  { passwords }: Pick<AppServices, 'passwords'>,
  { account, organisation, registrationCode }: SignUp,
): Promise<void> {
  const about = [account.firstName, account.lastName, account.emailAddress, organisation.companyName]
  if (account.password !== undefined) await passwords.requireStrong('account.password', account.password, about)
  else if (registrationCode === undefined) throw badField('account.password', 'is missing')
}

interface SignUpSecrets {
  readonly passwordHash: string | null
  readonly browserHash: Buffer
}

async function insertSignUp(
  services: SignUpServices,
  db: Db,
  body: SignUp,
  { passwordHash, browserHash }: SignUpSecrets,
): Promise<StartedSignUp> {
  const { clock, mailer, verifications } = services
  const { firstName, lastName, emailAddress } = body.account
  const { isVerified, ...identity } = await redeemIdentity(services, db, body)
  const registrationId = await insertRegistration(db, {
    firstName,
    lastName,
    emailAddress,
    passwordHash,
    companyName: body.organisation.companyName,
    timeZone: body.organisation.timeZone ?? null,
    ...identity,
    browserHash: isVerified ? null : browserHash,
    verifiedAt: isVerified ? isoTime(clock.now()) : null,
    createdAt: isoTime(clock.now()),
  })
  // An address in use takes the same steps, but its owner gets a notice instead of the link and the code.
  const isTaken = (await findAccount(db, emailAddress)) !== undefined
  const verification = {
    context: 'registration',
    sendTo: emailAddress,
    payload: isTaken ? {} : { registrationId },
  } as const
  const verificationReference = await verifications.create(db, verification)
  const code = await verifications.createCode(db, verificationReference)
  const linkCode = await createLinkCode(db, clock, {
    purpose: 'registration',
    subjectId: registrationId,
    lifeMs: registrationLinkMs,
  })
  if (isVerified) return { message: 'Your address is confirmed.', verificationReference, code: linkCode }

  await mailer.enqueue(
    db,
    emailAddress,
    isTaken
      ? composeAlreadyRegistered(services)
      : confirmSignUp({ firstName, code, url: finaliseUrl(services, linkCode) }),
  )
  return {
    message: 'We have sent you an e-mail. Open its link, or enter its code, to continue.',
    verificationReference,
    code: null,
  }
}

function composeAlreadyRegistered({ config }: Pick<AppServices, 'config'>) {
  return alreadyRegistered({ signInUrl: `${config.publicUrl}/signin`, resetUrl: `${config.publicUrl}/reset-password` })
}

function finaliseUrl({ config }: Pick<AppServices, 'config'>, code: string): string {
  return `${config.publicUrl}/signup/finalise?code=${code}`
}

/** The address counts as confirmed if the identity provider has verified the same one. */
async function redeemIdentity({ clock }: Pick<AppServices, 'clock'>, db: Db, { account, registrationCode }: SignUp) {
  if (registrationCode === undefined)
    return { issuer: null, subject: null, provider: null, msOid: null, isVerified: false }
  const identity = await redeemPendingIdentity(db, registrationCode, clock.now())
  if (identity === undefined) throw new ApiFault('linkSpent')
  const { issuer, subject, provider, msOid } = identity
  const isVerified =
    identity.isEmailVerified && identity.emailAddress?.toLowerCase() === account.emailAddress.toLowerCase()
  return { issuer, subject, provider, msOid, isVerified }
}
