/** A simulated Stripe account over HTTP: bearer keys, lists newest first, objects by id, events of 30 days, limits of calls. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createFaultQueue, type FaultQueue } from '../fault-queue.ts'
import { createRandom } from '../random.ts'
import { type Collection, collections, createAccount, type StripeAccount } from './account.ts'
import { openAccount, trade } from './activity.ts'
import { listReply, type StripeReply, stripeError, withRows } from './replies.ts'
import { closeServer, listen } from '../local-server.ts'

export type StripeFault = { readonly path?: string; readonly after?: number; readonly times?: number } & (
  | { readonly kind: 'status'; readonly status: number; readonly retryAfterSeconds?: number }
  | { readonly kind: 'drop' }
  | { readonly kind: 'cut' }
)

export interface StripeOptions {
  readonly clock: { now(): number }
  readonly seed: number
  /** How many things have happened before. */
  readonly size: number
  readonly port?: number
  readonly callsPerSecond?: number
  /** What happens before each reply, such as deletions while pages are read. */
  readonly beforeReply?: (account: StripeAccount, path: string) => void
}

export interface StripeSimulator {
  readonly url: string
  readonly key: string
  readonly account: StripeAccount
  readonly faults: FaultQueue<StripeFault>
  readonly requests: readonly { readonly target: string; readonly status: number }[]
  /** Paths that the key may not read. */
  readonly forbidden: Set<string>
  /** Some minutes of activity. */
  tick(): void
  close(): Promise<void>
}

export async function startStripe(options: StripeOptions): Promise<StripeSimulator> {
  const account = createAccount(createRandom(options.seed), options.clock)
  openAccount(account, options.size)
  const state: ServerState = {
    options,
    account,
    key: 'rk_test_51SimulatedKeyOfTributary',
    faults: createFaultQueue<StripeFault>(),
    requests: [],
    forbidden: new Set(),
    calls: [],
  }
  const server = createServer((request, response) => respond(state, request, response))
  await listen(server, options.port ?? 0)
  const { port } = server.address() as AddressInfo
  const { key, faults, requests, forbidden } = state
  return {
    url: `http://127.0.0.1:${port}/v1/`,
    key,
    account,
    faults,
    requests,
    forbidden,
    tick: () => trade(account, 4),
    close: () => closeServer(server),
  }
}

interface ServerState {
  readonly options: StripeOptions
  readonly account: StripeAccount
  readonly key: string
  readonly faults: FaultQueue<StripeFault>
  readonly requests: { target: string; status: number }[]
  readonly forbidden: Set<string>
  /** Moments of the calls of the last second. */
  calls: number[]
}

function respond(state: ServerState, request: IncomingMessage, response: ServerResponse): void {
  const { options, account, requests } = state
  const url = new URL(request.url ?? '/', 'http://localhost')
  const path = url.pathname.replace(/^\/v1\//u, '')
  options.beforeReply?.(account, path)
  const fault = state.faults.next(path)
  if (fault?.kind === 'drop') return void response.destroy()
  const reply = fault?.kind === 'status' ? failure(fault) : answer(state, request, { url, path })
  requests.push({ target: url.pathname + url.search, status: reply.status })
  const body = JSON.stringify(reply.body)
  response.sendDate = false
  response.writeHead(reply.status, {
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    date: new Date(options.clock.now()).toUTCString(),
    'request-id': `req_${requests.length}`,
    ...reply.headers,
  })
  if (fault?.kind !== 'cut') return void response.end(body)
  response.write(body.slice(0, Math.floor(body.length / 2)), () => response.destroy())
}

function failure({ status, retryAfterSeconds }: StripeFault & { readonly kind: 'status' }): StripeReply {
  const headers = retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }
  return { ...stripeError(status, status === 429 ? 'rate_limit' : 'api_error', 'Try again.'), headers }
}

interface Question {
  readonly url: URL
  readonly path: string
}

function answer(state: ServerState, { method, headers }: IncomingMessage, question: Question): StripeReply {
  const { key, options, forbidden } = state
  const given = headers.authorization?.replace(/^Bearer /u, '') ?? ''
  if (given !== key) return stripeError(401, null, `Invalid API Key provided: ${given.slice(0, 8)}****`)
  if (method !== 'GET') return stripeError(405, null, 'This simulator is only read.')
  if (headers['stripe-version'] !== '2026-10-28.endive') return stripeError(400, null, 'Name the version of the API.')
  const now = options.clock.now()
  state.calls = [...state.calls.filter((at) => at > now - 1_000), now]
  if (state.calls.length > (options.callsPerSecond ?? 25))
    return { ...stripeError(429, 'rate_limit', 'Too many requests.'), headers: { 'retry-after': '1' } }
  const [name = '', ...rest] = question.path.split('/')
  if (forbidden.has(name))
    return stripeError(403, null, `The provided key does not have the required permissions for ${name}.`)
  return answerObjects(state, question, name, rest)
}

function answerObjects(
  { account, options }: ServerState,
  { url }: Question,
  name: string,
  [id, list]: readonly string[],
): StripeReply {
  if (name === 'account') return { status: 200, body: { id: 'acct_1Simulated', object: 'account' } }
  if (name === 'balance') return { status: 200, body: { object: 'balance', livemode: false, available: [] } }
  if (name === 'events') {
    const oldest = options.clock.now() / 1_000 - 30 * 86_400
    return listReply(
      url,
      account.events.filter(({ created = 0 }) => created >= oldest),
    )
  }
  if (name === 'subscription_items')
    return listReply(url, account.rowsOf(url.searchParams.get('subscription') ?? ''), false)
  const collection = collections.find((known) => known === name)
  if (collection === undefined) return stripeError(404, null, `Unrecognized request URL (GET: ${url.pathname}).`)
  return id === undefined ? answerList(account, url, collection) : answerObject(account, url, collection, [id, list])
}

function answerList(account: StripeAccount, url: URL, collection: Collection): StripeReply {
  const all = account.all(collection)
  const isEverything = collection !== 'subscriptions' || url.searchParams.get('status') === 'all'
  const found = isEverything ? all : all.filter(({ status }) => status !== 'canceled')
  return listReply(url, found, true, (object) => withRows(account, object))
}

function answerObject(
  account: StripeAccount,
  url: URL,
  collection: Collection,
  [id, list]: readonly [string, string | undefined],
): StripeReply {
  const object = account.find(collection, decodeURIComponent(id))
  if (object !== undefined)
    return list === 'lines'
      ? listReply(url, account.rowsOf(object.id), false)
      : { status: 200, body: withRows(account, object) }
  // Of deleted customers Stripe says that they were deleted; others are unknown.
  if (collection === 'customers' && list === undefined && account.isDeleted(id))
    return { status: 200, body: { id, object: 'customer', deleted: true } }
  return stripeError(404, 'resource_missing', `No such object: '${id}'`, 'id')
}
