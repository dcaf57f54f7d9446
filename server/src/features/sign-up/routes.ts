import { signUpRoutes } from '@tributary/contract/sign-up'
import { addressBlock } from '../../security/throttling/network-prefix.ts'
import { readOrCreateSignUpSecret, signUpCookie } from '../../identity/sessions/session-cookies.ts'
import { setCookie } from '../../kernel/http/own-cookie.ts'
import { ApiFault } from '../../kernel/http/api-fault.ts'
import { hashOf, readLinkCode } from '../../security/secrets/one-time-codes.ts'
import type { AppRoutes, AppServices } from '../../app-services.ts'
import { findAccount } from '../../identity/people/accounts.ts'
import { isWithinLimit } from '../../security/throttling/throttle.ts'
import { finaliseRegistration, confirmAndReadRegistration } from './finalise-sign-up.ts'
import { finaliseInvitation, readInvitation } from './accept-invitation.ts'
import {
  captchasPerAddress,
  finalisationsPerAddress,
  addressChecksInTotal,
  addressChecksPerAddress,
} from './sign-up-limits.ts'
import { findPendingIdentity } from './queries.ts'
import { signUp } from './sign-up.ts'

export function registrationRoutes(app: AppRoutes): void {
  const { services } = app
  const { captcha, clock, store, throttle } = services

  app.bind(signUpRoutes.captcha, async ({ auditContext }) => {
    await throttle.attempt(captchasPerAddress, addressBlock(auditContext.address))
    return { ...(await captcha.challenge()) }
  })

  app.bind(signUpRoutes.verify, async ({ query, auditContext }) => {
    await throttle.attempt(addressChecksPerAddress, addressBlock(auditContext.address))
    return { data: await isAddressFree(services, query.emailAddress) }
  })

  app.bind(signUpRoutes.begin, (call) => signUp(services, call.body, call))

  app.bind(signUpRoutes.finalisation, async ({ query, auditContext, request }) => {
    await throttle.attempt(finalisationsPerAddress, addressBlock(auditContext.address))
    const { of, id } = await readRegistrationOrInvitationCode(services, query.code)
    // Across: applicants and invited persons may not belong to an organisation yet.
    const browserHash = hashOf(readOrCreateSignUpSecret(services.config, request))
    return store.across((db) =>
      of === 'registration' ? confirmAndReadRegistration(services, db, { id, browserHash }) : readInvitation(db, id),
    )
  })

  app.bind(signUpRoutes.finalise, async ({ body, auditContext, request, reply }) => {
    await throttle.attempt(finalisationsPerAddress, addressBlock(auditContext.address))
    const { of, id } = await readRegistrationOrInvitationCode(services, body.code)
    const { account, organisation, joinOrganisation } = body
    const password = account?.password
    if (of === 'invitation') return finaliseInvitation(services, { id, password, auditContext })
    const secret = readOrCreateSignUpSecret(services.config, request)
    const answers = { password, companyName: organisation?.companyName, joinOrganisation }
    const finalisation = await finaliseRegistration(services, {
      id,
      browserHash: hashOf(secret),
      auditContext,
      answers,
    })
    // The registration is now bound to this browser, whose next answers need the secret.
    if (password !== undefined) setCookie(services.config, reply, signUpCookie, secret)
    return finalisation
  })

  app.bind(signUpRoutes.pendingIdentity, async ({ body, auditContext }) => {
    await throttle.attempt(finalisationsPerAddress, addressBlock(auditContext.address))
    // Across: a visitor belongs to no organisation.
    const found = await store.across((db) => findPendingIdentity(db, body.atid, clock.now()))
    if (found === undefined) throw new ApiFault('linkSpent')
    const { provider, emailAddress, firstName, lastName } = found
    return { provider, emailAddress, firstName, lastName }
  })
}

/** After too many questions in total, every address is reported as free, so that addresses cannot be enumerated. */
async function isAddressFree(
  { store, throttle }: Pick<AppServices, 'store' | 'throttle'>,
  emailAddress: string,
): Promise<boolean> {
  if (!(await isWithinLimit(throttle.attempt(addressChecksInTotal, '')))) return true
  // Across: an account may belong to several organisations.
  return (await store.across((db) => findAccount(db, emailAddress))) === undefined
}

/** Does not redeem the code: the finalisation happens once, and its result can be read until the code expires. */
async function readRegistrationOrInvitationCode(
  { clock, store }: Pick<AppServices, 'clock' | 'store'>,
  code: string,
): Promise<{ of: 'registration' | 'invitation'; id: string }> {
  // Across: neither registrations nor visitors belong to an organisation.
  return store.across(async (db) => {
    for (const purpose of ['registration', 'invitation'] as const) {
      const found = await readLinkCode(db, clock, purpose, code)
      if (found !== null) return { of: purpose, id: found.subjectId }
    }
    throw new ApiFault('linkSpent')
  })
}
