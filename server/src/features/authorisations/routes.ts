/**
 * Two addresses that a browser goes to, out to a source and back, both answered with a redirect; and the calls about what came of it,
 * about an organisation's own apps, and about how a connector signs in.
 */
import { authorisations } from '@tributary/contract/authorisations'
import { Id } from '@tributary/contract/id'
import type { FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod'
import type { Actor } from '../../kernel/http/actor.ts'
import { addressBlock } from '../../security/throttling/network-prefix.ts'
import { readAuthoriseToken } from '../../identity/sessions/session-cookies.ts'
import { countCredentialTest } from '../../connections/databases/credential-test-limits.ts'
import { ApiFault, badField } from '../../kernel/http/api-fault.ts'
import type { CompanyConnector } from '../../connections/oauth/connect-companies.ts'
import type { AuthorisedType } from '../../connections/oauth/authorised-types.ts'
import type { AppRoutes, AppServices } from '../../app-services.ts'
import type { ThrottleLimit } from '../../security/throttling/throttle.ts'
import {
  clearFlowCookie,
  readFlowCookie,
  setFlowCookie,
  type FlowCookie,
} from '../../identity/providers/oauth-flow-cookie.ts'
import { isUsedAnywhere, keepApp, listApps, removeApp } from './oauth-apps.ts'
import { arrive } from './oauth-callback.ts'
import { choose, readChoice } from './choose-companies.ts'
import { callbackOf, depart } from './oauth-redirect.ts'
import { addressOf, isRefused } from './landing-page.ts'
import { addMachine } from './custom-connections.ts'
import { showAuthorisation } from './replies.ts'
import { tripMs } from './oauth-flows.ts'

/** Trips that end well are taken back. */
const departures: ThrottleLimit = {
  kind: 'authorise departure',
  free: 20,
  waitMs: 600_000,
  waitMaxMs: 600_000,
  windowMs: 600_000,
  isShared: true,
}
const arrivals: ThrottleLimit = { ...departures, kind: 'authorise arrival' }

const cookie: FlowCookie = { name: 'tributary_authorise_trip', path: '/api/authorise', lifeMs: tripMs }

const Wish = z.object({ state: Id, connector: Id.optional(), app: z.enum(['own']).optional() })

/** Both begin or end something, so HEAD, which is for reading, is not theirs. */
const acting = { exposeHeadRoute: false }

type Request = FastifyRequest<{ Params: { type: string } }>

export function authoriseRoutes({ bind, http, services }: AppRoutes, connecting: CompanyConnector): void {
  http.get('/api/authorise/:type', acting, (request: Request, reply) => goOut(services, request, reply))
  http.get('/api/authorise/:type/callback', acting, (request: Request, reply) =>
    comeBack(services, connecting, request, reply),
  )
  choiceRoutes({ bind, http, services }, connecting)
  appRoutes({ bind, http, services }, connecting)
  bind(authorisations.ofConnector, ({ store, organisationId, params: { connectorId } }) =>
    store.within(organisationId, (db) => showAuthorisation(db, services.oauth, organisationId, connectorId)),
  )
}

async function goOut(services: AppServices, request: Request, reply: FastifyReply): Promise<FastifyReply> {
  await services.throttle.attempt(departures, addressBlock(request.ip))
  const type = services.oauth.types.get(request.params.type)
  if (type === undefined) return redirect(reply, '/home')
  const wish = Wish.safeParse(request.query)
  if (!wish.success) return redirect(reply, addressOf({ type: type.type, organisationId: null }, { error: 'unknown' }))
  const { state: organisationId, connector, app } = wish.data
  const page = pageOf(type, organisationId, connector)
  // Another site that sends somebody here, or shows us within itself, gets no further than a page that asks for a click.
  if (!isOwnClick(request)) return redirect(reply, page)
  // Without an app of the provider's there are other ways in, which that page shows.
  if (app === undefined && type.operatorApp === null) return redirect(reply, page)
  const actor = await whoIsSignedIn(services, request)
  if (actor === null) return redirect(reply, `/signin?${new URLSearchParams({ returnUrl: page }).toString()}`)
  const departure = await depart(services, {
    type,
    app: app ?? 'provider',
    connectorId: connector ?? null,
    auditContext: { actor, organisationId, address: request.ip, reference: request.id },
  })
  if ('error' in departure) return redirect(reply, addressOf({ type: type.type, organisationId }, departure))
  setFlowCookie(services.config, reply, cookie, departure.browser)
  return redirect(reply, departure.address.href)
}

/** The page from which somebody sets out. */
function pageOf({ type }: AuthorisedType, organisation: string, connector: string | undefined): string {
  const query = new URLSearchParams({
    organisation,
    ...(connector === undefined ? { new: 'true' } : { reconnect: connector }),
  })
  return `/connectors/${type}/manage?${query.toString()}`
}

function isOwnClick({ headers }: Request): boolean {
  const { 'sec-fetch-site': site = 'none', 'sec-fetch-dest': dest = 'document' } = headers
  return (site === 'same-origin' || site === 'none') && dest === 'document'
}

async function comeBack(
  services: AppServices,
  connecting: CompanyConnector,
  request: Request,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { config, oauth, store, throttle } = services
  const address = addressBlock(request.ip)
  await throttle.attempt(arrivals, address)
  const type = oauth.types.get(request.params.type)
  if (type === undefined) return redirect(reply, '/home')
  const actor = await whoIsSignedIn(services, request)
  if (actor === null) return redirect(reply, addressOf({ type: type.type, organisationId: null }, { error: 'unknown' }))
  const { outcome, organisationId } = await arrive(services, connecting, {
    type,
    answer: new URL(request.url, config.publicUrl).searchParams,
    browser: readFlowCookie(config, request, cookie),
    auditContext: { actor, organisationId: null, address: request.ip, reference: request.id },
  })
  clearFlowCookie(config, reply, cookie)
  // Across: attempts belong to no organisation.
  if (!isRefused(outcome))
    for (const limit of [departures, arrivals]) await store.across((db) => throttle.refund(db, limit, address))
  return redirect(reply, addressOf({ type: type.type, organisationId }, outcome))
}

/** Both ways the addresses hold secrets, which no other site is to be told. */
function redirect(reply: FastifyReply, address: string): FastifyReply {
  return reply.header('referrer-policy', 'no-referrer').redirect(address)
}

async function whoIsSignedIn(
  { config, sessions }: Pick<AppServices, 'config' | 'sessions'>,
  request: Request,
): Promise<Actor | null> {
  try {
    return await sessions.ofAuthoriseToken(readAuthoriseToken(config, request))
  } catch (error) {
    if (error instanceof ApiFault && error.code === 'notSignedIn') return null
    throw error
  }
}

function choiceRoutes({ bind, services }: AppRoutes, connecting: CompanyConnector): void {
  bind(authorisations.read, ({ organisationId, actor, params }) =>
    readChoice(services, { organisationId, userId: actor.userId, authorisationId: params.authorisationId }),
  )

  bind(authorisations.choose, async ({ auditContext, params, body }) => {
    const { authorisationId } = params
    return {
      connectorIds: [...(await choose(services, connecting, { authorisationId, auditContext }, body))],
    }
  })
}

function appRoutes({ bind, services }: AppRoutes, connecting: CompanyConnector): void {
  const { config, oauth } = services
  const types = [...oauth.types.values()]

  bind(authorisations.apps, async ({ store, organisationId }) => ({
    provider: types.filter(({ operatorApp: provider }) => provider !== null).map(({ type }) => type),
    own: await store.within(organisationId, (db) => listApps(db, organisationId)),
    redirectAddresses: Object.fromEntries(types.map(({ type }) => [type, callbackOf(config.publicUrl, type)])),
  }))

  bind(authorisations.addApp, async ({ store, organisationId, auditContext, body }) => {
    const type = oauth.types.get(body.type)
    if (type === undefined) throw badField('type', 'must be a connector type that is set up by signing in')
    await countCredentialTest(services, auditContext)
    if (body.clientSecret === '') throw secretMissing()
    if (body.kind === 'machine') {
      const { appId, connectorId } = await addMachine(services, connecting, { auditContext, type }, body)
      return { app: await shown(appId), connectorIds: [connectorId] }
    }
    const appId = await store.within(organisationId, (db) => keepApp(db, services, auditContext, body))
    return { app: await shown(appId), connectorIds: [] }

    async function shown(id: string) {
      const [app] = await store.within(organisationId, (db) => listApps(db, organisationId, id))
      if (app === undefined) throw new ApiFault('notFound')
      return app
    }
  })

  bind(authorisations.removeApp, async ({ store, organisationId, auditContext, params: { appId } }) => {
    // Across: a company that was opened to the app may have been assigned to another organisation.
    const isUsed = await store.across((db) => isUsedAnywhere(db, appId))
    return store.within(organisationId, (db) => removeApp(db, services, auditContext, { appId, isUsed }))
  })
}

function secretMissing(): ApiFault {
  const detail = 'The client secret is missing. Copy it from the app’s page at the source.'
  return new ApiFault('settingsWrong', { values: { detail }, fields: { clientSecret: 'required' } })
}
