/**
 * OAuth callback of sources: validates the response, stores the grant, and connects the company if there is no choice
 * to make.
 */
import type { Tenant } from '@tributary/engine/ports/oauth'
import type { WithTimeoutServices } from '../../connections/databases/with-timeout.ts'
import type { AuditContext, CallerContext } from '../../kernel/audit-context.ts'
import type { Actor } from '../../kernel/http/actor.ts'
import { ApiFault } from '../../kernel/http/api-fault.ts'
import { ConsentDenied } from '../../security/egress/openid-connect.ts'
import type { CompanyConnector } from '../../connections/oauth/connect-companies.ts'
import { deleteUnusedGrants, storeGrant } from '../../connections/oauth/grants.ts'
import type { AuthorisedType } from '../../connections/oauth/authorised-types.ts'
import type { AppServices } from '../../app-services.ts'
import type { Db } from '../../kernel/store/store.ts'
import { findFlowAppKeys, type UsableOauthApp } from './oauth-apps.ts'
import { findReconnectTarget, storeCompanies, listOfferedCompanies, type OfferedCompany } from './companies.ts'
import { callbackUrl, mayAuthorise, type OauthRedirectServices } from './oauth-redirect.ts'
import type { OauthOutcome } from './landing-page.ts'
import { listConsentedCompanies } from './reachable-companies.ts'
import { deleteFlow, storeCompanyChoice, type ClaimedOauthFlow, claimFlowEverywhere } from './oauth-flows.ts'

type OauthCallbackServices = Pick<AppServices, 'audit' | 'clock' | 'config' | 'log' | 'oauth' | 'secrets' | 'store'> &
  OauthRedirectServices &
  WithTimeoutServices

export interface OauthCallback {
  readonly type: AuthorisedType
  /** The query parameters of the callback. */
  readonly parameters: URLSearchParams
  /** The secret from the flow cookie; '' if the browser has none. */
  readonly browser: string
  /** Without an organisation: only the flow determines it. */
  readonly auditContext: AuditContext<null, Actor>
}

export interface OauthCallbackResult {
  readonly outcome: OauthOutcome
  /** Null if the flow is unknown. */
  readonly organisationId: string | null
}

export async function completeOauthFlow(
  services: OauthCallbackServices,
  connecting: CompanyConnector,
  callback: OauthCallback,
): Promise<OauthCallbackResult> {
  const { store } = services
  const { type, parameters, browser, auditContext } = callback
  const { userId, sessionId } = auditContext.actor
  const state = parameters.get('state') ?? ''
  // Across: the state identifies the flow, and the flow its organisation.
  const flow = await store.across((db) =>
    claimFlowEverywhere(db, services, { type: type.type, state, browser, userId, sessionId }),
  )
  if (flow === undefined) {
    await recordFailure(services, auditContext, type, 'no such trip')
    return { outcome: { error: 'unknown' }, organisationId: null }
  }
  const { organisationId } = flow
  const outcome = await acceptCallback(services, connecting, callback, flow)
  if ('error' in outcome) {
    await store.within(organisationId, (db) => deleteFlow(db, flow))
    await recordFailure(services, { ...auditContext, organisationId }, type, outcome.error)
  }
  return { outcome, organisationId }
}

async function acceptCallback(
  services: OauthCallbackServices,
  connecting: CompanyConnector,
  callback: OauthCallback,
  flow: ClaimedOauthFlow,
): Promise<OauthOutcome> {
  const { organisationId, connectorId } = flow
  if (!(await mayAuthorise(services, { ...callback.auditContext, organisationId }, connectorId)))
    return { error: 'unauthorised' }
  try {
    const app = await services.store.within(organisationId, (db) =>
      findFlowAppKeys(db, services, callback.type, flow.appId),
    )
    if (app === undefined) return { error: 'unknown' }
    const consent = await exchangeCode(services, callback, flow, app)
    if (consent.tenants.length === 0) return { error: 'unauthorised' }
    const auditContext = { ...callback.auditContext, organisationId }
    return await storeGrantAndConnect(services, { connecting, auditContext, flow, consent, app })
  } catch (error) {
    if (error instanceof ConsentDenied) return { error: 'unauthorised' }
    // A concurrent flow has connected the company.
    if (error instanceof ApiFault && error.code === 'tenantTaken') return { error: 'connector_exists' }
    services.log.warn('the response of an OAuth source was refused', { error })
    return { error: 'unknown' }
  }
}

type GrantedConsent = Awaited<ReturnType<typeof exchangeCode>>

/** Exchanges the code for tokens and lists the companies. Stores nothing, so that a failure leaves nothing behind. */
async function exchangeCode(
  services: OauthCallbackServices,
  { type, parameters }: OauthCallback,
  flow: ClaimedOauthFlow,
  { keys }: UsableOauthApp,
) {
  const address = new URL(callbackUrl(services.config.publicUrl, type.type))
  address.search = parameters.toString()
  const { nonce, pkceVerifier } = flow
  const { tokens, person } = await services.oauth.client.exchangeCode(type, keys, address, {
    state: parameters.get('state') ?? '',
    nonce,
    pkceVerifier,
  })
  // Without a refresh token the connector would stop when the access token expires, after half an hour.
  if (tokens.refreshToken === null) throw new Error('The source issued no refresh token.')
  const { organisationId, connectorId } = flow
  const former =
    connectorId === null
      ? undefined
      : await services.store.within(organisationId, (db) =>
          findReconnectTarget(db, { organisationId, connectorId }, flow.type),
        )
  return {
    tokens,
    person,
    tenants: await listConsentedCompanies(
      services,
      type,
      { accessToken: tokens.accessToken, callback: parameters },
      former?.companies.map(({ tenantId }) => tenantId) ?? [],
    ),
  }
}

interface ConsentToConnect {
  readonly connecting: CompanyConnector
  readonly auditContext: CallerContext
  readonly flow: ClaimedOauthFlow
  readonly consent: GrantedConsent
  readonly app: UsableOauthApp
}

/** Runs in one transaction across, because a company may belong to any organisation. */
async function storeGrantAndConnect(services: OauthCallbackServices, input: ConsentToConnect): Promise<OauthOutcome> {
  const { clock, store } = services
  const { flow, consent, app } = input
  const grantor = {
    type: flow.type,
    appId: app.appId,
    clientId: app.keys.clientId,
    person: consent.person,
    givenBy: input.auditContext.actor.userId,
  }
  return store.across(async (db) => {
    const grantId = await storeGrant(db, services, grantor, consent.tokens)
    await storeCompanies(db, clock, grantId, consent.tenants)
    const tenantIds = consent.tenants.map(({ id }: Tenant) => id)
    const offered = await listOfferedCompanies(db, flow.organisationId, { grantId, tenantIds })
    const outcome = await connectOrChoose(db, input, offered)
    if (outcome === 'choose') {
      await storeCompanyChoice(db, clock, flow, { grantId, tenantIds })
      return { authorisation: flow.id }
    }
    await deleteFlow(db, flow)
    await deleteUnusedGrants(db, clock, [grantId])
    return outcome
  })
}

async function connectOrChoose(
  db: Db,
  { connecting, auditContext, flow }: ConsentToConnect,
  offered: readonly OfferedCompany[],
): Promise<OauthOutcome | 'choose'> {
  const isFormer = ({ connectorId }: OfferedCompany) => connectorId !== null && connectorId === flow.connectorId
  const free = offered.filter((company) => company.taken === null || isFormer(company))
  const [only] = free
  if (only === undefined) return flow.connectorId === null ? findTakenOutcome(offered) : { error: 'connector_exists' }
  if (flow.connectorId !== null)
    return reconnectOrChoose(db, { connecting, auditContext, flow, connectorId: flow.connectorId }, free)
  if (free.length > 1) return 'choose'
  return { connected: await connecting.add(db, auditContext, only) }
}

/** A company that this organisation has already connected counts as success; only another organisation's is refused. */
function findTakenOutcome(offered: readonly OfferedCompany[]): OauthOutcome {
  const here = offered.find(({ taken }) => taken === 'here')?.connectorId ?? null
  return here === null ? { error: 'connector_exists' } : { connected: here }
}

interface ConnectorToReconnect extends Pick<ConsentToConnect, 'connecting' | 'auditContext' | 'flow'> {
  readonly connectorId: string
}

/**
 * Reconnects the previous company without a question. Another company writes its rows into the same tables, so the user
 * must confirm it.
 */
async function reconnectOrChoose(
  db: Db,
  { connecting, auditContext, flow, connectorId }: ConnectorToReconnect,
  free: readonly OfferedCompany[],
): Promise<OauthOutcome | 'choose'> {
  const former = await findReconnectTarget(db, { ...flow, connectorId }, flow.type)
  if (former === undefined) return { error: 'unknown' }
  const isOwn = ({ tenantId }: OfferedCompany): boolean =>
    former.companies.some((company) => company.tenantId === tenantId)
  if (former.isShared) {
    const renewed = free.filter(isOwn)
    if (renewed.length > 0) await connecting.reconnect(db, auditContext, connectorId, renewed)
    return free.some((company) => !isOwn(company)) ? 'choose' : { connected: connectorId }
  }
  const same = free.find(isOwn)
  if (same === undefined) return 'choose'
  await connecting.reconnect(db, auditContext, connectorId, [same])
  return { connected: connectorId }
}

// Across: an unknown flow belongs to no organisation.
function recordFailure(
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
