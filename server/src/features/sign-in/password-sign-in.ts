/**
 * Sign-in with a password. Attempts are counted before the comparison, every refusal has the same reply, and the audit
 * log has the reason.
 */
import { withActor } from '../../kernel/audit-context.ts'
import type { PasswordSignIn, SignInReply } from '@tributary/contract/sign-in'
import type { Camel } from '@tributary/contract/wire'
import { addressBlock } from '../../security/throttling/network-prefix.ts'
import { readDeviceTokens } from '../../identity/sessions/session-cookies.ts'
import { ApiFault } from '../../kernel/http/api-fault.ts'
import { signInBlocked } from '../../identity/people/account-email-templates.ts'
import type { AppServices } from '../../app-services.ts'
import { passwordsPerAccount, passwordsPerAddress } from '../../security/throttling/password-attempt-limits.ts'
import type { Db } from '../../kernel/store/store.ts'
import type { ThrottleLimit } from '../../security/throttling/throttle.ts'
import { type Account, findAccount, findActiveAccount } from '../../identity/people/accounts.ts'
import { completeFirstFactor, type SignInProof, type SignInCall, type StartSessionServices } from './start-session.ts'
import { countFailure, replaceHash } from './queries.ts'

type PasswordSignInServices = Pick<
  AppServices,
  'audit' | 'captcha' | 'config' | 'devices' | 'mailer' | 'passwords' | 'signInBreaker' | 'store' | 'throttle'
> &
  StartSessionServices

/** Counts each known browser separately, so that guesses from elsewhere cannot lock its owner out. */
const passwordsPerDevice: ThrottleLimit = { ...passwordsPerAccount, kind: 'sign-in device', free: 10 }
/** Counts successful sign-ins, too, because each costs a password hash. */
const signInsPerAddress: ThrottleLimit = { kind: 'sign-in rate', free: 60, waitMs: 60_000, isShared: true }
/** After this many consecutive wrong passwords, only known browsers may try another one. */
const failuresMax = 100
/** A shorter password needs a second factor in every browser that is not known. */
const strongLength = 8

export async function signInByPassword(
  services: PasswordSignInServices,
  body: PasswordSignIn,
  call: SignInCall,
): Promise<Camel<SignInReply>> {
  const { passwords, throttle } = services
  const emailAddress = body.emailAddress.toLowerCase()
  const address = addressBlock(call.auditContext.address)
  await throttle.attempt(signInsPerAddress, address)
  await throttle.attempt(passwordsPerAddress, address)
  const { account, deviceId } = await findAccountAndDevice(services, emailAddress, call)
  if (deviceId === null) await requireCaptcha(services, body.recaptchaToken, call)
  const [limit, throttleKey] = deviceId === null ? [passwordsPerAccount, emailAddress] : [passwordsPerDevice, deviceId]
  await throttle.attempt(limit, throttleKey)

  const isRight = await passwords.matches(account?.passwordHash, body.password)
  const reason = explainRefusal(account, isRight, deviceId)
  if (account === undefined || reason !== null) {
    const isCounted = !isRight && deviceId === null
    await recordRefusal(services, call, { emailAddress, account, reason: reason ?? '', isCounted })
    throw new ApiFault('wrongSecret')
  }
  const rehash = await rehashIfOutdated(services, account, body.password)
  return completeFirstFactor(services, call, async (db): Promise<SignInProof> => {
    await throttle.forgive(db, limit, throttleKey)
    await throttle.refund(db, passwordsPerAddress, address)
    const current = await findActiveAccount(db, account.id, 'lock')
    // The account may have been locked, or its password changed, during the comparison.
    if (current?.passwordHash !== account.passwordHash) throw new ApiFault('wrongSecret')
    if (rehash !== null) await replaceHash(db, account.id, rehash)
    return { account, by: 'password', isWeak: [...body.password].length < strongLength }
  })
}

/**
 * While many sign-ins fail, every browser that is not known must solve a captcha. Runs before the attempt is counted,
 * so that bots cannot use up a user's attempts.
 */
async function requireCaptcha(
  { captcha, signInBreaker }: Pick<AppServices, 'captcha' | 'signInBreaker'>,
  recaptchaToken: string | undefined,
  { auditContext }: SignInCall,
): Promise<void> {
  if (!(await signInBreaker.isOpen())) return
  if (recaptchaToken === undefined) throw new ApiFault('captchaNeeded')
  await captcha.require(recaptchaToken, auditContext.address)
}

/** Equalises the timing: an unknown address costs the same device lookup. */
const unknownUserId = '00000000-0000-0000-0000-000000000000'

/** Across: the caller is not known yet and may belong to several organisations. */
function findAccountAndDevice(
  { config, devices, store }: PasswordSignInServices,
  emailAddress: string,
  { request }: SignInCall,
) {
  return store.across(async (db) => {
    const account = await findAccount(db, emailAddress)
    const device = await devices.find(db, account?.id ?? unknownUserId, readDeviceTokens(config, request))
    return { account, deviceId: device === null || device === 'reused' ? null : device.id }
  })
}

/**
 * For the audit log only: the caller gets the same reply for every reason. Returns null if the sign-in may continue.
 */
function explainRefusal(account: Account | undefined, isRight: boolean, deviceId: string | null): string | null {
  if (account === undefined) return 'unknown account'
  if (!isRight) return 'wrong password'
  if (account.status !== 'active') return account.status
  return account.failedSignIns >= failuresMax && deviceId === null ? 'shut out' : null
}

interface SignInRefusal {
  readonly emailAddress: string
  readonly account: Account | undefined
  readonly reason: string
  /** Whether it counts towards `failuresMax`. */
  readonly isCounted: boolean
}

/** Also notifies the owner when the failure reaches `failuresMax`. */
async function recordRefusal(
  { audit, config, mailer, signInBreaker, store }: PasswordSignInServices,
  { auditContext }: SignInCall,
  { emailAddress, account, reason, isCounted }: SignInRefusal,
): Promise<void> {
  const by = withActor(auditContext, { userId: account?.id ?? null })
  await store.across(async (db: Db) => {
    if (reason === 'unknown account' || reason === 'wrong password') await signInBreaker.countFailure(db)
    const failures = isCounted ? await countFailure(db, emailAddress) : undefined
    await audit.record(db, by, {
      organisationId: null,
      action: 'authn.login_fail',
      outcome: 'failure',
      detail: { reason },
    })
    if (failures !== failuresMax || account === undefined || account.status !== 'active') return
    await audit.record(db, by, {
      organisationId: null,
      action: 'authn.login_lock',
      outcome: 'refused',
      object: { type: 'user', id: account.id },
    })
    await mailer.enqueue(db, account.emailAddress, signInBlocked(`${config.publicUrl}/signin`))
  })
}

/** Returns the new hash if the cost or the pepper has changed since the stored one, else null. */
async function rehashIfOutdated(
  { passwords }: Pick<AppServices, 'passwords'>,
  { passwordHash }: Account,
  password: string,
): Promise<{ from: string; to: string } | null> {
  if (passwordHash === null || !(await passwords.isOutdated(passwordHash))) return null
  return { from: passwordHash, to: await passwords.hash(password) }
}
