/** Takes in a browser that comes back from a source: checks the answer, keeps the grant, and connects what there is no choice about. */
import type { Tenant } from '@tributary/engine/ports/oauth'
import type { WithTimeoutServices } from '../../connections/databases/with-timeout.ts'
import type { AuditContext } from '../../kernel/audit-context.ts'
import type { Actor } from '../../kernel/http/actor.ts'
import { ApiFault } from '../../kernel/http/api-fault.ts'
import { ConsentDenied } from '../../connections/oauth/oauth-client.ts'
import type { CompanyConnector } from '../../connections/oauth/connect-companies.ts'
import { deleteUnusedGrants, storeGrant } from '../../connections/oauth/grants.ts'
import type { AuthorisedType } from '../../connections/oauth/authorised-types.ts'
import type { AppServices } from '../../app-services.ts'
import type { Db } from '../../kernel/store/store.ts'
import { findKeysOfTrip, type KnownApp } from './oauth-apps.ts'
import { findFormer, keepCompanies, listOffered, type Offered } from './companies.ts'
import { callbackOf, mayConnect, type OauthRedirectServices } from './oauth-redirect.ts'
import type { Outcome } from './landing-page.ts'
import { openedNow } from './reachable-companies.ts'
import { forgetTrip, keepChoice, type TakenTrip, takeTripAnywhere } from './oauth-flows.ts'

type OauthCallbackServices = Pick<AppServices, 'audit' | 'clock' | 'config' | 'log' | 'oauth' | 'secrets' | 'store'> &
  OauthRedirectServices &
  WithTimeoutServices

export interface Arrival {
  readonly type: AuthorisedType
  /** The query that the source sent the browser back with. */
  readonly answer: URLSearchParams
  /** The secret that the browser left with; '' for none. */
  readonly browser: string
  /** The organisation is known once the flow is found. */
  readonly auditContext: AuditContext<null, Actor>
}

export interface Arrived {
  readonly outcome: Outcome
  /** Null where there is no such trip. */
  readonly organisationId: string | null
}

export async function arrive(
  services: OauthCallbackServices,
  connecting: CompanyConnector,
  arrival: Arrival,
): Promise<Arrived> {
  const { store } = services
  const { type, answer, browser, auditContext } = arrival
  const { userId, sessionId } = auditContext.actor
  const state = answer.get('state') ?? ''
  // Across: the state alone says which trip it is, and so which organisation.
  const trip = await store.across((db) =>
    takeTripAnywhere(db, services, { type: type.type, state, browser, userId, sessionId }),
  )
  if (trip === undefined) {
    await record(services, auditContext, type, 'no such trip')
    return { outcome: { error: 'unknown' }, organisationId: null }
  }
  const { organisationId } = trip
  const outcome = await takeIn(services, connecting, arrival, trip)
  if ('error' in outcome) {
    await store.within(organisationId, (db) => forgetTrip(db, trip))
    await record(services, { ...auditContext, organisationId }, type, outcome.error)
  }
  return { outcome, organisationId }
}

async function takeIn(
  services: OauthCallbackServices,
  connecting: CompanyConnector,
  arrival: Arrival,
  trip: TakenTrip,
): Promise<Outcome> {
  const { organisationId, connectorId } = trip
  if (!(await mayConnect(services, { ...arrival.auditContext, organisationId }, connectorId)))
    return { error: 'unauthorised' }
  try {
    const app = await services.store.within(organisationId, (db) =>
      findKeysOfTrip(db, services, arrival.type, trip.appId),
    )
    if (app === undefined) return { error: 'unknown' }
    const given = await askSource(services, arrival, trip, app)
    if (given.tenants.length === 0) return { error: 'unauthorised' }
    const auditContext = { ...arrival.auditContext, organisationId }
    return await settle(services, { connecting, auditContext, trip, given, app })
  } catch (error) {
    if (error instanceof ConsentDenied) return { error: 'unauthorised' }
    // Somebody has connected it in this very moment.
    if (error instanceof ApiFault && error.code === 'tenantTaken') return { error: 'connector_exists' }
    services.log.warn('the answer of a source at which people sign in was refused', { error })
    return { error: 'unknown' }
  }
}

type Given = Awaited<ReturnType<typeof askSource>>

/** Nothing is kept yet: whatever goes wrong here leaves no trace of ours. */
async function askSource(
  services: OauthCallbackServices,
  { type, answer }: Arrival,
  trip: TakenTrip,
  { keys }: KnownApp,
) {
  const address = new URL(callbackOf(services.config.publicUrl, type.type))
  address.search = answer.toString()
  const { nonce, pkceVerifier } = trip
  const { tokens, person } = await services.oauth.client.exchangeCode(type, keys, address, {
    state: answer.get('state') ?? '',
    nonce,
    pkceVerifier,
  })
  // Without it the connector would stand still in half an hour.
  if (tokens.refreshToken === null) throw new Error('The source gave no refresh token.')
  const { organisationId, connectorId } = trip
  const former =
    connectorId === null
      ? undefined
      : await services.store.within(organisationId, (db) => findFormer(db, organisationId, connectorId, trip.type))
  return { tokens, person, tenants: await openedNow(services, type, tokens.accessToken, former?.tenantId ?? null) }
}

interface Settling {
  readonly connecting: CompanyConnector
  readonly auditContext: AuditContext<string, Actor>
  readonly trip: TakenTrip
  readonly given: Given
  readonly app: KnownApp
}

/** In one transaction across: whose companies they are is known by looking at all organisations. */
async function settle(services: OauthCallbackServices, settling: Settling): Promise<Outcome> {
  const { clock, store } = services
  const { trip, given, app } = settling
  const giver = {
    type: trip.type,
    appId: app.appId,
    clientId: app.keys.clientId,
    person: given.person,
    givenBy: settling.auditContext.actor.userId,
  }
  return store.across(async (db) => {
    const grantId = await storeGrant(db, services, giver, given.tokens)
    await keepCompanies(db, clock, grantId, given.tenants)
    const tenantIds = given.tenants.map(({ id }: Tenant) => id)
    const offered = await listOffered(db, trip.organisationId, { grantId, tenantIds })
    const outcome = await decide(db, settling, offered)
    if (outcome === 'choose') {
      await keepChoice(db, clock, trip, { grantId, tenantIds })
      return { authorisation: trip.id }
    }
    await forgetTrip(db, trip)
    await deleteUnusedGrants(db, clock, [grantId])
    return outcome
  })
}

async function decide(
  db: Db,
  { connecting, auditContext, trip }: Settling,
  offered: readonly Offered[],
): Promise<Outcome | 'choose'> {
  const isFormer = ({ connectorId }: Offered) => connectorId !== null && connectorId === trip.connectorId
  const free = offered.filter((company) => company.taken === null || isFormer(company))
  const [only] = free
  if (only === undefined) return trip.connectorId === null ? decideTaken(offered) : { error: 'connector_exists' }
  if (trip.connectorId !== null)
    return decideAgain(db, { connecting, auditContext, trip, connectorId: trip.connectorId }, free)
  if (free.length > 1) return 'choose'
  return { connected: await connecting.add(db, auditContext, only) }
}

/** What is connected here already is what was wanted; only another organisation's company is refused. */
function decideTaken(offered: readonly Offered[]): Outcome {
  const here = offered.find(({ taken }) => taken === 'here')?.connectorId ?? null
  return here === null ? { error: 'connector_exists' } : { connected: here }
}

interface Again extends Pick<Settling, 'connecting' | 'auditContext' | 'trip'> {
  readonly connectorId: string
}

/** The company it moved before is taken up without a word; another one mixes its rows into the same tables, so somebody must say so. */
async function decideAgain(
  db: Db,
  { connecting, auditContext, trip, connectorId }: Again,
  free: readonly Offered[],
): Promise<Outcome | 'choose'> {
  const former = await findFormer(db, trip.organisationId, connectorId, trip.type)
  if (former === undefined) return { error: 'unknown' }
  const same = free.find(({ tenantId }) => tenantId === former.tenantId)
  if (same === undefined) return 'choose'
  await connecting.reconnect(db, auditContext, connectorId, same)
  return { connected: connectorId }
}

// Across: a trip that is not known belongs to no organisation.
function record(
  { audit, store }: Pick<AppServices, 'audit' | 'store'>,
  auditContext: AuditContext,
  { type }: AuthorisedType,
  reason: string,
): Promise<void> {
  const detail = { type, reason }
  return store.across((db) =>
    audit.record(db, auditContext, { action: 'connector.authorise_failed', outcome: 'failure', detail }),
  )
}
