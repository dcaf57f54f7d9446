/** Signing in by password: counted before it is tried, the same answer whatever was wrong, and told to the audit log. */
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
import { letIn, type SignInProof, type SignInCall, type StartSessionServices } from './start-session.ts'
import { countFailure, findAccount, findActiveAccount, replaceHash, type SignInAccount } from './queries.ts'

type PasswordSignInServices = Pick<
  AppServices,
  'audit' | 'captcha' | 'config' | 'devices' | 'mailer' | 'passwords' | 'signInBreaker' | 'store' | 'throttle'
> &
  StartSessionServices

/** For each known browser on its own, so that nobody elsewhere can keep its owner waiting. */
const passwordsPerDevice: ThrottleLimit = { ...passwordsPerAccount, kind: 'sign-in device', free: 10 }
/** Right or wrong: each costs the work of a password. */
const signInsPerAddress: ThrottleLimit = {
  kind: 'sign-in rate',
  free: 60,
  waitMs: 60_000,
  waitMaxMs: 60_000,
  windowMs: 60_000,
  isShared: true,
}
/** Wrong passwords in a row, after which only browsers that are known may try another. */
const failuresMax = 100
/** Shorter ones need a second factor beside them wherever the browser is not known. */
const strongLength = 8

export async function signInByPassword(
  services: PasswordSignInServices,
  body: PasswordSignIn,
  visit: SignInCall,
): Promise<Camel<SignInReply>> {
  const { passwords, throttle } = services
  const account = body.emailAddress.toLowerCase()
  const address = addressBlock(visit.auditContext.address)
  await throttle.attempt(signInsPerAddress, address)
  await throttle.attempt(passwordsPerAddress, address)
  const { found, deviceId } = await lookUp(services, account, visit)
  if (deviceId === null) await requirePerson(services, body.recaptchaToken, visit)
  const [limit, counted] = deviceId === null ? [passwordsPerAccount, account] : [passwordsPerDevice, deviceId]
  await throttle.attempt(limit, counted)

  const isRight = await passwords.matches(found?.passwordHash, body.password)
  const refusal = refusalOf(found, isRight, deviceId)
  if (found === undefined || refusal !== null) {
    await refuse(services, visit, { account, found, reason: refusal ?? '', isCounted: !isRight && deviceId === null })
    throw new ApiFault('wrongSecret')
  }
  const rehash = await rehashed(services, found, body.password)
  return letIn(services, visit, async (db): Promise<SignInProof> => {
    await throttle.forgive(db, limit, counted)
    await throttle.refund(db, passwordsPerAddress, address)
    const current = await findActiveAccount(db, found.id, 'lock')
    // Locked, or given another password, while this one was being checked.
    if (current?.passwordHash !== found.passwordHash) throw new ApiFault('wrongSecret')
    if (rehash !== null) await replaceHash(db, found.id, rehash)
    return { account: found, by: 'password', isWeak: [...body.password].length < strongLength }
  })
}

/** While many sign-ins fail, of every browser that is not known; before the attempt is counted, so that machines use up nobody's. */
async function requirePerson(
  { captcha, signInBreaker }: Pick<AppServices, 'captcha' | 'signInBreaker'>,
  recaptchaToken: string | undefined,
  { auditContext }: SignInCall,
): Promise<void> {
  if (!(await signInBreaker.isOpen())) return
  if (recaptchaToken === undefined) throw new ApiFault('captchaNeeded')
  await captcha.require(recaptchaToken, auditContext.address)
}

/** So that an address that nobody has is looked up for as long. */
const nobody = '00000000-0000-0000-0000-000000000000'

/** Across: the person is yet to be known, and may be of several organisations. */
function lookUp({ config, devices, store }: PasswordSignInServices, emailAddress: string, { request }: SignInCall) {
  return store.across(async (db) => {
    const found = await findAccount(db, emailAddress)
    const device = await devices.find(db, found?.id ?? nobody, readDeviceTokens(config, request))
    return { found, deviceId: device === null || device === 'reused' ? null : device.id }
  })
}

/** For the audit log alone; the caller is told the same of all. Null: nothing is wrong. */
function refusalOf(found: SignInAccount | undefined, isRight: boolean, deviceId: string | null): string | null {
  if (found === undefined) return 'unknown account'
  if (!isRight) return 'wrong password'
  if (found.status !== 'active') return found.status
  return found.failedSignIns >= failuresMax && deviceId === null ? 'shut out' : null
}

interface Refused {
  readonly account: string
  readonly found: SignInAccount | undefined
  readonly reason: string
  readonly isCounted: boolean
}

async function refuse(
  { audit, config, mailer, signInBreaker, store }: PasswordSignInServices,
  { auditContext }: SignInCall,
  { account, found, reason, isCounted }: Refused,
): Promise<void> {
  const by = withActor(auditContext, { userId: found?.id ?? null })
  await store.across(async (db: Db) => {
    if (reason === 'unknown account' || reason === 'wrong password') await signInBreaker.countFailure(db)
    const failures = isCounted ? await countFailure(db, account) : undefined
    await audit.record(db, by, {
      organisationId: null,
      action: 'authn.login_fail',
      outcome: 'failure',
      detail: { reason },
    })
    if (failures !== failuresMax || found === undefined || found.status !== 'active') return
    await audit.record(db, by, {
      organisationId: null,
      action: 'authn.login_lock',
      outcome: 'refused',
      object: { type: 'user', id: found.id },
    })
    await mailer.enqueue(db, found.emailAddress, signInBlocked(`${config.publicUrl}/signin`))
  })
}

/** What to keep instead where passwords are hashed at a higher cost, or with another pepper, by now; else null. */
async function rehashed(
  { passwords }: Pick<AppServices, 'passwords'>,
  { passwordHash }: SignInAccount,
  password: string,
): Promise<{ from: string; to: string } | null> {
  if (passwordHash === null || !(await passwords.isOutdated(passwordHash))) return null
  return { from: passwordHash, to: await passwords.hash(password) }
}
