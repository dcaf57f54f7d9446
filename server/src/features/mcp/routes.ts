/**
 * The server of the Model Context Protocol at `/mcp`, by which assistants read with the rights of a person. Streamable HTTP without
 * sessions: one message in, one JSON reply out. https://modelcontextprotocol.io/specification
 */
import { getCompanyName } from '../../identity/people/organisations.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { requireAssistants } from '../../access/assistants/switches.ts'
import type { AppRoutes, AppServices } from '../../app-services.ts'
import { protectedResourceChallenge, resourceAddress, resourcePath } from '../../identity/tokens/assistant-resource.ts'
import { authenticateToken, type TokenCaller } from '../../identity/tokens/authenticate-token.ts'
import { ApiFault } from '../../kernel/http/api-fault.ts'
import { createDisconnectSignal } from '../../kernel/http/bind.ts'
import { withinCall, withinOrganisation } from '../../kernel/http/call-span.ts'
import { jsonCompression } from '../../kernel/http/compressed.ts'
import { callRoute } from '../../kernel/http/inner-call.ts'
import { countOrganisation } from '../../security/throttling/call-rates.ts'
import { answerMessage } from './mcp-server.ts'
import type { ToolCall } from './tool.ts'

/** A statement is the longest argument. */
const bodyMaxBytes = 131_072

export function mcpRoutes(app: AppRoutes): void {
  const { http, services } = app
  const callers = new WeakMap<FastifyRequest, TokenCaller>()
  http.route({
    method: 'POST',
    url: resourcePath,
    bodyLimit: bodyMaxBytes,
    compress: jsonCompression,
    // Before the body is read.
    onRequest: (request, reply) =>
      withinCall(request, async () => void callers.set(request, await identify(services, request, reply))),
    handler: (request, reply) =>
      withinCall(request, () => {
        const caller = callers.get(request)
        if (caller === undefined) throw new ApiFault('notSignedIn')
        return withinOrganisation(request, caller.organisationId, () => answer(app, caller, reply))
      }),
  })
}

async function identify(services: AppServices, request: FastifyRequest, reply: FastifyReply): Promise<TokenCaller> {
  requireOwnOrigin(services, request)
  const caller = await authenticateToken(services, request, ['bearer', 'oauth']).catch((error: unknown) => {
    if (error instanceof ApiFault && error.statusCode === 401) {
      const problem = request.headers.authorization === undefined ? undefined : 'invalid_token'
      reply.header('www-authenticate', protectedResourceChallenge(services.config.publicUrl, problem))
    }
    throw error
  })
  countOrganisation(services, caller.organisationId)
  await services.store.within(caller.organisationId, (db) => requireAssistants(db, caller.organisationId))
  return caller
}

/**
 * Prevents DNS rebinding: a browser that another site's host name has led here names that site. Programs send no origin. In a
 * trial the server has several names, and every request is checked to use one of them.
 */
function requireOwnOrigin({ config }: AppServices, { headers: { origin } }: FastifyRequest): void {
  if (origin !== undefined && config.mode !== 'trial' && origin !== config.publicUrl) throw new ApiFault('otherSite')
}

async function answer({ http, services }: AppRoutes, caller: TokenCaller, reply: FastifyReply): Promise<FastifyReply> {
  const { request } = reply
  const { actor, organisationId } = caller
  const call: ToolCall = {
    services,
    auditContext: { actor, organisationId, address: request.ip, reference: request.id },
    signal: createDisconnectSignal(reply),
    read: (route, { params, query } = {}) =>
      callRoute(http, route, {
        actor,
        address: request.ip,
        params: { clientId: organisationId, ...params },
        query: query ?? {},
      }),
  }
  const organisation = await services.store.within(organisationId, (db) => getCompanyName(db, organisationId))
  const response = await answerMessage(call, organisation, {
    request: toRequest(services, request),
    body: request.body,
  })
  const type = response.headers.get('content-type')
  if (type !== null) reply.type(type)
  const text = await response.text()
  return reply.code(response.status).send(text)
}

function toRequest({ config }: AppServices, { headers }: FastifyRequest): Request {
  const named = ['accept', 'content-type', 'mcp-protocol-version'] as const
  const known = named.flatMap((header): [string, string][] => {
    const value = headers[header]
    return typeof value === 'string' ? [[header, value]] : []
  })
  return new Request(resourceAddress(config.publicUrl), { method: 'POST', headers: known })
}
