/**
 * Simulated Uniconta OData API: an HTTP server with sign-in, metadata, filters, pages and errors, and companies that
 * keep trading.
 */
import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { respondTo } from './responses.ts'
import type { UnicontaResponse, UnicontaWorld } from './responses.ts'
import { trialSize } from './company.ts'
import type { SimulatedUnicontaCompany, UnicontaCompanySize } from './company.ts'
import { simulateStep, makeCompany, removeSome } from './trade.ts'

export interface UnicontaClock {
  /** Milliseconds since 1970. */
  now(): number
}

export interface UnicontaSimulatorOptions {
  readonly clock: UnicontaClock
  readonly seed: number
  readonly size: 'trial' | UnicontaCompanySize
  /** Number of companies that the login sees; default 2. */
  readonly companies?: number
  /** Rows per page. */
  readonly pageSize?: number
  readonly port?: number
}

/**
 * A fault of the next call or, with `at`, of the next call whose path and query contain it.
 * `hang` never responds, `cut` stops halfway, `slow` responds after `waitMs`, `limit` refuses with a Retry-After.
 */
export interface UnicontaInjectedFault {
  readonly kind: 'drop' | 'cut' | 'hang' | 'slow' | 'limit' | 'reply'
  readonly at?: string
  readonly waitMs?: number
  /** Only for `limit`; default 429. */
  readonly status?: 429 | 503
  /** Only for `reply`: replaces the response. */
  readonly reply?: {
    readonly status: number
    readonly body: string
    readonly headers?: Readonly<Record<string, string>>
  }
}

export interface UnicontaLoggedRequest {
  readonly at: number
  /** Decoded path and query below the base address: `4415/GLTransClient?$top=1`. */
  readonly target: string
  /** The host as the caller named it. */
  readonly host: string
  readonly status: number
}

export interface UnicontaSimulator {
  /** Replaces https://odata.uniconta.com/odata/. */
  readonly url: string
  readonly username: string
  password: string
  readonly companies: readonly SimulatedUnicontaCompany[]
  /** Sets that the login may not read, in any company. */
  readonly forbidden: Set<string>
  readonly requests: readonly UnicontaLoggedRequest[]
  /** Simulates one step of every company's activity. */
  tick(): void
  /** Removes some rows. */
  remove(): void
  /** Makes the next calls fail, in this order. */
  injectFaults(...faults: readonly UnicontaInjectedFault[]): void
  close(): Promise<void>
}

interface UnicontaState extends UnicontaWorld {
  readonly clock: UnicontaClock
  readonly forbidden: Set<string>
  readonly faults: UnicontaInjectedFault[]
  readonly requests: UnicontaLoggedRequest[]
}

const prefix = '/odata/'

export async function startUniconta(options: UnicontaSimulatorOptions): Promise<UnicontaSimulator> {
  const { clock, seed, size, companies = 2, pageSize = 500, port = 0 } = options
  const sized = size === 'trial' ? trialSize : size
  const state: UnicontaState = {
    clock,
    companies: Array.from({ length: companies }, (_, place) =>
      makeCompany(seed, place, place === 0 ? sized : smallerSize(sized), clock.now()),
    ),
    login: { username: 'tributary', password: 'nordlys-demo-word' },
    forbidden: new Set(),
    pageSize,
    faults: [],
    requests: [],
  }
  const server = createServer((request, response) => serve(state, request, response))
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${prefix}`,
    username: state.login.username,
    get password() {
      return state.login.password
    },
    set password(next) {
      state.login.password = next
    },
    companies: state.companies,
    forbidden: state.forbidden,
    requests: state.requests,
    tick: () => state.companies.forEach((company) => simulateStep(company, clock.now())),
    remove: () => state.companies.forEach(removeSome),
    injectFaults: (...faults) => void state.faults.push(...faults),
    close: () => closeServer(server),
  }
}

/** Further companies are smaller than the first. */
function smallerSize(size: UnicontaCompanySize): UnicontaCompanySize {
  return {
    ...size,
    customers: Math.ceil(size.customers / 2),
    invoices: Math.ceil(size.invoices / 2),
    orders: Math.ceil(size.orders / 2),
  }
}

function closeServer(server: Server): Promise<void> {
  server.closeAllConnections()
  return new Promise((resolve) => server.close(() => resolve()))
}

function serve(state: UnicontaState, request: IncomingMessage, response: ServerResponse): void {
  const url = new URL(request.url ?? '/', 'http://simulator')
  const path = decodeURIComponent(url.pathname.slice(prefix.length))
  const target = path + decodeURIComponent(url.search.replaceAll('+', ' '))
  const fault = takeFault(state, target)
  const at = state.clock.now()
  const answer =
    applyFault(fault) ??
    respondTo(state, { path: url.pathname.startsWith(prefix) ? path : null, url, headers: request.headers })
  const isSilent = fault?.kind === 'drop' || fault?.kind === 'hang'
  state.requests.push({ at, target, host: request.headers.host ?? '', status: isSilent ? 0 : answer.status })
  if (fault?.kind === 'drop') response.destroy()
  if (isSilent) return
  const zip = String(request.headers['accept-encoding']).includes('gzip')
  setTimeout(() => send(response, answer, { at, zip, cut: fault?.kind === 'cut' }), delayOf(fault))
}

function delayOf(fault: UnicontaInjectedFault | undefined): number {
  return fault?.kind === 'slow' ? (fault.waitMs ?? 0) : 0
}

function takeFault({ faults }: UnicontaState, target: string): UnicontaInjectedFault | undefined {
  const at = faults.findIndex((fault) => fault.at === undefined || target.includes(fault.at))
  return at === -1 ? undefined : faults.splice(at, 1)[0]
}

function applyFault(fault: UnicontaInjectedFault | undefined): UnicontaResponse | undefined {
  if (fault?.kind !== 'limit') return fault?.reply
  const headers = fault.waitMs === undefined ? {} : { 'retry-after': String(Math.ceil(fault.waitMs / 1_000)) }
  return { status: fault.status ?? 429, body: '{"error":{"message":"Too many calls."}}', headers }
}

function send(
  response: ServerResponse,
  answer: UnicontaResponse,
  how: { at: number; zip: boolean; cut: boolean },
): void {
  const plain = Buffer.from(answer.body)
  const zipped = how.zip && plain.length > 1_000
  const body = zipped ? gzipSync(plain, { level: 1 }) : plain
  const head = {
    date: new Date(how.at).toUTCString(),
    'content-type': contentType(answer.body),
    'content-length': String(body.length),
    ...(zipped && { 'content-encoding': 'gzip' }),
    ...answer.headers,
  }
  response.writeHead(answer.status, head)
  if (!how.cut) return void response.end(body)
  response.write(body.subarray(0, Math.ceil(body.length / 2)), () => response.destroy())
}

function contentType(body: string): string {
  if (body.startsWith('<?xml')) return 'application/xml; charset=utf-8'
  return body.startsWith('<') ? 'text/html; charset=utf-8' : 'application/json; charset=utf-8'
}
