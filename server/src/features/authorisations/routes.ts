/**
 * Routes of OAuth sources. The browser navigates to the first two, which redirect to the source and handle its
 * callback. The others serve the company choice, an organisation's own apps, and the authorisation of a connector.
 */
import { authorisations } from '@tributary/contract/authorisations'
import { Id } from '@tributary/contract/id'
import type { FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod'
import { addressBlock } from '../../security/throttling/network-prefix.ts'
import { countCredentialTest } from '../../connections/databases/credential-test-limits.ts'
import { type ApiFault, badField, detailedFault, requireFound } from '../../kernel/http/api-fault.ts'
import type { CompanyConnector } from '../../connections/oauth/connect-companies.ts'
import type { AuthorisedType } from '../../connections/oauth/authorised-types.ts'
import type { AppRoutes, AppServices } from '../../app-services.ts'
import type { ThrottleLimit } from '../../security/throttling/throttle.ts'
import { clearCookie, type OwnCookie, readCookie, setCookie } from '../../kernel/http/own-cookie.ts'
import { findSignedInActor, redirect, withoutHead } from '../../identity/providers/oauth-navigation.ts'
import { isAppUsedEverywhere, saveApp, listApps, removeApp } from './oauth-apps.ts'
import { completeOauthFlow } from './oauth-callback.ts'
import { connectChosenCompanies, readCompanyChoice } from './choose-companies.ts'
import { callbackUrl, startOauthFlow } from './oauth-redirect.ts'
import { landingPath, isRefused } from './landing-page.ts'
import { addCustomConnection } from './custom-connections.ts'
import { readConnectorAuthorisation } from './replies.ts'
import { oauthFlowMs } from './oauth-flows.ts'

/** Attempts of a successful flow are refunded. */
const redirectLimit: ThrottleLimit = { kind: 'authorise departure', free: 20, waitMs: 600_000, isShared: true }
const callbackLimit: ThrottleLimit = { ...redirectLimit, kind: 'authorise arrival' }

/** `lax`, because the callback is a navigation from another site. */
const flowCookie: OwnCookie = {
  name: 'tributary_authorise_trip',
  path: '/api/authorise',
  sameSite: 'lax',
  maxAgeMs: oauthFlowMs,
}

const AuthoriseQuery = z.object({ state: Id, connector: Id.optional(), app: z.enum(['own']).optional() })

type AuthoriseRequest = FastifyRequest<{ Params: { type: string } }>

export function authoriseRoutes(app: AppRoutes, connecting: CompanyConnector): void {
  const { http, services } = app
  http.get('/api/authorise/:type', withoutHead, (request: AuthoriseRequest, reply) =>
    redirectToSource(services, request, reply),
  )
  http.get('/api/authorise/:type/callback', withoutHead, (request: AuthoriseRequest, reply) =>
    handleCallback(services, connecting, request, reply),
  )
  choiceRoutes(app, connecting)
  appRoutes(app, connecting)
  app.bindWithin(authorisations.ofConnector, (db, { organisationId, params: { connectorId } }) =>
    readConnectorAuthorisation(db, services.oauth, { organisationId, connectorId }),
  )
  app.bindWithin(authorisations.removeCompany, async (db, { auditContext, params: { connectorId, tenantId }, query }) =>
    connecting.remove(db, auditContext, { connectorId, tenantId, rows: query.rows }),
  )
}

async function redirectToSource(
  services: AppServices,
  request: AuthoriseRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  await services.throttle.attempt(redirectLimit, addressBlock(request.ip))
  const type = services.oauth.types.get(request.params.type)
  if (type === undefined) return redirect(reply, '/home')
  const query = AuthoriseQuery.safeParse(request.query)
  if (!query.success)
    return redirect(reply, landingPath({ type: type.type, organisationId: null }, { error: 'unknown' }))
  const { state: organisationId, connector, app } = query.data
  const page = managePage(type, organisationId, connector)
  // A cross-site navigation or a frame leads to a page that needs a click, so that no other site can begin a flow.
  if (!isOwnClick(request)) return redirect(reply, page)
  // Without a provider app, that page offers the other ways to connect.
  if (app === undefined && type.operatorApp === null) return redirect(reply, page)
  const actor = await findSignedInActor(services, request)
  if (actor === null) return redirect(reply, `/signin?${new URLSearchParams({ returnUrl: page }).toString()}`)
  const redirection = await startOauthFlow(services, {
    type,
    app: app ?? 'provider',
    connectorId: connector ?? null,
    auditContext: { actor, organisationId, address: request.ip, reference: request.id },
  })
  if ('error' in redirection) return redirect(reply, landingPath({ type: type.type, organisationId }, redirection))
  setCookie(services.config, reply, flowCookie, redirection.browser)
  return redirect(reply, redirection.address.href)
}

/** The page on which the user begins the flow. */
function managePage({ type }: AuthorisedType, organisation: string, connector: string | undefined): string {
  const query = new URLSearchParams({
    organisation,
    ...(connector === undefined ? { new: 'true' } : { reconnect: connector }),
  })
  return `/connectors/${type}/manage?${query.toString()}`
}

function isOwnClick({ headers }: AuthoriseRequest): boolean {
  const { 'sec-fetch-site': site = 'none', 'sec-fetch-dest': dest = 'document' } = headers
  return (site === 'same-origin' || site === 'none') && dest === 'document'
}

async function handleCallback(
  services: AppServices,
  connecting: CompanyConnector,
  request: AuthoriseRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { config, oauth, store, throttle } = services
  const address = addressBlock(request.ip)
  await throttle.attempt(callbackLimit, address)
  const type = oauth.types.get(request.params.type)
  if (type === undefined) return redirect(reply, '/home')
  const actor = await findSignedInActor(services, request)
  if (actor === null)
    return redirect(reply, landingPath({ type: type.type, organisationId: null }, { error: 'unknown' }))
  const { outcome, organisationId } = await completeOauthFlow(services, connecting, {
    type,
    parameters: new URL(request.url, config.publicUrl).searchParams,
    browser: readCookie(config, request, flowCookie) ?? '',
    auditContext: { actor, organisationId: null, address: request.ip, reference: request.id },
  })
  clearCookie(config, reply, flowCookie)
  // Across: attempts belong to no organisation.
  if (!isRefused(outcome))
    for (const limit of [redirectLimit, callbackLimit]) await store.across((db) => throttle.refund(db, limit, address))
  return redirect(reply, landingPath({ type: type.type, organisationId }, outcome))
}

function choiceRoutes({ bind, services }: AppRoutes, connecting: CompanyConnector): void {
  bind(authorisations.read, ({ organisationId, actor, params }) =>
    readCompanyChoice(services, { organisationId, userId: actor.userId, authorisationId: params.authorisationId }),
  )

  bind(authorisations.choose, async ({ auditContext, params, body }) => {
    const { authorisationId } = params
    return {
      connectorIds: [...(await connectChosenCompanies(services, connecting, { authorisationId, auditContext }, body))],
    }
  })
}

function appRoutes({ bind, services }: AppRoutes, connecting: CompanyConnector): void {
  const { config, oauth } = services
  const types = [...oauth.types.values()]

  bind(authorisations.apps, async ({ store, organisationId }) => ({
    provider: types.filter(({ operatorApp }) => operatorApp !== null).map(({ type }) => type),
    customConnections: types.filter(hasCustomConnections).map(({ type }) => type),
    own: await store.within(organisationId, (db) => listApps(db, organisationId)),
    redirectAddresses: Object.fromEntries(types.map(({ type }) => [type, callbackUrl(config.publicUrl, type)])),
  }))

  bind(authorisations.addApp, async ({ store, organisationId, auditContext, body }) => {
    const type = oauth.types.get(body.type)
    if (type === undefined) throw badField('type', 'must be a connector type that connects by signing in at the source')
    await countCredentialTest(services, auditContext)
    if (body.clientSecret === '') throw secretMissing()
    if (body.kind === 'machine') {
      if (!hasCustomConnections(type)) throw badField('kind', 'must be app: this source has no custom connections')
      const { appId, connectorId } = await addCustomConnection(services, connecting, { auditContext, type }, body)
      return { app: await readApp(appId), connectorIds: [connectorId] }
    }
    const appId = await store.within(organisationId, (db) => saveApp(db, services, auditContext, body))
    return { app: await readApp(appId), connectorIds: [] }

    async function readApp(id: string) {
      const [app] = await store.within(organisationId, (db) => listApps(db, organisationId, id))
      return requireFound(app)
    }
  })

  bind(authorisations.removeApp, async ({ store, organisationId, auditContext, params: { appId } }) => {
    // Across: a company that the app reaches may have been assigned to another organisation.
    const isUsed = await store.across((db) => isAppUsedEverywhere(db, appId))
    return store.within(organisationId, (db) => removeApp(db, services, auditContext, { appId, isUsed }))
  })
}

function hasCustomConnections({ machineScopes }: AuthorisedType): boolean {
  return machineScopes.length > 0
}

function secretMissing(): ApiFault {
  const detail = 'The client secret is missing. Copy it from the app’s page at the source.'
  return detailedFault('settingsWrong', detail, { fields: { clientSecret: 'required' } })
}
