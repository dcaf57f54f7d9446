/** Ties a route of the contract to the function that answers it: who may, what comes in, what goes out. */
import { hash } from 'node:crypto'
import { Readable } from 'node:stream'
import { bodyMaxBytes, visitorBodyMaxBytes } from '@tributary/contract/limits'
import { queryOf, type Route, workbookType } from '@tributary/contract/route'
import type { Camel } from '@tributary/contract/wire'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type * as z from 'zod'
import { actingAs, originOf, type Actor } from './actor.ts'
import type { Origin } from '../../security/audit/audit.ts'
import { withinCall, withinOrganisation } from './call-span.ts'
import { countOrganisation, countSession, countVisitor } from '../../security/throttling/call-rates.ts'
import { ApiFault } from './api-fault.ts'
import { requireFreshProof } from '../../identity/factors/re-authentication.ts'
import { guestRedactor } from '../../identity/authorization/guests.ts'
import { parseInput, parseQuery } from './parse-input.ts'
import { packed } from './compressed.ts'
import type { Parts } from '../../parts.ts'
import { addressed, type Addressed, requireRole } from '../../identity/authorization/scope.ts'
import { wireEncoder } from './wire-encoder.ts'

/** What a handler is given. */
interface Call<R extends Route> extends Pick<Parts, 'store'> {
  readonly actor: R['allow'] extends 'visitor' ? Actor | null : Actor
  /** The organisation that the call addresses and the actor may work in; null where the route addresses none. */
  readonly organisationId: R['scope'] extends 'none' ? null : string
  readonly params: Parsed<R['params']>
  readonly query: Parsed<R['query']>
  readonly body: Parsed<R['body']>
  /** Who and from where, for the audit log. */
  readonly origin: Origin
  /** Aborts when the caller goes away. */
  readonly signal: AbortSignal
  /** Where the route takes a body as it is, `request.body` is a stream of bytes whose size nobody has looked at. */
  readonly request: FastifyRequest
  /** For cookies and headers; the body is what the handler returns. */
  readonly reply: FastifyReply
}

type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined
type Answer<R extends Route> = R['produces'] extends 'text/csv' | 'text/event-stream'
  ? AsyncIterable<string>
  : R['reply'] extends z.ZodType
    ? Camel<z.input<R['reply']>>
    : R['produces'] extends typeof workbookType
      ? Buffer
      : void
type Handler<R extends Route> = (call: Call<R>) => Promise<Answer<R>>

export interface App {
  readonly http: FastifyInstance
  readonly parts: Parts
  bind<const R extends Route>(route: R, handler: Handler<R>): void
}

export function createApp(http: FastifyInstance, parts: Parts): App {
  return { http, parts, bind: (route, handler) => mount(http, parts, route, handler as unknown as Untyped) }
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

function mount(http: FastifyInstance, parts: Parts, route: Route, handler: Untyped): void {
  if (route.takes === undefined) return mountIn(http, parts, route, handler)
  // A scope of its own, in which no other body than the one it takes is read.
  http.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(route.takes ?? '', (_request, body, done) => done(null, body))
    mountIn(scope, parts, route, handler)
  })
}

function mountIn(http: FastifyInstance, parts: Parts, declared: Route, handler: Untyped): void {
  const query = queryOf(declared)
  const route: Route = query === undefined ? declared : { ...declared, query }
  const send = sender(parts, route)
  const callers = new WeakMap<FastifyRequest, Actor | null>()
  http.route({
    method: methodsOf(route),
    exposeHeadRoute: false,
    url: `/api${route.path}`,
    bodyLimit: route.allow === 'visitor' ? visitorBodyMaxBytes : bodyMaxBytes,
    compress: route.produces === undefined && packed,
    // Before the body is read: a caller without a session is counted, and nothing larger than a visitor's body is read for it.
    onRequest: (request) =>
      withinCall(request, () =>
        inspected(parts, route, async () => void callers.set(request, await whoCalls(parts, route, request))),
      ),
    handler: (request, reply) =>
      withinCall(request, () =>
        inspected(parts, route, async () => {
          const call = await receive(parts, route, { request, reply, person: callers.get(request) ?? null })
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

async function inspected<T>(parts: Parts, route: Route, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ApiFault) parts.inspect?.(route, error)
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

/** The checks, in an order that tells nobody more than they may know: who, which organisation, which right, what they sent, then when they last proved who they are. */
async function receive(parts: Parts, route: Route, { request, reply, person }: Came): Promise<Received> {
  await requireOpen(parts, route, person)
  const params = route.params === undefined ? undefined : parseInput(route.params, request.params)
  const query = route.query === undefined ? undefined : parseQuery(route.query, request.query)
  const from = { address: request.ip, reference: request.id }

  const { organisationId, guestId } =
    person === null
      ? nobodysOwn
      : await addressed(parts, route, { actor: person, params, query, body: request.body, from })
  const judgedIn = guestId ?? organisationId
  countOrganisation(parts, judgedIn)
  const actor =
    person === null
      ? null
      : actingAs(person, await requireRole(parts, { route, actor: person, organisationId: judgedIn, from }))
  const body = route.body === undefined ? undefined : parseInput(route.body, request.body)
  if (route.needsFreshProof === true && person !== null) await requireFreshProof(parts, person)
  return {
    store: parts.store,
    actor: actor === null || guestId === null ? actor : { ...actor, isGuest: true },
    organisationId,
    params,
    query,
    body,
    origin: originOf(actor, from),
    get signal() {
      return goneSignal(reply)
    },
    request,
    reply,
  }
}

const nobodysOwn: Addressed = { organisationId: null, guestId: null }

/** Counts the call, too: for the session, or for the address of somebody who has none. */
async function whoCalls(parts: Parts, route: Route, request: FastifyRequest): Promise<Actor | null> {
  const person = await ofToken(parts, route, request)
  if (person === null) countVisitor(parts, request.ip)
  else countSession(parts, route, person)
  // Whoever is to be let in as a visitor is one, whatever token the browser still sends along.
  if (route.allow === 'visitor') return null
  if (person === null) throw new ApiFault('notSignedIn')
  if (person.passwordIsTemporary && route.allowsTemporaryPassword !== true) throw new ApiFault('passwordTemporary')
  return person
}

async function ofToken({ sessions }: Parts, route: Route, request: FastifyRequest): Promise<Actor | null> {
  const [scheme, token] = request.headers.authorization?.split(' ') ?? []
  if (route.allow === 'visitor' || scheme?.toLowerCase() !== 'bearer' || token === undefined) return null
  try {
    return await sessions.read(token, route.passive === true ? 'passive' : 'active')
  } catch (error) {
    if (error instanceof ApiFault && error.code === 'notSignedIn') return null
    throw error
  }
}

/** What the provider needs to get in while everybody else is kept out; whose session then begins is checked where it does. */
const waysIn = /^\/(?:auth|verify|reset-password|mailbox)(?:\/|$)|^\/registration\/captcha$/u

async function requireOpen({ settings }: Parts, route: Route, person: Actor | null): Promise<void> {
  const isFree = person === null ? waysIn.test(route.path) : person.providerRole !== null
  if (!isFree && (await settings.read()).MaintenanceMode) throw new ApiFault('maintained')
}

/** Proxies must pass events on as they come: neither keep them nor pack them. */
const unbuffered = { 'cache-control': 'no-store, no-transform', 'x-accel-buffering': 'no' }

function sender(
  parts: Parts,
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
    parts.inspect?.(route, { answer, encoded })
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
