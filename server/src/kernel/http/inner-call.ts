/**
 * Calls a route of the contract within the server, on behalf of a caller who is authenticated already. The call passes every check of
 * a request over the network except authentication, and is counted once, by the request that causes it.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Route } from '@tributary/contract/route'
import type { FastifyInstance } from 'fastify'
import type * as z from 'zod'
import type { Actor } from './actor.ts'

const callers = new AsyncLocalStorage<Actor>()

/** The caller of the inner call that is being handled. Undefined for a request over the network, which cannot set it. */
export function innerCaller(): Actor | undefined {
  return callers.getStore()
}

export interface InnerCall {
  readonly actor: Actor
  /** The network address of the request that causes the call. */
  readonly address: string
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
}

/** The reply of a route that refused an inner call: a fault of the contract. */
export class InnerCallRefused extends Error {
  override readonly name = 'InnerCallRefused'
  readonly code: string
  readonly statusCode: number

  constructor({ code, message, statusCode }: { code: string; message: string; statusCode: number }) {
    super(message)
    this.code = code
    this.statusCode = statusCode
  }
}

type WireReply<R extends Route> = R['reply'] extends z.ZodType ? z.output<R['reply']> : undefined

/** Returns the body by the names of the contract. Throws `InnerCallRefused`. */
export async function callRoute<const R extends Route>(
  http: FastifyInstance,
  route: R,
  { actor, address, params = {}, query = {} }: InnerCall,
): Promise<WireReply<R>> {
  const path = route.path.replaceAll(/:(\w+)/gu, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const request = { method: route.method, url: `/api${path}`, query: { ...query }, remoteAddress: address }
  // Awaited within: the request is sent when its promise is awaited.
  const reply = await callers.run(actor, async () => await http.inject(request))
  const body: unknown = reply.json()
  if (reply.statusCode >= 400) throw new InnerCallRefused(body as ConstructorParameters<typeof InnerCallRefused>[0])
  return body as WireReply<R>
}
