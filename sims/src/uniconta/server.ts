/** Uniconta's OData interface in make-believe: a real HTTP server with sign-in, metadata, filters, pages, errors and companies that go on trading. */
import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { answerTo } from './answers.ts'
import type { Answer, World } from './answers.ts'
import { trialSize } from './company.ts'
import type { Company, Size } from './company.ts'
import { liveOn, makeCompany, removeSome } from './trade.ts'

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
}

export interface UnicontaOptions {
  readonly clock: Clock
  readonly seed: number
  readonly size: 'trial' | Size
  /** How many companies the login sees; two, unless told otherwise. */
  readonly companies?: number
  /** Rows on a page before a link to the next one. */
  readonly pageSize?: number
  readonly port?: number
}

/**
 * What goes wrong with the next call, or with the next whose path and query hold `at`. `hang` never answers, `cut` stops half
 * way, `slow` answers after `waitMs`, `limit` refuses and says for how long.
 */
export interface Mishap {
  readonly kind: 'drop' | 'cut' | 'hang' | 'slow' | 'limit' | 'reply'
  readonly at?: string
  readonly waitMs?: number
  /** Only for `limit`; 429 unless told otherwise. */
  readonly status?: 429 | 503
  /** Only for `reply`: sent in place of the answer. */
  readonly reply?: {
    readonly status: number
    readonly body: string
    readonly headers?: Readonly<Record<string, string>>
  }
}

export interface SeenRequest {
  readonly at: number
  /** Below the address, with its query, decoded: `4415/GLTransClient?$top=1`. */
  readonly asked: string
  /** As the caller named it. */
  readonly host: string
  readonly status: number
}

export interface UnicontaSimulator {
  /** The address that stands for https://odata.uniconta.com/odata/. */
  readonly url: string
  readonly username: string
  password: string
  readonly companies: readonly Company[]
  /** Sets that the login may not read, in any company. */
  readonly forbidden: Set<string>
  readonly requests: readonly SeenRequest[]
  /** Lets every company live one step on. */
  tick(): void
  /** Takes some rows away. */
  remove(): void
  /** Spoils calls to come, in this order. */
  spoil(...mishaps: readonly Mishap[]): void
  close(): Promise<void>
}

interface State extends World {
  readonly clock: Clock
  readonly forbidden: Set<string>
  readonly mishaps: Mishap[]
  readonly requests: SeenRequest[]
}

const prefix = '/odata/'

export async function startUniconta(options: UnicontaOptions): Promise<UnicontaSimulator> {
  const { clock, seed, size, companies = 2, pageSize = 500, port = 0 } = options
  const sized = size === 'trial' ? trialSize : size
  const state: State = {
    clock,
    companies: Array.from({ length: companies }, (_, place) =>
      makeCompany(seed, place, place === 0 ? sized : halved(sized), clock.now()),
    ),
    login: { username: 'tributary', password: 'nordlys-demo-word' },
    forbidden: new Set(),
    pageSize,
    mishaps: [],
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
    tick: () => state.companies.forEach((company) => liveOn(company, clock.now())),
    remove: () => state.companies.forEach(removeSome),
    spoil: (...mishaps) => void state.mishaps.push(...mishaps),
    close: () => closeServer(server),
  }
}

/** Further companies are smaller than the first. */
function halved(size: Size): Size {
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

function serve(state: State, request: IncomingMessage, response: ServerResponse): void {
  const url = new URL(request.url ?? '/', 'http://simulator')
  const path = decodeURIComponent(url.pathname.slice(prefix.length))
  const asked = path + decodeURIComponent(url.search.replaceAll('+', ' '))
  const mishap = takeMishap(state, asked)
  const at = state.clock.now()
  const answer =
    spoilt(mishap) ??
    answerTo(state, { path: url.pathname.startsWith(prefix) ? path : null, url, headers: request.headers })
  const isSilent = mishap?.kind === 'drop' || mishap?.kind === 'hang'
  state.requests.push({ at, asked, host: request.headers.host ?? '', status: isSilent ? 0 : answer.status })
  if (mishap?.kind === 'drop') response.destroy()
  if (isSilent) return
  const zip = String(request.headers['accept-encoding']).includes('gzip')
  setTimeout(() => send(response, answer, { at, zip, cut: mishap?.kind === 'cut' }), delayOf(mishap))
}

function delayOf(mishap: Mishap | undefined): number {
  return mishap?.kind === 'slow' ? (mishap.waitMs ?? 0) : 0
}

function takeMishap({ mishaps }: State, asked: string): Mishap | undefined {
  const at = mishaps.findIndex((mishap) => mishap.at === undefined || asked.includes(mishap.at))
  return at === -1 ? undefined : mishaps.splice(at, 1)[0]
}

function spoilt(mishap: Mishap | undefined): Answer | undefined {
  if (mishap?.kind !== 'limit') return mishap?.reply
  const headers = mishap.waitMs === undefined ? {} : { 'retry-after': String(Math.ceil(mishap.waitMs / 1_000)) }
  return { status: mishap.status ?? 429, body: '{"error":{"message":"Too many calls."}}', headers }
}

function send(response: ServerResponse, answer: Answer, how: { at: number; zip: boolean; cut: boolean }): void {
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
