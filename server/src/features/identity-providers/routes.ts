/**
 * Two addresses that a browser goes to, not the portal: out to a provider, and back. Both answer with a redirect. Who links an
 * account sets out by a call of the portal instead, with their password.
 */
import { profile } from '@tributary/contract/profile'
import type { FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod'
import type { AuditContext } from '../../kernel/audit-context.ts'
import type { Actor } from '../../kernel/http/actor.ts'
import { addressBlock } from '../../security/throttling/network-prefix.ts'
import { readAuthoriseToken, setLinkSecret } from '../../identity/sessions/session-cookies.ts'
import { ApiFault } from '../../kernel/http/api-fault.ts'
import type { OidcProvider } from '../../identity/providers/oidc-provider.ts'
import { requireCurrentPassword } from '../../identity/passwords/require-current-password.ts'
import type { AppRoutes, AppServices } from '../../app-services.ts'
import type { ThrottleLimit } from '../../security/throttling/throttle.ts'
import {
  clearFlowCookie,
  readFlowCookie,
  setFlowCookie,
  type FlowCookie,
} from '../../identity/providers/oauth-flow-cookie.ts'
import { arrive } from './oidc-callback.ts'
import { depart } from './oidc-redirect.ts'
import { addressOf } from './landing-page.ts'
import { tripMs } from './queries.ts'

/** Trips that end well are taken back. */
const departures: ThrottleLimit = {
  kind: 'external departure',
  free: 20,
  waitMs: 600_000,
  waitMaxMs: 600_000,
  windowMs: 600_000,
  isShared: true,
}
const linksPerPerson: ThrottleLimit = {
  kind: 'external link',
  free: 10,
  waitMs: 600_000,
  waitMaxMs: 600_000,
  windowMs: 600_000,
}
const arrivals: ThrottleLimit = { ...departures, kind: 'external arrival' }

const cookie: FlowCookie = { name: 'tributary_external', path: '/api/auth/external', maxAgeMs: tripMs }

const Wish = z.object({
  purpose: z.enum(['signin', 'signup']).catch('signin'),
  returnUrl: z.string().max(2_000).optional().catch(undefined),
})

/** Both begin or end something, so HEAD, which is for reading, is not theirs. */
const acting = { exposeHeadRoute: false }

type Request = FastifyRequest<{ Params: { provider: string } }>

export function externalRoutes({ bind, http, services }: AppRoutes): void {
  http.get('/api/auth/external/:provider', acting, (request: Request, reply) => goOut(services, request, reply))
  http.get('/api/auth/external/:provider/callback', acting, (request: Request, reply) =>
    comeBack(services, request, reply),
  )
  bind(profile.linkProvider, (call) => setOutToLink(services, call))
}

interface Linking {
  readonly auditContext: AuditContext<string | null, Actor>
  readonly params: { readonly provider: string }
  readonly body: { readonly password?: string | undefined }
  readonly reply: FastifyReply
}

/** From the portal itself, and by whoever knows the password: a linked account is a way in for good. */
async function setOutToLink(
  services: AppServices,
  { auditContext, params, body, reply }: Linking,
): Promise<{ address: string }> {
  const provider = services.providers.find(({ name }) => name === params.provider)
  if (provider === undefined) throw new ApiFault('notFound')
  await services.throttle.attempt(linksPerPerson, auditContext.actor.userId)
  await requireCurrentPassword(services, auditContext, body.password)
  const departure = await depart(services, {
    provider,
    purpose: 'link',
    returnUrl: undefined,
    userId: auditContext.actor.userId,
  })
  if ('path' in departure) return { address: departure.path }
  setFlowCookie(services.config, reply, cookie, departure.browser)
  return { address: departure.address.href }
}

async function goOut(services: AppServices, request: Request, reply: FastifyReply): Promise<FastifyReply> {
  await services.throttle.attempt(departures, addressBlock(request.ip))
  const provider = findProvider(services, request)
  if (provider === undefined) return redirect(reply, addressOf('/signin', { error: 'unknown' }))
  const { purpose, returnUrl } = Wish.parse(request.query)
  const departure = await depart(services, { provider, purpose, returnUrl, userId: null })
  if ('path' in departure) return redirect(reply, departure.path)
  setFlowCookie(services.config, reply, cookie, departure.browser)
  return redirect(reply, departure.address.href)
}

async function comeBack(services: AppServices, request: Request, reply: FastifyReply): Promise<FastifyReply> {
  const { config, store, throttle } = services
  const address = addressBlock(request.ip)
  await throttle.attempt(arrivals, address)
  const provider = findProvider(services, request)
  if (provider === undefined) return redirect(reply, addressOf('/signin', { error: 'unknown' }))
  const landing = await arrive(services, {
    provider,
    answer: new URL(request.url, config.publicUrl).searchParams,
    browser: readFlowCookie(config, request, cookie),
    actor: await whoIsSignedIn(services, request),
    auditContext: { actor: null, organisationId: null, address: request.ip, reference: request.id },
  })
  clearFlowCookie(config, reply, cookie)
  if (landing.linkSecret !== undefined) setLinkSecret(config, reply, landing.linkSecret)
  // Across: attempts belong to no organisation.
  if (landing.isRefused !== true)
    for (const limit of [departures, arrivals]) await store.across((db) => throttle.refund(db, limit, address))
  return redirect(reply, landing.path)
}

/** Both ways the addresses hold secrets, which no other site is to be told. */
function redirect(reply: FastifyReply, address: string): FastifyReply {
  return reply.header('referrer-policy', 'no-referrer').redirect(address)
}

function findProvider({ providers }: Pick<AppServices, 'providers'>, { params }: Request): OidcProvider | undefined {
  return providers.find(({ name }) => name === params.provider)
}

async function whoIsSignedIn(
  { config, sessions }: Pick<AppServices, 'config' | 'sessions'>,
  request: Request,
): Promise<Actor | null> {
  try {
    return await sessions.readAuthoriseToken(readAuthoriseToken(config, request))
  } catch (error) {
    if (error instanceof ApiFault && error.code === 'notSignedIn') return null
    throw error
  }
}
