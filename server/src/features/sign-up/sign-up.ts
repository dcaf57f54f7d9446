/** Signing up: whoever asks is told the same, and the owner of the address learns the rest by mail. */
import { registrationLinkMs } from '@tributary/contract/limits'
import type { SignUp } from '@tributary/contract/sign-up'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AuditContext } from '../../kernel/audit-context.ts'
import { addressBlock } from '../../security/throttling/network-prefix.ts'
import { isoTime } from '../../kernel/clock.ts'
import { setSignUpSecret, readOrCreateSignUpSecret } from '../../identity/sessions/session-cookies.ts'
import { ApiFault, badField } from '../../kernel/http/api-fault.ts'
import { hashOf, createLinkCode } from '../../security/secrets/one-time-codes.ts'
import { alreadyRegistered, confirmSignUp } from '../../identity/people/account-email-templates.ts'
import { requireTimeZone } from '../../identity/people/organisations.ts'
import type { AppServices } from '../../app-services.ts'
import type { Db } from '../../kernel/store/store.ts'
import { signUpsInAll, signUpsPerAddress } from './sign-up-limits.ts'
import { findAccount, insertRegistration, takePendingIdentity } from './queries.ts'

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
  /** Opens GET /registration/finalise at once; null where the address is yet to be confirmed. */
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
  // After the captcha: or a handful of machines could use it up for everybody, at no cost.
  await throttle.attempt(signUpsInAll, '')
  if (body.organisation.timeZone !== undefined) requireTimeZone('organisation.timeZone', body.organisation.timeZone)
  await requirePassword(services, body)
  await verifications.countSending('registration', body.account.emailAddress)

  const { password } = body.account
  const passwordHash = password === undefined ? null : await passwords.hash(password)
  const secret = readOrCreateSignUpSecret(config, request)
  // Across: somebody who signs up belongs to no organisation.
  const begun = await store.across((db) => begin(services, db, body, { passwordHash, browserHash: hashOf(secret) }))
  setSignUpSecret(config, reply, secret)
  return begun
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

async function begin(
  services: SignUpServices,
  db: Db,
  body: SignUp,
  { passwordHash, browserHash }: SignUpSecrets,
): Promise<StartedSignUp> {
  const { clock, mailer, verifications } = services
  const { firstName, lastName, emailAddress } = body.account
  const { isVerified, ...identity } = await identityOf(services, db, body)
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
  // For an address that has an account everything is done the same; only its owner is told, and gets neither link nor code.
  const isTaken = (await findAccount(db, emailAddress)) !== undefined
  const beginning = {
    context: 'registration',
    sendTo: emailAddress,
    payload: isTaken ? {} : { registrationId },
  } as const
  const verificationReference = await verifications.create(db, beginning)
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
    isTaken ? welcomeBack(services) : confirmSignUp({ firstName, code, url: finaliseUrl(services, linkCode) }),
  )
  return {
    message: 'We have sent you an e-mail. Open its link, or enter its code, to go on.',
    verificationReference,
    code: null,
  }
}

function welcomeBack({ config }: Pick<AppServices, 'config'>) {
  return alreadyRegistered({ signInUrl: `${config.publicUrl}/signin`, resetUrl: `${config.publicUrl}/reset-password` })
}

function finaliseUrl({ config }: Pick<AppServices, 'config'>, code: string): string {
  return `${config.publicUrl}/signup/finalise?code=${code}`
}

/** An address counts as confirmed where the provider vouches for that very one. */
async function identityOf({ clock }: Pick<AppServices, 'clock'>, db: Db, { account, registrationCode }: SignUp) {
  if (registrationCode === undefined)
    return { issuer: null, subject: null, provider: null, msOid: null, isVerified: false }
  const identity = await takePendingIdentity(db, registrationCode, clock.now())
  if (identity === undefined) throw new ApiFault('linkSpent')
  const { issuer, subject, provider, msOid } = identity
  const isVerified =
    identity.isEmailVerified && identity.emailAddress?.toLowerCase() === account.emailAddress.toLowerCase()
  return { issuer, subject, provider, msOid, isVerified }
}
