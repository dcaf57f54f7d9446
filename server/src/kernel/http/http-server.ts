/** The HTTP server: checks each request once and gives every failure the same shape. */
import type { KernelServices } from '../kernel-services.ts'
import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { FaultCode, FaultReply } from '@tributary/contract/faults'
import { bodyMaxBytes } from '@tributary/contract/limits'
import compress from '@fastify/compress'
import cookie from '@fastify/cookie'
import { fastify, type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Config } from '../config/config.ts'
import { SecretUnreadable } from '../store/secret-unreadable.ts'
import { beginCall, endCall } from './call-span.ts'
import { ApiFault } from './api-fault.ts'
import { parseJsonBody } from './json-body.ts'
import { KnownPaths } from './known-paths.ts'
import { isDiskFull, isUnreachable } from '../store/store.ts'

type HttpServerServices = Pick<KernelServices, 'config' | 'isDiskFull' | 'lifecycle' | 'log' | 'metrics' | 'tracing'>

/**
 * The HTTP server with the middleware that every request passes, as Fastify's hooks and plugins: security headers, refusal of
 * cross-site calls, cookies, compression, JSON bodies and replies to errors. The caller registers the routes.
 */
export async function createHttp(services: HttpServerServices): Promise<FastifyInstance> {
  const { config } = services
  const headers = replyHeaders(config)
  const http = fastify({
    logger: false,
    bodyLimit: bodyMaxBytes,
    // Never the caller's id: a reference must identify one log line.
    requestIdHeader: false,
    genReqId: () => randomUUID(),
    trustProxy: config.trustedProxies.length === 0 ? false : [...config.trustedProxies],
    routerOptions: { maxParamLength: 300 },
    // Safe: a GET route that changes something has no HEAD.
    exposeHeadRoutes: true,
    forceCloseConnections: 'idle',
    requestTimeout: 60_000,
    // For a malformed URL no hook runs.
    frameworkErrors: (error, _request, reply) => {
      reply.headers(headers)
      answerFault(services, error, reply)
      endCall(services, reply)
    },
  })
  const paths = new KnownPaths()
  http.addHook('onRoute', ({ method, url }) => paths.add(method, url))
  await http.register(cookie)
  // Each route declares whether its replies are compressed. Compressed request bodies are refused because of decompression bombs.
  await http.register(compress, { globalCompression: false, globalDecompression: false })
  http.removeAllContentTypeParsers()
  http.addContentTypeParser('application/json', { parseAs: 'buffer' }, async (_request: FastifyRequest, body: Buffer) =>
    parseJsonBody(body),
  )
  http.addHook('onRequest', async (request, reply) => {
    beginCall(services, request)
    // Before the checks, so that refusals have the headers, too.
    reply.headers(headers)
    // The caller's next request must reach another process.
    if (services.lifecycle.isStopping) reply.header('connection', 'close')
    refuseForeignCalls(services, request)
    return answerOtherMethod(paths, request, reply)
  })
  http.addHook('onResponse', async (_request, reply) => endCall(services, reply))
  http.setErrorHandler<FastifyError>((error, _request, reply) => answerFault(services, error, reply))
  return http
}

function refuseForeignCalls({ config }: HttpServerServices, request: FastifyRequest): void {
  if (config.mode === 'trial' && !isOwnHostName(request.host))
    throw new ApiFault('wrongHost', { values: { address: config.publicUrl } })
  if (!safeMethods.has(request.method) && !isOwnSite(request, config.publicUrl)) throw new ApiFault('otherSite')
}

const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Replies to OPTIONS. Throws `methodNotAllowed` for other methods that a known path does not have. Undefined if a route handles the call. */
function answerOtherMethod(paths: KnownPaths, request: FastifyRequest, reply: FastifyReply): FastifyReply | undefined {
  const [path = ''] = request.url.split('?')
  const methods = paths.methodsOf(path)
  if (methods === undefined) return undefined
  const { method } = request
  if (method !== 'OPTIONS' && methods.includes(method)) return undefined
  const allow = methods.join(', ')
  void reply.header('allow', allow)
  if (method === 'OPTIONS') return reply.code(204).send()
  throw new ApiFault('methodNotAllowed', { values: { method, allow } })
}

export const denyAllContentPolicy = "default-src 'none'; frame-ancestors 'none'; sandbox"

/** Headers of every reply. Pages and files, which may load more and be cached, set their own. */
export function replyHeaders({ publicUrl }: Pick<Config, 'publicUrl'>): Record<string, string> {
  return {
    'content-security-policy': denyAllContentPolicy,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
    ...(publicUrl.startsWith('https:') && { 'strict-transport-security': 'max-age=63072000; includeSubDomains' }),
  }
}

/** Prevents DNS rebinding: another site's host name may resolve to 127.0.0.1. */
function isOwnHostName(host: string): boolean {
  return /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/iu.test(host)
}

/** Prevents cross-site requests. Only browsers send an origin; other programs hold no cookies of the portal. */
function isOwnSite(request: FastifyRequest, publicUrl: string): boolean {
  const site = request.headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false
  if (request.headers.origin === undefined) return true
  const origin = URL.parse(request.headers.origin)
  if (origin === null) return false
  // Compares after normalisation of the host's case and the default port.
  return origin.origin === publicUrl || origin.host === URL.parse(`${origin.protocol}//${request.host}`)?.host
}

function answerFault(services: HttpServerServices, error: FastifyError | ApiFault, reply: FastifyReply): FastifyReply {
  const { statusCode, code, message, fields } = prepareFault(services, error, reply)
  const body: FaultReply = {
    statusCode,
    error: STATUS_CODES[statusCode] ?? 'Error',
    message,
    code,
    reference: reply.request.id,
    ...(fields !== undefined && { fields }),
  }
  return reply.code(statusCode).type('application/json; charset=utf-8').serializer(JSON.stringify).send(body)
}

/** Maps an error to a fault, logs it if the server is at fault, and sets the header that says when to try again. */
export function prepareFault(
  services: Pick<HttpServerServices, 'isDiskFull' | 'log'>,
  error: FastifyError | ApiFault,
  reply: FastifyReply,
): ApiFault {
  const { request } = reply
  const fault = withReason(
    services,
    error instanceof ApiFault ? error : toApiFault(error, request.routeOptions.bodyLimit),
  )
  const { statusCode, code } = fault
  if (statusCode >= 500)
    services.log.error('call failed', {
      reference: request.id,
      route: request.routeOptions.url ?? 'unknown',
      code,
      error: fault.cause ?? error,
    })
  const wait = fault.values['seconds'] ?? (statusCode === 503 ? 5 : undefined)
  if (wait !== undefined) reply.header('retry-after', String(wait))
  return fault
}

/** Adds the reason if the database is unreachable because the disk is full. */
function withReason({ isDiskFull }: Pick<HttpServerServices, 'isDiskFull'>, fault: ApiFault): ApiFault {
  return fault.code === 'unavailable' && isDiskFull() ? new ApiFault('storeFull', { cause: fault.cause }) : fault
}

/** Maps errors of Fastify and the database to faults. Unexpected errors become an internal fault. */
function toApiFault(error: FastifyError, bodyLimit: number): ApiFault {
  if (isUnreachable(error)) return new ApiFault('unavailable', { cause: error })
  if (isDiskFull(error)) return new ApiFault('storeFull', { cause: error })
  if (error instanceof SecretUnreadable) return new ApiFault('secretUnreadable', { cause: error })
  const code =
    frameworkFaults[error.code] ?? (error.statusCode !== undefined && error.statusCode < 500 ? 'malformed' : 'broken')
  const limit = bodyLimit >= bodyMaxBytes ? `${bodyLimit / 1_048_576} MiB` : `${bodyLimit / 1_024} KiB`
  return new ApiFault(code, { values: { limit }, cause: error })
}

const frameworkFaults: Readonly<Record<string, FaultCode>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'tooLarge',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'malformed',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'malformed',
  FST_ERR_NOT_FOUND: 'notFound',
  FST_ERR_BAD_URL: 'notFound',
  FST_ERR_MAX_PARAM_LENGTH: 'notFound',
}
