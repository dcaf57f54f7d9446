/** Ties a route of the contract to the function that answers it: who may, what comes in, what goes out. */
import { Readable } from 'node:stream'
import { bodyMaxBytes } from '@tributary/contract/limits'
import type { Route } from '@tributary/contract/route'
import type { Camel } from '@tributary/contract/wire'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type * as z from 'zod'
import { actingAs, originOf, type Actor } from './actor.ts'
import type { Origin } from './audit.ts'
import { ApiFault } from './fault.ts'
import { parseInput, parseQuery } from './input.ts'
import type { Parts } from './parts.ts'
import { addressedOrganisation, requireRole } from './scope.ts'
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
  readonly request: FastifyRequest
  /** For cookies and headers; the body is what the handler returns. */
  readonly reply: FastifyReply
}

type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined
type Answer<R extends Route> = R['produces'] extends 'text/csv'
  ? AsyncIterable<string>
  : R['reply'] extends z.ZodType
    ? Camel<z.input<R['reply']>>
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
  const send = sender(parts, route)
  http.route({
    method: route.method,
    url: `/api${route.path}`,
    bodyLimit: bodyMaxBytes,
    handler: async (request, reply) => {
      try {
        const call = await receive(parts, route, request, reply)
        return send(reply, await handler(call))
      } catch (error) {
        if (error instanceof ApiFault) parts.inspect?.(route, { code: error.code })
        throw error
      }
    },
  })
}

/** The checks, in an order that tells nobody more than they may know: who, which organisation, which right, then what they sent. */
async function receive(parts: Parts, route: Route, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  const person = await whoCalls(parts, route, request)
  await requireOpen(parts, route, person)
  const params = route.params === undefined ? undefined : parseInput(route.params, request.params)
  const query = route.query === undefined ? undefined : parseQuery(route.query, request.query)
  const from = { address: request.ip, reference: request.id }

  const organisationId =
    person === null ? null : await addressedOrganisation(parts, route, { actor: person, params, query, body: request.body, from })
  const actor = person === null ? null : actingAs(person, await requireRole(parts, { route, actor: person, organisationId, from }))
  const body = route.body === undefined ? undefined : parseInput(route.body, request.body)
  return {
    store: parts.store,
    actor,
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

async function whoCalls(parts: Parts, route: Route, request: FastifyRequest): Promise<Actor | null> {
  // Whoever is to be let in as a visitor is one, whatever token the browser still sends along.
  if (route.allow === 'visitor') return null
  const [scheme, token] = request.headers.authorization?.split(' ') ?? []
  if (scheme?.toLowerCase() !== 'bearer' || token === undefined) throw new ApiFault('notSignedIn')
  return parts.sessions.read(token, route.passive === true ? 'passive' : 'active')
}

/** What the provider needs to get in while everybody else is kept out; whose session then begins is checked where it does. */
const waysIn = /^\/(?:auth|verify|reset-password|mailbox)(?:\/|$)|^\/registration\/captcha$/u

async function requireOpen({ settings }: Parts, route: Route, person: Actor | null): Promise<void> {
  const isFree = person === null ? waysIn.test(route.path) : person.providerRole !== null
  if (!isFree && (await settings.read()).MaintenanceMode) throw new ApiFault('maintained')
}

function sender(parts: Parts, route: Route): (reply: FastifyReply, answer: unknown) => FastifyReply {
  const { produces } = route
  if (produces !== undefined) {
    return (reply, answer) =>
      // Counted in bytes, so that a reader that is slow is not read ahead for.
      reply.type(`${produces}; charset=utf-8`).send(Readable.from(answer as AsyncIterable<string>, { objectMode: false }))
  }
  if (route.reply === undefined) return (reply) => reply.code(204).send()
  const encode = wireEncoder(route.reply)
  return (reply, answer) => {
    const encoded = encode(answer)
    parts.inspect?.(route, { answer, encoded })
    return reply
      .code(route.status ?? 200)
      .type('application/json; charset=utf-8')
      .send(JSON.stringify(encoded))
  }
}

function goneSignal(reply: FastifyReply): AbortSignal {
  const gone = new AbortController()
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) gone.abort()
  })
  return gone.signal
}
