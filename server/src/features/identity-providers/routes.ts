/**
 * Routes of identity providers. The browser navigates to two of them, which redirect to the provider and handle its
 * callback. Linking an identity begins with an API call instead, which requires the password.
 */
import { profile } from '@tributary/contract/profile'
import type { FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod'
import type { SignedInContext } from '../../kernel/audit-context.ts'
import { addressBlock } from '../../security/throttling/network-prefix.ts'
import { linkCookie } from '../../identity/sessions/session-cookies.ts'
import { requireFound } from '../../kernel/http/api-fault.ts'
import type { OidcProvider } from '../../identity/providers/oidc-provider.ts'
import { requireCurrentPassword } from '../../identity/passwords/require-current-password.ts'
import type { AppRoutes, AppServices } from '../../app-services.ts'
import type { ThrottleLimit } from '../../security/throttling/throttle.ts'
import { clearCookie, type OwnCookie, readCookie, setCookie } from '../../kernel/http/own-cookie.ts'
import { findSignedInActor, redirect, withoutHead } from '../../identity/providers/oauth-navigation.ts'
import { completeOidcFlow } from './oidc-callback.ts'
import { startOidcFlow } from './oidc-redirect.ts'
import { pagePath } from './landing-page.ts'
import { oidcFlowMs } from './queries.ts'

/** Attempts of a successful flow are refunded. */
const redirectLimit: ThrottleLimit = { kind: 'external departure', free: 20, waitMs: 600_000, isShared: true }
const linksPerPerson: ThrottleLimit = { kind: 'external link', free: 10, waitMs: 600_000 }
const callbackLimit: ThrottleLimit = { ...redirectLimit, kind: 'external arrival' }

/** `lax`, because the callback is a navigation from another site. */
const flowCookie: OwnCookie = {
  name: 'tributary_external',
  path: '/api/auth/external',
  sameSite: 'lax',
  maxAgeMs: oidcFlowMs,
}

const ExternalSignInQuery = z.object({
  purpose: z.enum(['signin', 'signup']).catch('signin'),
  returnUrl: z.string().max(2_000).optional().catch(undefined),
})

type ExternalSignInRequest = FastifyRequest<{ Params: { provider: string } }>

export function externalRoutes({ bind, http, services }: AppRoutes): void {
  http.get('/api/auth/external/:provider', withoutHead, (request: ExternalSignInRequest, reply) =>
    redirectToProvider(services, request, reply),
  )
  http.get('/api/auth/external/:provider/callback', withoutHead, (request: ExternalSignInRequest, reply) =>
    handleCallback(services, request, reply),
  )
  bind(profile.linkProvider, (call) => startLinking(services, call))
}

interface LinkProviderCall {
  readonly auditContext: SignedInContext
  readonly params: { readonly provider: string }
  readonly body: { readonly password?: string | undefined }
  readonly reply: FastifyReply
}

/** Requires the password, because a linked identity is a permanent sign-in method. */
async function startLinking(
  services: AppServices,
  { auditContext, params, body, reply }: LinkProviderCall,
): Promise<{ address: string }> {
  const provider = requireFound(services.providers.find(({ name }) => name === params.provider))
  await services.throttle.attempt(linksPerPerson, auditContext.actor.userId)
  await requireCurrentPassword(services, auditContext, body.password)
  const redirection = await startOidcFlow(services, {
    provider,
    purpose: 'link',
    returnUrl: undefined,
    userId: auditContext.actor.userId,
  })
  if ('path' in redirection) return { address: redirection.path }
  setCookie(services.config, reply, flowCookie, redirection.browser)
  return { address: redirection.address.href }
}

async function redirectToProvider(
  services: AppServices,
  request: ExternalSignInRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  await services.throttle.attempt(redirectLimit, addressBlock(request.ip))
  const provider = findProvider(services, request)
  if (provider === undefined) return redirect(reply, pagePath('/signin', { error: 'unknown' }))
  const { purpose, returnUrl } = ExternalSignInQuery.parse(request.query)
  const redirection = await startOidcFlow(services, { provider, purpose, returnUrl, userId: null })
  if ('path' in redirection) return redirect(reply, redirection.path)
  setCookie(services.config, reply, flowCookie, redirection.browser)
  return redirect(reply, redirection.address.href)
}

async function handleCallback(
  services: AppServices,
  request: ExternalSignInRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { config, store, throttle } = services
  const address = addressBlock(request.ip)
  await throttle.attempt(callbackLimit, address)
  const provider = findProvider(services, request)
  if (provider === undefined) return redirect(reply, pagePath('/signin', { error: 'unknown' }))
  const landing = await completeOidcFlow(services, {
    provider,
    parameters: new URL(request.url, config.publicUrl).searchParams,
    browser: readCookie(config, request, flowCookie) ?? '',
    actor: await findSignedInActor(services, request),
    auditContext: { actor: null, organisationId: null, address: request.ip, reference: request.id },
  })
  clearCookie(config, reply, flowCookie)
  if (landing.linkSecret !== undefined) setCookie(config, reply, linkCookie, landing.linkSecret)
  // Across: attempts belong to no organisation.
  if (landing.isRefused !== true)
    for (const limit of [redirectLimit, callbackLimit]) await store.across((db) => throttle.refund(db, limit, address))
  return redirect(reply, landing.path)
}

function findProvider(
  { providers }: Pick<AppServices, 'providers'>,
  { params }: ExternalSignInRequest,
): OidcProvider | undefined {
  return providers.find(({ name }) => name === params.provider)
}
