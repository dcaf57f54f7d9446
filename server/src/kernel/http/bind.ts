/** Ties a route of the contract to the function that answers it: who may, what comes in, what goes out. */
import { hash } from 'node:crypto'
import { Readable } from 'node:stream'
import { bodyMaxBytes, visitorBodyMaxBytes } from '@tributary/contract/limits'
import { queryOf, type Route, workbookType } from '@tributary/contract/route'
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
import type { Store } from '../store/store.ts'
import { wireEncoder } from './wire-encoder.ts'

/** What a handler is given. */
interface Call<R extends Route> {
  readonly store: Store
  readonly actor: CallerOf<R>
  /** The organisation that the call addresses and the actor may work in; null where the route addresses none. */
  readonly organisationId: OrganisationOf<R>
  readonly params: Parsed<R['params']>
  readonly query: Parsed<R['query']>
  readonly body: Parsed<R['body']>
  /** For the audit log, and for functions that act for the caller. */
  readonly auditContext: AuditContext<OrganisationOf<R>, CallerOf<R>>
  /** Aborts when the caller goes away. */
  readonly signal: AbortSignal
  /** Where the route takes a body as it is, `request.body` is a stream of bytes whose size nobody has looked at. */
  readonly request: FastifyRequest
  /** For cookies and headers; the body is what the handler returns. */
  readonly reply: FastifyReply
}

type CallerOf<R extends Route> = R['allow'] extends 'visitor' ? Actor | null : Actor
type OrganisationOf<R extends Route> = R['scope'] extends 'none' ? null : string
type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined
type Answer<R extends Route> = R['produces'] extends 'text/csv' | 'text/event-stream'
  ? AsyncIterable<string>
  : R['reply'] extends z.ZodType
    ? Camel<z.input<R['reply']>>
    : R['produces'] extends typeof workbookType
      ? Buffer
      : void
type Handler<R extends Route> = (call: Call<R>) => Promise<Answer<R>>

/** A call whose parameters are parsed and whose body is not: rights are checked before the form of the body. */
export interface AddressedCall {
  /** Null for a visitor. */
  readonly person: Actor | null
  readonly params: unknown
  readonly query: unknown
  /** As it was sent. */
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
}

/** What mounting and serving a route uses. */
interface RouteServices {
  readonly store: Store
  readonly guard: CallGuard
  /** Sees every reply before it is sent, and every fault by its code; tests refuse what the contract does not declare. */
  readonly inspect?:
    | ((route: Route, outcome: { readonly answer: unknown; readonly encoded: unknown } | ApiFault) => void)
    | undefined
}

export interface RouteMount {
  readonly http: FastifyInstance
  bind<const R extends Route>(route: R, handler: Handler<R>): void
}

export function createRouteMount(http: FastifyInstance, services: RouteServices): RouteMount {
  return { http, bind: (route, handler) => mount(http, services, route, handler as unknown as Untyped) }
}

/** For a list that was cut into pages: how many there are in all. */
export function tellTotal(reply: FastifyReply, total: number): void {
  reply.header('x-total-count', total)
}

/** For an answer that is a file. @param name letters, figures, hyphens and dots. */
export function tellFileName(reply: FastifyReply, name: string): void {
  reply.header('content-disposition', `attachment; filename="${name}"`)
}

type Untyped = (call: unknown) => Promise<unknown>

function mount(http: FastifyInstance, services: RouteServices, route: Route, handler: Untyped): void {
  if (route.takes === undefined) return mountIn(http, services, route, handler)
  // A scope of its own, in which no other body than the one it takes is read.
  http.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(route.takes ?? '', (_request, body, done) => done(null, body))
    mountIn(scope, services, route, handler)
  })
}

function mountIn(http: FastifyInstance, services: RouteServices, declared: Route, handler: Untyped): void {
  const query = queryOf(declared)
  const route: Route = query === undefined ? declared : { ...declared, query }
  const send = sender(services, route)
  const callers = new WeakMap<FastifyRequest, Actor | null>()
  http.route({
    method: methodsOf(route),
    exposeHeadRoute: false,
    url: `/api${route.path}`,
    bodyLimit: route.allow === 'visitor' ? visitorBodyMaxBytes : bodyMaxBytes,
    compress: route.produces === undefined && jsonCompression,
    // Before the body is read: a caller without a session is counted, and nothing larger than a visitor's body is read for it.
    onRequest: (request) =>
      withinCall(request, () =>
        inspected(
          services,
          route,
          async () => void callers.set(request, await services.guard.identify(route, request)),
        ),
      ),
    handler: (request, reply) =>
      withinCall(request, () =>
        inspected(services, route, async () => {
          const call = await receive(services, route, { request, reply, person: callers.get(request) ?? null })
          const answer = await withinOrganisation(request, call.organisationId, () => handler(call))
          return send(reply, answer, call.actor)
        }),
      ),
  })
}

/** HEAD is a GET whose body is left out, and so for reading only. */
function methodsOf({ method, changes }: Route): string[] {
  return method === 'GET' && changes !== true ? ['GET', 'HEAD'] : [method]
}

async function inspected<T>(services: RouteServices, route: Route, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ApiFault) services.inspect?.(route, error)
    throw error
  }
}

type Received = Readonly<Record<string, unknown>> & {
  readonly actor: Actor | null
  readonly organisationId: string | null
}

interface Came {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  /** Null for a visitor. */
  readonly person: Actor | null
}

/** Checks the call in an order that reveals no more than the caller may know: identity, organisation, right, form, last authentication. */
async function receive(
  { store, guard }: RouteServices,
  route: Route,
  { request, reply, person }: Came,
): Promise<Received> {
  await guard.requireOpen(route, person)
  const params = route.params === undefined ? undefined : parseInput(route.params, request.params)
  const query = route.query === undefined ? undefined : parseQuery(route.query, request.query)
  const from = { address: request.ip, reference: request.id }
  const { actor, organisationId } = await guard.authorise(route, { person, params, query, body: request.body, from })
  const body = route.body === undefined ? undefined : parseInput(route.body, request.body)
  if (route.needsFreshProof === true && person !== null) await guard.requireReAuthentication(person)
  return {
    store,
    actor,
    organisationId,
    params,
    query,
    body,
    auditContext: { actor, organisationId, ...from },
    get signal() {
      return goneSignal(reply)
    },
    request,
    reply,
  }
}

/** Proxies must pass events on as they come: neither keep them nor pack them. */
const unbuffered = { 'cache-control': 'no-store, no-transform', 'x-accel-buffering': 'no' }

function sender(
  services: RouteServices,
  route: Route,
): (reply: FastifyReply, answer: unknown, actor: Actor | null) => FastifyReply | Promise<FastifyReply> {
  const { produces } = route
  // A handler that writes a file or events redacts them for guests itself.
  if (produces === workbookType) return (reply, answer) => reply.type(workbookType).send(answer)
  if (produces !== undefined) return (reply, answer) => sendText(produces, reply, answer as AsyncIterable<string>)
  if (route.reply === undefined) return (reply) => reply.code(204).send()
  const full = { redact: (answer: unknown) => answer, encode: wireEncoder(route.reply) }
  const forGuests = route.guestReply && {
    redact: guestRedactor(route.guestReply),
    encode: wireEncoder(route.guestReply),
  }
  return (reply, given, actor) => {
    const { redact, encode } = (actor?.isGuest === true ? forGuests : full) ?? noGuests(route)
    const answer = redact(given)
    const encoded = encode(answer)
    services.inspect?.(route, { answer, encoded })
    const text = JSON.stringify(encoded)
    if (route.passive === true && isKnown(reply, text)) return reply.code(304).send()
    return reply
      .code(route.status ?? 200)
      .type('application/json; charset=utf-8')
      .send(text)
  }
}

function noGuests({ method, path }: Route): never {
  throw new Error(`${method} ${path} declares nothing for guests.`)
}

async function sendText(type: string, reply: FastifyReply, text: AsyncIterable<string>): Promise<FastifyReply> {
  void reply.headers(type === 'text/event-stream' ? unbuffered : {}).type(`${type}; charset=utf-8`)
  if (reply.request.method !== 'HEAD') {
    // Counted in bytes, so that a reader that is slow is not read ahead for.
    return reply.send(Readable.from(text, { objectMode: false }))
  }
  // Lets go of what was opened for the text.
  for await (const _ of text) break
  return reply.send(Readable.from([]))
}

function goneSignal(reply: FastifyReply): AbortSignal {
  const gone = new AbortController()
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) gone.abort()
  })
  return gone.signal
}

/** Whoever asks again and again may keep the last answer, and is told when it still holds. */
function isKnown(reply: FastifyReply, text: string): boolean {
  // Weak: packed or not, it is the same answer.
  const etag = `W/"${hash('sha256', text, 'base64url')}"`
  reply.header('etag', etag)
  return reply.request.headers['if-none-match'] === etag
}
