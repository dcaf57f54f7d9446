/** Takes a browser in that comes back from a provider. */
import { randomBytes } from 'node:crypto'
import { registrationLinkMs } from '@tributary/contract/limits'
import { type AuditContext, withActor } from '../../kernel/audit-context.ts'
import type { Actor } from '../../kernel/http/actor.ts'
import { hashOf, createLinkCode } from '../../security/secrets/one-time-codes.ts'
import { accountLinked } from '../../identity/people/account-email-templates.ts'
import { ProviderDenied, type ExternalPerson, type OidcProvider } from '../../identity/providers/oidc-provider.ts'
import type { AppServices } from '../../app-services.ts'
import { findSession } from '../../identity/sessions/session-queries.ts'
import type { Db } from '../../kernel/store/store.ts'
import { callbackOf } from './oidc-redirect.ts'
import { addressOf, refusedLanding, type Landing, type Refusal } from './landing-page.ts'
import {
  findLinkedUser,
  findUserOfMicrosoft,
  holdAccount,
  insertPendingIdentity,
  linkIdentity,
  takeTrip,
  type KeptTrip,
  type Purpose,
} from './queries.ts'

type OidcCallbackServices = Pick<AppServices, 'audit' | 'clock' | 'config' | 'log' | 'mailer' | 'store'>

export interface Arrival {
  readonly provider: OidcProvider
  /** The query that the provider sent the browser back with. */
  readonly answer: URLSearchParams
  /** The secret that the browser left with; '' for none. */
  readonly browser: string
  /** Who is signed in in this browser now; null for nobody. */
  readonly actor: Pick<Actor, 'userId' | 'sessionId'> | null
  readonly auditContext: AuditContext
}

/** The page asks for the session at once. */
const codeMs = 60_000

export async function arrive(services: OidcCallbackServices, arrival: Arrival): Promise<Landing> {
  const { clock, store } = services
  const { provider, answer, browser } = arrival
  const state = answer.get('state') ?? ''
  const keys = { stateHash: hashOf(state), browserHash: hashOf(browser), provider: provider.name }
  // Across, here and below: neither a trip nor an identity belongs to an organisation.
  const trip = await store.across((db) => takeTrip(db, clock, keys))
  if (trip === undefined) return fail(services, arrival, { purpose: 'signin', reason: 'no such trip' })

  const { purpose } = trip
  const address = new URL(callbackOf(services.config.publicUrl, provider))
  address.search = answer.toString()
  let person: ExternalPerson
  try {
    person = await provider.exchangeCode(address, { state, nonce: trip.nonce, pkceVerifier: trip.pkceVerifier })
  } catch (error) {
    if (error instanceof ProviderDenied)
      return fail(services, arrival, {
        purpose,
        reason: 'denied',
        error: purpose === 'signup' ? 'unauthorised' : 'unknown',
      })
    services.log.warn('the answer of an external provider was refused', { error })
    return fail(services, arrival, { purpose, reason: 'answer refused' })
  }
  if (purpose === 'link') return link(services, arrival, { trip, person })
  if (purpose === 'signup') return signUp(services, arrival, { trip, person })
  return signIn(services, arrival, { trip, person })
}

interface Arrived {
  readonly trip: KeptTrip
  readonly person: ExternalPerson
}

/**
 * By a sign-in link that only this browser can use: the cookies that tell a trusted device do not come along from another
 * site, and what is asked of a person beyond this must not depend on how they came.
 */
async function signIn(services: OidcCallbackServices, arrival: Arrival, { trip, person }: Arrived): Promise<Landing> {
  const { clock, store } = services
  const provider = arrival.provider.name
  const linkSecret = randomBytes(32).toString('base64url')
  const code = await store.across(async (db) => {
    const user = (await findLinkedUser(db, person)) ?? (await findUserOfMicrosoft(db, person))
    if (user?.status !== 'active') return null
    await linkIdentity(db, clock, { person, provider, userId: user.id })
    await record(services, db, arrival, { action: 'authn.oidc_success', outcome: 'success', actorId: user.id })
    const payload = { browser: hashOf(linkSecret).toString('base64url') }
    return createLinkCode(db, clock, {
      purpose: 'signin',
      subjectId: user.id,
      lifeMs: codeMs,
      payload,
      replaces: false,
    })
  })
  if (code === null)
    return fail(services, arrival, { purpose: 'signin', reason: 'unknown or locked', error: 'unauthorised' })
  return { path: addressOf('/signin', { code, returnUrl: trip.returnPath }), linkSecret }
}

/** Somebody who has this identity here already is signed in; for anybody else it is kept until their sign-up is done. */
async function signUp(services: OidcCallbackServices, arrival: Arrival, { trip, person }: Arrived): Promise<Landing> {
  const { clock, store } = services
  const provider = arrival.provider.name
  const atid = await store.across(async (db) => {
    if ((await findLinkedUser(db, person)) !== undefined) return null
    const made = randomBytes(32).toString('base64url')
    await insertPendingIdentity(db, clock, { atidHash: hashOf(made), person, provider, lifeMs: registrationLinkMs })
    return made
  })
  return atid === null
    ? signIn(services, arrival, { trip, person })
    : { path: addressOf('/signup', { provider, atid }) }
}

/** Only for whoever set out: another person may have signed in in this browser meanwhile. */
async function link(services: OidcCallbackServices, arrival: Arrival, { trip, person }: Arrived): Promise<Landing> {
  const { clock, config, mailer, store } = services
  const { provider, actor } = arrival
  const signedOut: Failure = { purpose: 'link', reason: 'no longer signed in' }
  if (actor === null || actor.userId !== trip.userId) return fail(services, arrival, signedOut)
  const { userId, sessionId } = actor
  const outcome = await store.across(async (db) => {
    const emailAddress = await holdAccount(db, userId)
    // By the store: what is kept in memory may be five seconds old, and what is linked now signs in for good.
    if ((await findSession(db, config.mode, sessionId)) === undefined) return 'signed out'
    if (!(await linkIdentity(db, clock, { person, provider: provider.name, userId }))) return 'taken'
    await mailer.enqueue(
      db,
      emailAddress,
      accountLinked({ provider: provider.displayName, url: `${config.publicUrl}/reset-password` }),
    )
    await record(services, db, arrival, { action: 'authn.oidc_linked', outcome: 'success', actorId: userId })
    return 'linked'
  })
  if (outcome === 'signed out') return fail(services, arrival, signedOut)
  if (outcome === 'taken')
    return fail(services, arrival, { purpose: 'link', reason: 'linked to somebody else', error: 'unauthorised' })
  return { path: addressOf('/profile', { linked: provider.name }) }
}

interface Failure {
  readonly purpose: Purpose
  /** For the audit log. */
  readonly reason: string
  readonly error?: Refusal
}

async function fail(
  services: Pick<AppServices, 'audit' | 'store'>,
  arrival: Arrival,
  { purpose, reason, error = 'unknown' }: Failure,
): Promise<Landing> {
  await services.store.across((db) =>
    record(services, db, arrival, {
      action: 'authn.oidc_fail',
      outcome: 'failure',
      actorId: arrival.actor?.userId ?? null,
      reason,
    }),
  )
  return refusedLanding(purpose, arrival.provider.name, error)
}

interface Event {
  readonly action: 'authn.oidc_success' | 'authn.oidc_linked' | 'authn.oidc_fail'
  readonly outcome: 'success' | 'failure'
  readonly actorId: string | null
  readonly reason?: string
}

function record(
  { audit }: Pick<AppServices, 'audit'>,
  db: Db,
  { auditContext, provider }: Arrival,
  { action, outcome, actorId, reason }: Event,
): Promise<void> {
  const detail = { provider: provider.name, ...(reason !== undefined && { reason }) }
  return audit.record(db, withActor(auditContext, { userId: actorId }), {
    organisationId: null,
    action,
    outcome,
    detail,
  })
}
