/** A forgotten password, or a first one: a link by mail, and with it a new password. A second factor is asked for as before. */
import { randomUUID } from 'node:crypto'
import { resetLinkMs } from '@tributary/contract/limits'
import { type AuditContext, withActor } from '../../kernel/audit-context.ts'
import { addressBlock } from '../../security/throttling/network-prefix.ts'
import { runOrDiscard } from '../../security/secrets/timing-equaliser.ts'
import { ApiFault } from '../../kernel/http/api-fault.ts'
import { createLinkCode, readLinkCode, redeemLinkCode } from '../../security/secrets/one-time-codes.ts'
import { accountChanged, resetPassword } from '../../identity/people/account-email-templates.ts'
import type { AppServices } from '../../app-services.ts'
import { passwordsPerAccount } from '../../security/throttling/password-attempt-limits.ts'
import type { Db } from '../../kernel/store/store.ts'
import { type ThrottleLimit, isWithinLimit } from '../../security/throttling/throttle.ts'
import { setOwnerPassword } from '../../identity/people/revoke-sign-in-methods.ts'
import { type Account, findAccount, findActiveAccount } from '../../identity/people/accounts.ts'
import { listNamesEverywhere } from './queries.ts'

type ResetPasswordServices = Pick<
  AppServices,
  'audit' | 'captcha' | 'clock' | 'config' | 'mailer' | 'passwords' | 'sessions' | 'store' | 'throttle'
>

const hourMs = 3_600_000
const requestsPerAddress: ThrottleLimit = { kind: 'reset request', free: 10, waitMs: hourMs, isShared: true }
const requestsPerAccount: ThrottleLimit = { kind: 'reset account', free: 3, waitMs: hourMs }
const requestsInAll: ThrottleLimit = {
  kind: 'resets',
  free: 500,
  waitMs: 60_000,
  waitMaxMs: 600_000,
  windowMs: hourMs,
  isShared: true,
}
/** Reading the link counts, and each password that is refused. */
const redemptionsPerToken: ThrottleLimit = {
  kind: 'reset token',
  free: 5,
  waitMs: 10_000,
  waitMaxMs: 600_000,
  windowMs: hourMs,
}
const redemptionsPerAddress: ThrottleLimit = { kind: 'reset redeem', free: 20, waitMs: hourMs, isShared: true }

type ResetAccount = Pick<Account, 'id' | 'emailAddress' | 'passwordHash'>

interface PasswordResetRequest {
  readonly emailAddress: string
  readonly recaptchaToken: string
  readonly auditContext: AuditContext
}

/** Whether the address is known shows neither in the answer nor in the time it takes. */
export async function requestReset(
  services: ResetPasswordServices,
  { emailAddress, recaptchaToken, auditContext }: PasswordResetRequest,
): Promise<void> {
  const { captcha, store, throttle } = services
  await throttle.attempt(requestsPerAddress, addressBlock(auditContext.address))
  await captcha.require(recaptchaToken, auditContext.address)
  // After the captcha: or a handful of machines could use it up for everybody, at no cost.
  await throttle.attempt(requestsInAll, '')
  const isRare = await isWithinLimit(throttle.attempt(requestsPerAccount, emailAddress.toLowerCase()))
  // Across: a person may be of several organisations.
  await store.across(async (db) => {
    const account = await findAccount(db, emailAddress)
    const isReal = account?.status === 'active' && isRare
    await runOrDiscard(isReal ? 'real' : 'decoy', db, () =>
      sendLink(services, db, account ?? { id: randomUUID(), emailAddress, passwordHash: null }, auditContext),
    )
  })
}

async function sendLink(
  { audit, clock, config, mailer }: ResetPasswordServices,
  db: Db,
  account: ResetAccount,
  auditContext: AuditContext,
): Promise<void> {
  const { id, emailAddress, passwordHash } = account
  const token = await createLinkCode(db, clock, { purpose: 'reset', subjectId: id, lifeMs: resetLinkMs })
  const page = passwordHash === null ? 'set-password' : 'reset-password'
  await mailer.enqueue(db, emailAddress, resetPassword(`${config.publicUrl}/${page}/redeem/${token}`))
  const object = { type: 'user', id }
  await audit.record(db, auditContext, { organisationId: null, action: 'authn.password_reset_requested', object })
}

/** Whose password the token sets; throws `resetExpired`. */
export async function validateReset(
  services: ResetPasswordServices,
  token: string,
  auditContext: AuditContext,
): Promise<ResetAccount> {
  const { clock, store, throttle } = services
  await throttle.attempt(redemptionsPerAddress, addressBlock(auditContext.address))
  await throttle.attempt(redemptionsPerToken, token)
  // Across, here and below: a person may be of several organisations.
  return store.across(async (db) => {
    const link = await readLinkCode(db, clock, 'reset', token)
    return getAccount(db, link?.subjectId)
  })
}

export async function resetWith(
  services: ResetPasswordServices,
  {
    token,
    password,
    auditContext,
  }: { readonly token: string; readonly password: string; readonly auditContext: AuditContext },
): Promise<void> {
  const { audit, clock, config, mailer, passwords, sessions, store, throttle } = services
  // A password that is refused does not use the token up, and hashing is work only for who has one.
  const { id } = await validateReset(services, token, auditContext)
  await passwords.requireStrong('password', password, await store.across((db) => listNamesEverywhere(db, id)))
  const passwordHash = await passwords.hash(password)
  await store.across(async (db) => {
    const link = await redeemLinkCode(db, clock, 'reset', token)
    const { id: userId, emailAddress } = await getAccount(db, link?.subjectId)
    await setOwnerPassword(db, clock, userId, passwordHash)
    await sessions.endAll(db, userId, 'new password')
    await throttle.forgive(db, passwordsPerAccount, emailAddress.toLowerCase())
    await mailer.enqueue(
      db,
      emailAddress,
      accountChanged({
        what: 'The password of your account was set with the link of a mail.',
        url: `${config.publicUrl}/reset-password`,
      }),
    )
    const event = { organisationId: null, action: 'authn.password_reset_done' } as const
    await audit.record(db, withActor(auditContext, { userId }), { ...event, object: { type: 'user', id: userId } })
  })
}

async function getAccount(db: Db, id: string | undefined): Promise<ResetAccount> {
  const account = id === undefined ? undefined : await findActiveAccount(db, id)
  if (account === undefined) throw new ApiFault('resetExpired')
  return account
}
