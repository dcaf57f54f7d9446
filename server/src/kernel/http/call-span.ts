/** Observability of a call from its first to its last byte: one log line, one metric, one span. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Log } from '../log/log.ts'
import { withLogContext } from '../telemetry/log-context.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import type { OpenSpan, Tracing } from '../telemetry/tracing.ts'

const spans = new WeakMap<FastifyRequest, OpenSpan>()
/** The organisation of each call that addresses one. */
const organisations = new WeakMap<FastifyRequest, string>()

export function beginCall({ tracing }: { readonly tracing: Tracing }, request: FastifyRequest): void {
  const { traceparent } = request.headers
  const parent = typeof traceparent === 'string' ? traceparent : undefined
  const attributes = {
    'http.request.method': request.method,
    'http.route': routeOf(request),
    'tributary.reference': request.id,
  }
  spans.set(request, tracing.begin(`${request.method} ${routeOf(request)}`, { kind: 'server', parent, attributes }))
}

/** Runs `work` in the log context and the span of the call. */
export function withinCall<T>(request: FastifyRequest, work: () => T): T {
  return withLogContext({ reference: request.id }, () => spans.get(request)?.within(work) ?? work())
}

/** The same, once the organisation is known. */
export function withinOrganisation<T>(request: FastifyRequest, organisationId: string | null, work: () => T): T {
  if (organisationId === null) return work()
  organisations.set(request, organisationId)
  spans.get(request)?.add({ 'tributary.organisation_id': organisationId })
  return withLogContext({ organisationId }, work)
}

export function endCall({ log, metrics }: { readonly log: Log; readonly metrics: Metrics }, reply: FastifyReply): void {
  const { request, statusCode: status } = reply
  const { method, id: reference } = request
  const route = routeOf(request)
  const span = spans.get(request)
  const traceId = span?.traceId ?? undefined
  const organisationId = organisations.get(request)
  const known = { ...(organisationId !== undefined && { organisationId }), ...(traceId !== undefined && { traceId }) }
  log.info('call', { reference, method, route, status, ms: Math.round(reply.elapsedTime), ...known })
  metrics.recordCall({ route, method, status, ms: reply.elapsedTime })
  span?.add({ 'http.response.status_code': status })
  span?.end(status >= 500 ? String(status) : undefined)
}

/** The pattern of the route, not the URL: a path or query may hold a token, which must not be logged. */
function routeOf(request: FastifyRequest): string {
  return request.routeOptions.url ?? 'unknown'
}
