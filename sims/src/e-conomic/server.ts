/** A simulated e-conomic over HTTP: two tokens, numbered pages of collections, filters and orders only by what the documentation names. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createFaultQueue, type FaultQueue } from '../fault-queue.ts'
import { createRandom } from '../random.ts'
import { openAgreement, trade } from './activity.ts'
import { type Agreement, createAgreement } from './agreement.ts'
import { findCollection, invoiceDocument } from './collections.ts'
import { toJson } from './money.ts'
import type { EconomicRecord } from './records.ts'
import { collectionReply, type EconomicReply, refusal } from './replies.ts'
import { closeServer, listen } from '../local-server.ts'

export type EconomicFault = { readonly path?: string; readonly after?: number; readonly times?: number } & (
  | { readonly kind: 'status'; readonly status: number; readonly retryAfterSeconds?: number }
  | { readonly kind: 'drop' }
  | { readonly kind: 'cut' }
)

export interface EconomicOptions {
  readonly clock: { now(): number }
  readonly seed: number
  /** How many vouchers were booked before. */
  readonly size: number
  readonly port?: number
  /** Gives smaller pages than asked for. */
  readonly pageSizeMax?: number
  /** What happens before each reply, such as bookings while pages are read. */
  readonly beforeReply?: (agreement: Agreement, path: string) => void
}

export interface EconomicSimulator {
  readonly url: string
  readonly appSecret: string
  readonly agreementGrant: string
  readonly agreement: Agreement
  readonly faults: FaultQueue<EconomicFault>
  readonly requests: readonly { readonly target: string; readonly status: number }[]
  /** Paths that the app may not read. */
  readonly forbidden: Set<string>
  /** Some minutes of activity. */
  tick(): void
  close(): Promise<void>
}

export async function startEconomic(options: EconomicOptions): Promise<EconomicSimulator> {
  const agreement = createAgreement(createRandom(options.seed), options.clock)
  openAgreement(agreement, options.size)
  const state: ServerState = {
    options,
    agreement,
    faults: createFaultQueue<EconomicFault>(),
    requests: [],
    forbidden: new Set(),
  }
  const server = createServer((request, response) => respond(state, request, response))
  await listen(server, options.port ?? 0)
  const { faults, requests, forbidden } = state
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    ...tokens,
    agreement,
    faults,
    requests,
    forbidden,
    tick: () => trade(agreement, 3),
    close: () => closeServer(server),
  }
}

const tokens = { appSecret: 'SimulatedAppSecret1', agreementGrant: 'SimulatedAgreementGrant1' } as const

interface ServerState {
  readonly options: EconomicOptions
  readonly agreement: Agreement
  readonly faults: FaultQueue<EconomicFault>
  readonly requests: { target: string; status: number }[]
  readonly forbidden: Set<string>
}

function respond(state: ServerState, request: IncomingMessage, response: ServerResponse): void {
  const { options, agreement, requests } = state
  const url = new URL(request.url ?? '/', `http://${request.headers.host ?? 'localhost'}`)
  const path = url.pathname.slice(1)
  options.beforeReply?.(agreement, path)
  const fault = state.faults.next(path)
  if (fault?.kind === 'drop') return void response.destroy()
  const reply = fault?.kind === 'status' ? failure(fault) : answer(state, request, url)
  requests.push({ target: url.pathname + url.search, status: reply.status })
  const body = toJson(reply.body)
  response.sendDate = false
  response.writeHead(reply.status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    date: new Date(options.clock.now()).toUTCString(),
    ...reply.headers,
  })
  if (fault?.kind !== 'cut') return void response.end(body)
  response.write(body.slice(0, Math.floor(body.length / 2)), () => response.destroy())
}

function failure({ status, retryAfterSeconds }: EconomicFault & { readonly kind: 'status' }): EconomicReply {
  const headers = retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }
  return { ...refusal(status, 'Try again.'), headers }
}

function answer(state: ServerState, { method, headers }: IncomingMessage, url: URL): EconomicReply {
  const { agreement, forbidden, options } = state
  const path = url.pathname.slice(1)
  const isKnown =
    headers['x-appsecrettoken'] === tokens.appSecret && headers['x-agreementgranttoken'] === tokens.agreementGrant
  if (!isKnown) return refusal(401, 'The tokens are not valid.')
  if (method !== 'GET') return refusal(405, 'This simulator is only read.')
  if (headers['content-type'] !== 'application/json') return refusal(415, 'Only JSON is spoken here.')
  if (forbidden.has(path)) return refusal(403, 'The app lacks the role.')
  const { origin } = url
  if (path === 'self') return { status: 200, body: selfOf(agreement, origin) }
  const [, number] = /^invoices\/booked\/(\d+)$/u.exec(path) ?? []
  const invoice = agreement.invoices.find((one) => String(one.number) === number)
  if (invoice !== undefined) return { status: 200, body: invoiceDocument(origin, invoice) }
  const collection = findCollection(agreement, origin, path)
  return collection === undefined ? refusal(404, 'Not found.') : collectionReply(url, collection, options.pageSizeMax)
}

function selfOf({ number }: Agreement, origin: string): EconomicRecord {
  return {
    agreementNumber: number,
    company: {
      name: 'Ærø Møbler ApS',
      companyIdentificationNumber: '12345678',
      city: 'Ærøskøbing',
      country: 'Danmark',
    },
    settings: { baseCurrency: 'DKK' },
    signupDate: '2020-01-31',
    self: `${origin}/self`,
  }
}
