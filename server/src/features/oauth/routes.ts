/**
 * The portal as OAuth 2.1 authorisation server for assistants. What people see and decide are routes of the contract; what
 * assistants call follows the RFCs.
 */
import { visitorBodyMaxBytes } from '@tributary/contract/limits'
import { oauth } from '@tributary/contract/oauth'
import type { FastifyError, FastifyInstance, FastifyRequest } from 'fastify'
import type { AppRoutes, AppServices } from '../../app-services.ts'
import { resourceMetadataPath } from '../../identity/tokens/assistant-resource.ts'
import { withinCall } from '../../kernel/http/call-span.ts'
import { parseJsonBody } from '../../kernel/http/json-body.ts'
import { countVisitor } from '../../security/throttling/call-rates.ts'
import { allowAssistant, describeRequest } from './allow-assistant.ts'
import { describeResource, describeServer, endpoints } from './metadata.ts'
import { OauthError, replyWithOauthError } from './oauth-error.ts'
import { registerClient } from './register-client.ts'
import { revokeToken } from './revoke-token.ts'
import { type FormParameters, issueTokens, type TokenRequest } from './token-endpoint.ts'

export async function oauthRoutes({ bind, http, services }: AppRoutes): Promise<void> {
  bind(oauth.read, ({ actor, query }) => describeRequest(services, actor, query.request))
  bind(oauth.allow, async ({ auditContext, body }) => ({
    redirectUrl: await allowAssistant(services, auditContext, body.request),
  }))
  await registerEndpoints(http, services, (scope) => {
    metadataRoutes(scope, services)
    registrationRoute(scope, services)
  })
  await registerEndpoints(http, services, (scope) => tokenRoutes(scope, services))
}

/** Encapsulated, so that no other route accepts forms, or replies in the form of OAuth. */
async function registerEndpoints(
  http: FastifyInstance,
  services: AppServices,
  define: (scope: FastifyInstance) => void,
): Promise<void> {
  await http.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.setErrorHandler<FastifyError>((error, _request, reply) => replyWithOauthError(services, error, reply))
    scope.addHook('onRequest', async (request) => countVisitor(services, request.ip))
    define(scope)
  })
}

/** Public, and the same for everyone. */
const publicMetadata = { 'cache-control': 'public, max-age=300' }

function metadataRoutes(http: FastifyInstance, { config: { publicUrl } }: AppServices): void {
  http.get('/.well-known/oauth-authorization-server', async (_request, reply) =>
    reply.headers(publicMetadata).send(describeServer(publicUrl)),
  )
  // The second serves clients that do not append the path of the resource.
  for (const path of [resourceMetadataPath, '/.well-known/oauth-protected-resource'])
    http.get(path, async (_request, reply) => reply.headers(publicMetadata).send(describeResource(publicUrl)))
}

function registrationRoute(http: FastifyInstance, services: AppServices): void {
  http.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer', bodyLimit: visitorBodyMaxBytes },
    async (_request: FastifyRequest, body: Buffer) => parseJsonBody(body),
  )
  http.post(endpoints.register, (request, reply) =>
    withinCall(request, async () => reply.code(201).send(await registerClient(services, request.body, request.ip))),
  )
}

function tokenRoutes(http: FastifyInstance, services: AppServices): void {
  http.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: visitorBodyMaxBytes },
    (_request, text, done) => done(null, String(text)),
  )
  http.post(endpoints.token, (request, reply) =>
    withinCall(request, async () => reply.send(await issueTokens(services, readTokenRequest(request)))),
  )
  http.post(endpoints.revoke, (request, reply) =>
    withinCall(request, async () => {
      await revokeToken(services, readTokenRequest(request))
      return reply.send({})
    }),
  )
}

function readTokenRequest({ body, id, ip }: FastifyRequest): TokenRequest {
  return {
    parameters: readForm(body),
    auditContext: { actor: null, organisationId: null, address: ip, reference: id },
  }
}

/** Refuses duplicate parameters (RFC 6749, section 3.2). */
function readForm(body: unknown): FormParameters {
  const parameters = new Map<string, string>()
  for (const [name, value] of new URLSearchParams(typeof body === 'string' ? body : '')) {
    if (parameters.has(name)) throw new OauthError('invalid_request', 'A parameter is given more than once.')
    parameters.set(name, value)
  }
  return parameters
}
