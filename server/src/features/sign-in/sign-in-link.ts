/** Signing in by a link in a mail: by itself only in the browser that asked for it, elsewhere after a click. */
import { randomBytes, randomUUID } from 'node:crypto'
import { signInLinkMs } from '@tributary/contract/limits'
import type { LinkSignIn, SignInReply } from '@tributary/contract/sign-in'
import type { Camel } from '@tributary/contract/wire'
import { addressBlock } from '../../security/throttling/network-prefix.ts'
import { readLinkSecret, setLinkSecret } from '../../identity/sessions/session-cookies.ts'
import { runOrDiscard } from '../../security/secrets/timing-equaliser.ts'
import { ApiFault } from '../../kernel/http/api-fault.ts'
import { hashOf, createLinkCode, readLinkCode, redeemLinkCode } from '../../security/secrets/one-time-codes.ts'
import { signInLink } from '../../identity/people/account-email-templates.ts'
import type { AppServices } from '../../app-services.ts'
import type { Db } from '../../kernel/store/store.ts'
import type { ThrottleLimit } from '../../security/throttling/throttle.ts'
import { letIn, type SignInProof, type SignInCall, type StartSessionServices } from './start-session.ts'
import { findAccount, findActiveAccount, type SignInAccount } from './queries.ts'

type SignInLinkServices = Pick<
  AppServices,
  'captcha' | 'clock' | 'config' | 'mailer' | 'store' | 'throttle' | 'verifications'
> &
  StartSessionServices

const linksPerAddress: ThrottleLimit = {
  kind: 'link address',
  free: 10,
  waitMs: 600_000,
  waitMaxMs: 3_600_000,
  windowMs: 3_600_000,
  isShared: true,
}
const codesPerAddress: ThrottleLimit = {
  kind: 'link code address',
  free: 30,
  waitMs: 600_000,
  waitMaxMs: 600_000,
  windowMs: 600_000,
  isShared: true,
}

/** The same for everybody, whether or not there is an account, and in the same time. */
export async function requestLink(
  services: SignInLinkServices,
  { emailAddress, recaptchaToken }: { emailAddress: string; recaptchaToken: string },
  visit: SignInCall,
) {
  const { captcha, config, store, throttle } = services
  const { address } = visit.auditContext
  await throttle.attempt(linksPerAddress, addressBlock(address))
  await captcha.require(recaptchaToken, address)
  const mayBeSent = await countSending(services, emailAddress)
  const secret = randomBytes(32).toString('base64url')
  // Across: the person is yet to be known.
  await store.across(async (db) => {
    const found = await findAccount(db, emailAddress.toLowerCase())
    const isReal = found?.status === 'active' && mayBeSent
    const to = { userId: found?.id ?? randomUUID(), emailAddress: found?.emailAddress ?? emailAddress, secret }
    await runOrDiscard(isReal ? 'real' : 'decoy', db, () => postLink(services, db, to))
  })
  setLinkSecret(config, visit.reply, secret)
  return { message: 'If there is an account with this address, a link is on its way to it. It works for 15 minutes.' }
}

export async function signInByLink(
  services: SignInLinkServices,
  { code, isConfirmed }: LinkSignIn,
  visit: SignInCall,
): Promise<Camel<SignInReply>> {
  const { store, throttle } = services
  const address = addressBlock(visit.auditContext.address)
  await throttle.attempt(codesPerAddress, address)
  if (isConfirmed !== true) {
    const stranger = await store.across((db) => strangerOf(services, db, code, visit))
    if (stranger !== null) return { confirmationRequired: true, emailAddress: stranger.emailAddress }
  }
  return letIn(services, visit, async (db): Promise<SignInProof> => {
    const taken = await redeemLinkCode(db, services.clock, { purpose: 'signin', code })
    const account = taken === null ? undefined : await findActiveAccount(db, taken.subjectId, 'lock')
    if (account === undefined) throw new ApiFault('linkSpent')
    await throttle.refund(db, codesPerAddress, address)
    return { account, by: 'link' }
  })
}

async function postLink(
  { clock, config, mailer }: SignInLinkServices,
  db: Db,
  to: { userId: string; emailAddress: string; secret: string },
): Promise<void> {
  const payload = { browser: hashOf(to.secret).toString('base64url') }
  const code = await createLinkCode(db, clock, {
    purpose: 'signin',
    subjectId: to.userId,
    lifeMs: signInLinkMs,
    payload,
  })
  await mailer.enqueue(db, to.emailAddress, signInLink(`${config.publicUrl}/signin?code=${code}`))
}

/** False where enough has gone to that address; nobody is told, for the answer would tell of others' attempts. */
async function countSending(
  { verifications }: Pick<AppServices, 'verifications'>,
  emailAddress: string,
): Promise<boolean> {
  try {
    await verifications.countSending('link', emailAddress)
    return true
  } catch (error) {
    if (error instanceof ApiFault && error.code === 'tooMany') return false
    throw error
  }
}

/** The account of a link that this browser did not ask for: somebody else may want it signed in there. Else null. */
async function strangerOf(
  { clock, config }: Pick<AppServices, 'clock' | 'config'>,
  db: Db,
  code: string,
  { request }: SignInCall,
): Promise<SignInAccount | null> {
  const link = await readLinkCode(db, clock, { purpose: 'signin', code })
  const account = link === null ? undefined : await findActiveAccount(db, link.subjectId, 'read')
  if (link === null || account === undefined) throw new ApiFault('linkSpent')
  const browser = hashOf(readLinkSecret(config, request)).toString('base64url')
  return link.payload['browser'] === browser ? null : account
}
