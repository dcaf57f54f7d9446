/** Mounts the contract's routes: authentication, authorisation, input validation and the encoding of the reply. */
import { hash } from 'node:crypto'
import { Readable } from 'node:stream'
import { bodyMaxBytes, visitorBodyMaxBytes } from '@tributary/contract/limits'
import { parquetType, queryOf, type Route, workbookType, zipType } from '@tributary/contract/route'
import type { RouteScope } from '@tributary/contract/scope'
import type { Camel } from '@tributary/contract/wire'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type * as z from 'zod'
import type { AuditContext } from '../audit-context.ts'
import type { Actor } from './actor.ts'
import { withinCall, withinOrganisation } from './call-span.ts'
import { ApiFault } from './api-fault.ts'
import { parseInput, parseQuery } from './parse-input.ts'
import { jsonCompression } from './compressed.ts'
import { guestRedactor } from './guest-redactor.ts'
import { PageReply } from './page-reply.ts'
import type { Db, Store } from '../store/store.ts'
import { wireEncoder } from './wire-encoder.ts'

/** The argument of a handler. */
export interface RouteCall<R extends Route> {
  readonly store: Store
  readonly actor: CallerOf<R>
  /** The organisation that the call addresses, in which the actor may work. Null if the route addresses none. */
  readonly organisationId: OrganisationOf<R>
  readonly params: ParsedInput<R['params']>
  readonly query: ParsedInput<R['query']>
  readonly body: ParsedInput<R['body']>
  /** For the audit log, and for functions that act on behalf of the caller. */
  readonly auditContext: AuditContext<OrganisationOf<R>, CallerOf<R>>
  /** Aborts when the caller disconnects. */
  readonly signal: AbortSignal
  /** If the route takes a raw body, `request.body` is a stream of bytes of unlimited size. */
  readonly request: FastifyRequest
  /** For cookies and headers. The handler returns the body. */
  readonly reply: FastifyReply
}

type CallerOf<R extends Route> = R['allow'] extends 'visitor' ? Actor | null : Actor
type OrganisationOf<R extends Route> = R['scope'] extends 'none' ? null : string
type ParsedInput<S> = S extends z.ZodType ? z.output<S> : undefined
export type RouteReply<R extends Route> = R['produces'] extends 'text/csv' | 'text/event-stream'
  ? AsyncIterable<string | Uint8Array>
  : R['reply'] extends z.ZodType
    ? Camel<z.input<R['reply']>>
    : R['produces'] extends typeof workbookType | typeof zipType
      ? Buffer | AsyncIterable<Uint8Array>
      : R['produces'] extends typeof parquetType
        ? AsyncIterable<Uint8Array>
        : void
type RouteHandler<R extends Route> = (call: RouteCall<R>) => Promise<RouteReply<R>>
/** A route whose calls address an organisation. */
export type OrganisationRoute = Route & { readonly scope: Exclude<RouteScope, 'none'> }

/** A call whose parameters are parsed and whose body is not: authorisation precedes validation of the body. */
export interface AddressedCall {
  /** Null for a visitor. */
  readonly person: Actor | null
  readonly params: unknown
  readonly query: unknown
  /** Not validated yet. */
  readonly body: unknown
  readonly from: { readonly address: string; readonly reference: string }
}

/** Authenticates and authorises calls. Its methods run in this order; each throws the fault that refuses the call. */
export interface CallGuard {
  /** Runs before the body is read. Counts the call against the session, or against the address of a visitor. Null: a visitor. */
  identify(route: Route, request: FastifyRequest): Promise<Actor | null>
  /** Refuses calls while the product is in maintenance. Runs before the parameters are parsed. */
  requireOpen(route: Route, person: Actor | null): Promise<void>
  /** Resolves the organisation that the call addresses, and checks the role there. Runs before the body is parsed. */
  authorise(
    route: Route,
    call: AddressedCall,
  ): Promise<{ readonly actor: Actor | null; readonly organisationId: string | null }>
  /** Refuses the call if the person last authenticated too long ago. Runs after the body is parsed. */
  requireReAuthentication(person: Actor): Promise<void>
  /** Refuses the call if the person last confirmed a second factor too long ago. Runs last. */
  requireSecondFactor(person: Actor): Promise<void>
}

/** The services that routes use. */
interface RouteServices {
  readonly store: Store
  readonly guard: CallGuard
  /** Receives every reply before it is sent and every fault code, so that tests can reject undeclared ones. */
  readonly inspect?: InspectReply | undefined
}

export type InspectReply = (
  route: Route,
  outcome: { readonly answer: unknown; readonly encoded: unknown } | ApiFault,
) => void

export interface RouteMount {
  readonly http: FastifyInstance
  bind<const R extends Route>(route: R, handler: RouteHandler<R>): void
  /** Runs the handler in one transaction that sees only the organisation that the call addresses. See `Store.within`. */
  bindWithin<const R extends OrganisationRoute>(
    route: R,
    handler: (db: Db, call: RouteCall<R>) => Promise<RouteReply<R>>,
  ): void
}

export function createRouteMount(http: FastifyInstance, services: RouteServices): RouteMount {
  return {
    http,
    bind: (route, handler) => mount(http, services, route, handler as unknown as UntypedHandler),
    bindWithin: (route, handler) =>
      mount(http, services, route, (call) => {
        const addressed = call as Parameters<typeof handler>[1]
        return services.store.within(addressed.organisationId ?? '', (db) => handler(db, addressed))
      }),
  }
}

/** Sets the total count for a paginated list. Null: the list is not paginated. */
export function setTotalCountHeader(reply: FastifyReply, total: number | null): void {
  if (total !== null) reply.header('x-total-count', total)
}

/** Makes the reply a download. @param name letters, digits, hyphens and dots */
export function setFileNameHeader(reply: FastifyReply, name: string): void {
  reply.header('content-disposition', `attachment; filename="${name}"`)
}

type UntypedHandler = (call: unknown) => Promise<unknown>

function mount(http: FastifyInstance, services: RouteServices, route: Route, handler: UntypedHandler): void {
  if (route.takes === undefined) return mountIn(http, services, route, handler)
  // A separate Fastify scope, whose content type parsers accept only the route's body.
  http.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(route.takes ?? '', (_request, body, done) => done(null, body))
    mountIn(scope, services, route, handler)
  })
}

function mountIn(http: FastifyInstance, services: RouteServices, declared: Route, handler: UntypedHandler): void {
  const query = queryOf(declared)
  const route: Route = query === undefined ? declared : { ...declared, query }
  const send = sender(services, route)
  const callers = new WeakMap<FastifyRequest, Actor | null>()
  http.route({
    method: methodsOf(route),
    exposeHeadRoute: false,
    url: `/api${route.path}`,
    bodyLimit: route.bodyMaxBytes ?? (route.allow === 'visitor' ? visitorBodyMaxBytes : bodyMaxBytes),
    compress: route.produces === undefined && jsonCompression,
    // Before the body is read: a caller without a session is rate limited, and a visitor's body has a smaller size limit.
    onRequest: (request) =>
      withinCall(request, () =>
        reportFault(
          services,
          route,
          async () => void callers.set(request, await services.guard.identify(route, request)),
        ),
      ),
    handler: (request, reply) =>
      withinCall(request, () =>
        reportFault(services, route, async () => {
          const call = await receive(services, route, reply, callers.get(request) ?? null)
          const answer = await withinOrganisation(request, call.organisationId, () => handler(call))
          return send(reply, answer, call.actor)
        }),
      ),
  })
}

/** HEAD is a GET without the body, so only routes that change nothing have it. */
function methodsOf({ method, changes }: Route): string[] {
  return method === 'GET' && changes !== true ? ['GET', 'HEAD'] : [method]
}

async function reportFault<T>(services: RouteServices, route: Route, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ApiFault) services.inspect?.(route, error)
    throw error
  }
}

/** Checks in an order that reveals nothing the caller may not know: identity, organisation, role, input, last authentication. */
async function receive({ store, guard }: RouteServices, route: Route, reply: FastifyReply, person: Actor | null) {
  const { request } = reply
  await guard.requireOpen(route, person)
  const params = route.params === undefined ? undefined : parseInput(route.params, request.params)
  const query = route.query === undefined ? undefined : parseQuery(route.query, request.query)
  const from = { address: request.ip, reference: request.id }
  const { actor, organisationId } = await guard.authorise(route, { person, params, query, body: request.body, from })
  const body = route.body === undefined ? undefined : parseInput(route.body, request.body)
  if (route.needsFreshProof === true && person !== null) await guard.requireReAuthentication(person)
  if (route.needsSecondFactor === true && person !== null) await guard.requireSecondFactor(person)
  return {
    store,
    actor,
    organisationId,
    params,
    query,
    body,
    auditContext: { actor, organisationId, ...from },
    get signal() {
      return createDisconnectSignal(reply)
    },
    request,
    reply,
  }
}

/** Proxies must neither buffer nor compress events. */
const unbuffered = { 'cache-control': 'no-store, no-transform', 'x-accel-buffering': 'no' }

function sender(
  services: RouteServices,
  route: Route,
): (reply: FastifyReply, answer: unknown, actor: Actor | null) => FastifyReply | Promise<FastifyReply> {
  const { produces } = route
  // A handler that writes a file or events redacts them for guests itself.
  if (produces === workbookType || produces === parquetType || produces === zipType)
    return (reply, answer) => sendFile(reply.type(produces), answer as Buffer | AsyncIterable<Uint8Array>)
  if (produces !== undefined)
    return (reply, answer) => sendText(produces, reply, answer as AsyncIterable<string | Uint8Array>)
  if (route.reply === undefined) return (reply) => reply.code(204).send()
  const full = { redact: (answer: unknown) => answer, encode: wireEncoder(route.reply) }
  const forGuests = route.guestReply && {
    redact: guestRedactor(route.guestReply),
    encode: wireEncoder(route.guestReply),
  }
  return (reply, given, actor) => {
    if (given instanceof PageReply) return given.send(reply)
    const { redact, encode } = (actor?.isGuest === true ? forGuests : full) ?? refuseGuests(route)
    const answer = redact(given)
    const encoded = encode(answer)
    services.inspect?.(route, { answer, encoded })
    const text = JSON.stringify(encoded)
    if (route.passive === true && matchesETag(reply, text)) return reply.code(304).send()
    return reply
      .code(route.status ?? 200)
      .type('application/json; charset=utf-8')
      .send(text)
  }
}

function refuseGuests({ method, path }: Route): never {
  throw new Error(`${method} ${path} declares nothing for guests.`)
}

async function sendText(
  type: string,
  reply: FastifyReply,
  text: AsyncIterable<string | Uint8Array>,
): Promise<FastifyReply> {
  return sendStream(reply.headers(type === 'text/event-stream' ? unbuffered : {}).type(`${type}; charset=utf-8`), text)
}

async function sendFile(reply: FastifyReply, file: Buffer | AsyncIterable<Uint8Array>): Promise<FastifyReply> {
  return Buffer.isBuffer(file) ? reply.send(file) : sendStream(reply, file)
}

async function sendStream(reply: FastifyReply, parts: AsyncIterable<string | Uint8Array>): Promise<FastifyReply> {
  if (reply.request.method !== 'HEAD') {
    // Not in object mode, so that the high-water mark counts bytes and a slow reader causes backpressure.
    return reply.send(Readable.from(parts, { objectMode: false }))
  }
  // Releases the resources of the generator.
  for await (const _ of parts) break
  return reply.send(Readable.from([]))
}

/** Aborts when the caller disconnects before the reply is complete. */
export function createDisconnectSignal(reply: FastifyReply): AbortSignal {
  const gone = new AbortController()
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) gone.abort()
  })
  return gone.signal
}

/** Sets the ETag. True if the caller already has this reply. */
function matchesETag(reply: FastifyReply, text: string): boolean {
  // Weak: the compressed and the plain reply share one tag.
  const etag = `W/"${hash('sha256', text, 'base64url')}"`
  reply.header('etag', etag)
  return reply.request.headers['if-none-match'] === etag
}
