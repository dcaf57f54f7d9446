import { signUpRoutes } from '@tributary/contract/sign-up'
import { addressBlock } from '../../security/throttling/network-prefix.ts'
import { setSignUpSecret, readOrCreateSignUpSecret } from '../../identity/sessions/session-cookies.ts'
import { ApiFault } from '../../kernel/http/api-fault.ts'
import { hashOf, readLinkCode } from '../../security/secrets/one-time-codes.ts'
import type { AppRoutes, AppServices } from '../../app-services.ts'
import { answerRegistration, showRegistration } from './finalise-sign-up.ts'
import { answerInvitation, showInvitation } from './accept-invitation.ts'
import { captchasPerAddress, finalisationsPerAddress, questionsInAll, questionsPerAddress } from './sign-up-limits.ts'
import { findAccount, findPendingIdentity } from './queries.ts'
import { signUp } from './sign-up.ts'

export function registrationRoutes(app: AppRoutes): void {
  const { services } = app
  const { captcha, clock, store, throttle } = services

  app.bind(signUpRoutes.captcha, async ({ auditContext }) => {
    await throttle.attempt(captchasPerAddress, addressBlock(auditContext.address))
    return { ...(await captcha.challenge()) }
  })

  app.bind(signUpRoutes.verify, async ({ query, auditContext }) => {
    await throttle.attempt(questionsPerAddress, addressBlock(auditContext.address))
    return { data: await isFree(services, query.emailAddress) }
  })

  app.bind(signUpRoutes.begin, (call) => signUp(services, call.body, call))

  app.bind(signUpRoutes.finalisation, async ({ query, auditContext, request }) => {
    await throttle.attempt(finalisationsPerAddress, addressBlock(auditContext.address))
    const { of, id } = await readCode(services, query.code)
    // Across: who signs up or is invited may be of no organisation yet.
    const browserHash = hashOf(readOrCreateSignUpSecret(services.config, request))
    return store.across((db) =>
      of === 'registration' ? showRegistration(services, db, { id, browserHash }) : showInvitation(db, id),
    )
  })

  app.bind(signUpRoutes.finalise, async ({ body, auditContext, request, reply }) => {
    await throttle.attempt(finalisationsPerAddress, addressBlock(auditContext.address))
    const { of, id } = await readCode(services, body.code)
    const { account, organisation, joinOrganisation } = body
    const password = account?.password
    if (of === 'invitation') return answerInvitation(services, { id, password, auditContext })
    const secret = readOrCreateSignUpSecret(services.config, request)
    const answers = { password, companyName: organisation?.companyName, joinOrganisation }
    const shown = await answerRegistration(services, { id, browserHash: hashOf(secret), auditContext, answers })
    // The password that was chosen here counts for what this browser answers next.
    if (password !== undefined) setSignUpSecret(services.config, reply, secret)
    return shown
  })

  app.bind(signUpRoutes.pendingIdentity, async ({ body, auditContext }) => {
    await throttle.attempt(finalisationsPerAddress, addressBlock(auditContext.address))
    // Across: a visitor is of no organisation.
    const found = await store.across((db) => findPendingIdentity(db, body.atid, clock.now()))
    if (found === undefined) throw new ApiFault('linkSpent')
    const { provider, emailAddress, firstName, lastName } = found
    return { provider, emailAddress, firstName, lastName }
  })
}

/** Once too many have been asked for, whoever asks is told nothing: every address seems free. */
async function isFree(
  { store, throttle }: Pick<AppServices, 'store' | 'throttle'>,
  emailAddress: string,
): Promise<boolean> {
  try {
    await throttle.attempt(questionsInAll, '')
  } catch (error) {
    if (error instanceof ApiFault && error.code === 'tooMany') return true
    throw error
  }
  // Across: accounts are of no single organisation.
  return (await store.across((db) => findAccount(db, emailAddress))) === undefined
}

/** The code is not used up by being looked at: what it leads to is done once, and may be looked at until the code is too old. */
async function readCode(
  { clock, store }: Pick<AppServices, 'clock' | 'store'>,
  code: string,
): Promise<{ of: 'registration' | 'invitation'; id: string }> {
  // Across: neither a registration nor a visitor is of an organisation.
  return store.across(async (db) => {
    for (const purpose of ['registration', 'invitation'] as const) {
      const found = await readLinkCode(db, clock, { purpose, code })
      if (found !== null) return { of: purpose, id: found.subjectId }
    }
    throw new ApiFault('linkSpent')
  })
}
