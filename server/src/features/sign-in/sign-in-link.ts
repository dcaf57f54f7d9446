/** Sign-in with a link from an email: automatic in the browser that requested it, in any other after a confirmation. */
import { randomUUID } from 'node:crypto'
import { signInLinkMs } from '@tributary/contract/limits'
import type { LinkSignIn, SignInReply } from '@tributary/contract/sign-in'
import type { Camel } from '@tributary/contract/wire'
import { addressBlock } from '../../security/throttling/network-prefix.ts'
import { linkCookie } from '../../identity/sessions/session-cookies.ts'
import { readCookie, setCookie } from '../../kernel/http/own-cookie.ts'
import { runOrDiscard } from '../../security/secrets/timing-equaliser.ts'
import { ApiFault } from '../../kernel/http/api-fault.ts'
import {
  hashOf,
  createLinkCode,
  readLinkCode,
  redeemLinkCode,
  randomSecret,
} from '../../security/secrets/one-time-codes.ts'
import { signInLink } from '../../identity/people/account-email-templates.ts'
import type { AppServices } from '../../app-services.ts'
import type { Db } from '../../kernel/store/store.ts'
import { type ThrottleLimit, isWithinLimit } from '../../security/throttling/throttle.ts'
import { findAccount, findActiveAccount, type Account } from '../../identity/people/accounts.ts'
import { completeFirstFactor, type SignInProof, type SignInCall, type StartSessionServices } from './start-session.ts'

type SignInLinkServices = Pick<
  AppServices,
  'captcha' | 'clock' | 'config' | 'mailer' | 'store' | 'throttle' | 'verifications'
> &
  StartSessionServices

const linksPerAddress: ThrottleLimit = {
  kind: 'link address',
  free: 10,
  waitMs: 600_000,
  windowMs: 3_600_000,
  isShared: true,
}
const codesPerAddress: ThrottleLimit = { kind: 'link code address', free: 30, waitMs: 600_000, isShared: true }

/** Same reply and same duration whether or not the address has an account. */
export async function requestLink(
  services: SignInLinkServices,
  { emailAddress, recaptchaToken }: { emailAddress: string; recaptchaToken: string },
  call: SignInCall,
) {
  const { captcha, config, store, throttle } = services
  const { address } = call.auditContext
  await throttle.attempt(linksPerAddress, addressBlock(address))
  await captcha.require(recaptchaToken, address)
  // An error would reveal other people's attempts to the caller.
  const mayBeSent = await isWithinLimit(services.verifications.countSending('link', emailAddress))
  const secret = randomSecret()
  // Across: the caller is not known yet.
  await store.across(async (db) => {
    const account = await findAccount(db, emailAddress)
    const isReal = account?.status === 'active' && mayBeSent
    const recipient = { userId: account?.id ?? randomUUID(), emailAddress: account?.emailAddress ?? emailAddress }
    await runOrDiscard(isReal ? 'real' : 'decoy', db, () => enqueueLink(services, db, { ...recipient, secret }))
  })
  setCookie(config, call.reply, linkCookie, secret)
  return { message: 'If there is an account with this address, a link is on its way to it. It works for 15 minutes.' }
}

export async function signInByLink(
  services: SignInLinkServices,
  { code, isConfirmed }: LinkSignIn,
  call: SignInCall,
): Promise<Camel<SignInReply>> {
  const { store, throttle } = services
  const address = addressBlock(call.auditContext.address)
  await throttle.attempt(codesPerAddress, address)
  if (isConfirmed !== true) {
    const account = await store.across((db) => findAccountToConfirm(services, db, code, call))
    if (account !== null) return { confirmationRequired: true, emailAddress: account.emailAddress }
  }
  return completeFirstFactor(services, call, async (db): Promise<SignInProof> => {
    const redeemed = await redeemLinkCode(db, services.clock, 'signin', code)
    const account = redeemed === null ? undefined : await findActiveAccount(db, redeemed.subjectId, 'lock')
    if (account === undefined) throw new ApiFault('linkSpent')
    await throttle.refund(db, codesPerAddress, address)
    return { account, by: 'link' }
  })
}

async function enqueueLink(
  { clock, config, mailer }: SignInLinkServices,
  db: Db,
  { userId, emailAddress, secret }: { userId: string; emailAddress: string; secret: string },
): Promise<void> {
  const payload = { browser: hashOf(secret).toString('base64url') }
  const code = await createLinkCode(db, clock, {
    purpose: 'signin',
    subjectId: userId,
    lifeMs: signInLinkMs,
    payload,
  })
  await mailer.enqueue(db, emailAddress, signInLink(`${config.publicUrl}/signin?code=${code}`))
}

/**
 * Returns null if this browser requested the link. Otherwise returns the link's account, which the user must confirm:
 * an attacker may want the victim's browser to be signed in to the attacker's account.
 */
async function findAccountToConfirm(
  { clock, config }: Pick<AppServices, 'clock' | 'config'>,
  db: Db,
  code: string,
  { request }: SignInCall,
): Promise<Account | null> {
  const link = await readLinkCode(db, clock, 'signin', code)
  const account = link === null ? undefined : await findActiveAccount(db, link.subjectId)
  if (link === null || account === undefined) throw new ApiFault('linkSpent')
  const browser = hashOf(readCookie(config, request, linkCookie) ?? '').toString('base64url')
  return link.payload['browser'] === browser ? null : account
}
