/** OpenID Connect callback: validates the response, then signs in, begins a sign-up or links the identity. */
import { registrationLinkMs } from '@tributary/contract/limits'
import { type AuditContext, withActor } from '../../kernel/audit-context.ts'
import type { Actor } from '../../kernel/http/actor.ts'
import { hashOf, createLinkCode, randomSecret } from '../../security/secrets/one-time-codes.ts'
import { accountLinked } from '../../identity/people/account-email-templates.ts'
import type { ExternalPerson, OidcProvider } from '../../identity/providers/oidc-provider.ts'
import { ConsentDenied } from '../../security/egress/openid-connect.ts'
import type { AppServices } from '../../app-services.ts'
import { findSession } from '../../identity/sessions/session-queries.ts'
import type { Db } from '../../kernel/store/store.ts'
import type { NewAuditEvent } from '../../security/audit/audit.ts'
import { oidcCallbackUrl } from './oidc-redirect.ts'
import { pagePath, refusedLanding, type OidcLanding, type OidcRefusal } from './landing-page.ts'
import {
  findLinkedUser,
  findUserByMicrosoftId,
  lockAccountForShare,
  insertPendingIdentity,
  linkIdentity,
  claimOidcFlow,
  type OidcFlow,
  type OidcFlowPurpose,
} from './queries.ts'

type OidcCallbackServices = Pick<AppServices, 'audit' | 'clock' | 'config' | 'log' | 'mailer' | 'store'>

export interface OidcCallback {
  readonly provider: OidcProvider
  /** The query parameters of the callback. */
  readonly parameters: URLSearchParams
  /** The secret from the flow cookie; '' if the browser has none. */
  readonly browser: string
  /** The user who is signed in in this browser; null if none. */
  readonly actor: Pick<Actor, 'userId' | 'sessionId'> | null
  readonly auditContext: AuditContext
}

/** Short, because the page redeems the code immediately. */
const codeMs = 60_000

export async function completeOidcFlow(services: OidcCallbackServices, callback: OidcCallback): Promise<OidcLanding> {
  const { clock, store } = services
  const { provider, parameters, browser } = callback
  const state = parameters.get('state') ?? ''
  const keys = { stateHash: hashOf(state), browserHash: hashOf(browser), provider: provider.name }
  // Across, here and below: neither flows nor identities belong to an organisation.
  const flow = await store.across((db) => claimOidcFlow(db, clock, keys))
  if (flow === undefined) return recordFailure(services, callback, { purpose: 'signin', reason: 'no such trip' })

  const { purpose } = flow
  const address = new URL(oidcCallbackUrl(services.config.publicUrl, provider))
  address.search = parameters.toString()
  let person: ExternalPerson
  try {
    person = await provider.exchangeCode(address, { state, nonce: flow.nonce, pkceVerifier: flow.pkceVerifier })
  } catch (error) {
    if (error instanceof ConsentDenied)
      return recordFailure(services, callback, {
        purpose,
        reason: 'denied',
        error: purpose === 'signup' ? 'unauthorised' : 'unknown',
      })
    services.log.warn('the response of an identity provider was refused', { error })
    return recordFailure(services, callback, { purpose, reason: 'answer refused' })
  }
  if (purpose === 'link') return linkToUser(services, callback, { flow, person })
  if (purpose === 'signup') return beginSignUp(services, callback, { flow, person })
  return createSignInLink(services, callback, { flow, person })
}

interface VerifiedIdentity {
  readonly flow: OidcFlow
  readonly person: ExternalPerson
}

/**
 * Signs in through a sign-in link that only this browser can use. A callback from another site does not carry the
 * device cookies, and the second factor must be decided in the same way for every sign-in method.
 */
async function createSignInLink(
  services: OidcCallbackServices,
  callback: OidcCallback,
  { flow, person }: VerifiedIdentity,
): Promise<OidcLanding> {
  const { clock, store } = services
  const provider = callback.provider.name
  const linkSecret = randomSecret()
  const code = await store.across(async (db) => {
    const user = (await findLinkedUser(db, person)) ?? (await findUserByMicrosoftId(db, person))
    if (user?.status !== 'active') return null
    await linkIdentity(db, clock, { person, provider, userId: user.id })
    await recordEvent(services, db, callback, { action: 'authn.oidc_success', actorId: user.id })
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
    return recordFailure(services, callback, { purpose: 'signin', reason: 'unknown or locked', error: 'unauthorised' })
  return { path: pagePath('/signin', { code, returnUrl: flow.returnPath }), linkSecret }
}

/** An identity that is already linked signs in. Any other is stored until the sign-up is finalised. */
async function beginSignUp(
  services: OidcCallbackServices,
  callback: OidcCallback,
  { flow, person }: VerifiedIdentity,
): Promise<OidcLanding> {
  const { clock, store } = services
  const provider = callback.provider.name
  const atid = await store.across(async (db) => {
    if ((await findLinkedUser(db, person)) !== undefined) return null
    const secret = randomSecret()
    await insertPendingIdentity(db, clock, { atidHash: hashOf(secret), person, provider, lifeMs: registrationLinkMs })
    return secret
  })
  return atid === null
    ? createSignInLink(services, callback, { flow, person })
    : { path: pagePath('/signup', { provider, atid }) }
}

/** Links only for the user who began the flow: another one may have signed in in this browser since. */
async function linkToUser(
  services: OidcCallbackServices,
  callback: OidcCallback,
  { flow, person }: VerifiedIdentity,
): Promise<OidcLanding> {
  const { clock, config, mailer, store } = services
  const { provider, actor } = callback
  const signedOut: OidcFailure = { purpose: 'link', reason: 'no longer signed in' }
  if (actor === null || actor.userId !== flow.userId) return recordFailure(services, callback, signedOut)
  const { userId, sessionId } = actor
  const outcome = await store.across(async (db) => {
    const emailAddress = await lockAccountForShare(db, userId)
    // Reads the store, because the session cache may be five seconds old and a linked identity is a permanent sign-in
    // method.
    if ((await findSession(db, config.mode, sessionId)) === undefined) return 'signed out'
    if (!(await linkIdentity(db, clock, { person, provider: provider.name, userId }))) return 'taken'
    await mailer.enqueue(
      db,
      emailAddress,
      accountLinked({ provider: provider.displayName, url: `${config.publicUrl}/reset-password` }),
    )
    await recordEvent(services, db, callback, { action: 'authn.oidc_linked', actorId: userId })
    return 'linked'
  })
  if (outcome === 'signed out') return recordFailure(services, callback, signedOut)
  if (outcome === 'taken')
    return recordFailure(services, callback, {
      purpose: 'link',
      reason: 'linked to somebody else',
      error: 'unauthorised',
    })
  return { path: pagePath('/profile', { linked: provider.name }) }
}

interface OidcFailure {
  readonly purpose: OidcFlowPurpose
  /** For the audit log. */
  readonly reason: string
  readonly error?: OidcRefusal
}

async function recordFailure(
  services: Pick<AppServices, 'audit' | 'store'>,
  callback: OidcCallback,
  { purpose, reason, error = 'unknown' }: OidcFailure,
): Promise<OidcLanding> {
  await services.store.across((db) =>
    recordEvent(services, db, callback, {
      action: 'authn.oidc_fail',
      outcome: 'failure',
      actorId: callback.actor?.userId ?? null,
      reason,
    }),
  )
  return refusedLanding(purpose, callback.provider.name, error)
}

interface OidcAuditEvent extends Pick<NewAuditEvent, 'action' | 'outcome'> {
  readonly actorId: string | null
  readonly reason?: string
}

function recordEvent(
  { audit }: Pick<AppServices, 'audit'>,
  db: Db,
  { auditContext, provider }: OidcCallback,
  { actorId, reason, ...event }: OidcAuditEvent,
): Promise<void> {
  const detail = { provider: provider.name, ...(reason !== undefined && { reason }) }
  return audit.record(db, withActor(auditContext, { userId: actorId }), {
    organisationId: null,
    ...event,
    detail,
  })
}
