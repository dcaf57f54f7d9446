/** Cin7 Core in make-believe: a real HTTP server with its pages, its limits, its errors and a company that goes on trading. */
import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { seeded } from '../random.ts'
import { dayMs, trialSize } from './company.ts'
import type { Company, Size } from './company.ts'
import { documents, lists } from './endpoints.ts'
import type { Listed, Query, World } from './endpoints.ts'
import { callLimits } from './limits.ts'
import type { Limits } from './limits.ts'
import { makeMishaps } from './injected-faults.ts'
import type { Mishap, Mishaps } from './injected-faults.ts'
import { companyRow } from './reference-documents.ts'
import { liveOn, makeCompany } from './trade.ts'
import type { Row } from './write.ts'

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
}

export interface Cin7Options {
  readonly clock: Clock
  readonly seed: number
  readonly size: 'trial' | Size
  readonly port?: number
  /** Other limits than Cin7's own 60 calls in 60 seconds with no known daily cap. */
  readonly limits?: Partial<{ calls: number; windowMs: number; daily: number }>
}

export interface SeenRequest {
  readonly at: number
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly status: number
}

export interface Cin7Simulator {
  /** The address that stands for https://inventory.dearsystems.com/ExternalApi/v2/. */
  readonly url: string
  readonly accountId: string
  readonly applicationKey: string
  readonly company: Company
  readonly requests: readonly SeenRequest[]
  /** Lets the company live one step on. */
  tick(): void
  /** Makes things go wrong. */
  readonly mishaps: Mishaps
  /** What a path answers now, all of it, without paging, limits and mishaps: a list's rows, or a document. */
  tell(path: string, query?: Query): readonly Row[]
  close(): Promise<void>
}

interface State extends World {
  readonly clock: Clock
  readonly accountId: string
  readonly applicationKey: string
  readonly limits: Limits
  readonly mishaps: Mishaps
  readonly requests: SeenRequest[]
}

interface Answer {
  readonly status: number
  readonly body: string
  readonly headers?: Readonly<Record<string, string>>
}

const prefix = '/externalapi/v2/'

export async function startCin7({ clock, seed, size, port = 0, limits }: Cin7Options): Promise<Cin7Simulator> {
  const ids = seeded(seed + 1)
  const state: State = {
    clock,
    company: makeCompany(seed, size === 'trial' ? trialSize : size, clock.now()),
    foundedAt: clock.now() - ((size === 'trial' ? undefined : size.days) ?? 110) * dayMs,
    accountId: ids.guid(),
    applicationKey: ids.guid(),
    limits: callLimits({ calls: 60, windowMs: 60_000, daily: Infinity, ...limits }),
    mishaps: makeMishaps(),
    requests: [],
  }
  const server = createServer((request, response) => serve(state, request, response))
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/ExternalApi/v2/`,
    accountId: state.accountId,
    applicationKey: state.applicationKey,
    company: state.company,
    requests: state.requests,
    tick: () => liveOn(state.company, clock.now()),
    mishaps: state.mishaps,
    tell: (path, query = {}) => tell(state, path.toLowerCase(), query),
    close: () => closeServer(server),
  }
}

function closeServer(server: Server): Promise<void> {
  server.closeAllConnections()
  return new Promise((resolve) => server.close(() => resolve()))
}

function serve(state: State, request: IncomingMessage, response: ServerResponse): void {
  const url = new URL(request.url ?? '/', 'http://simulator')
  const asked = askedBy(url)
  const path = asked.path ?? url.pathname
  const mishap = state.mishaps.next(path)
  const at = state.clock.now()
  const answer = spoilt(mishap, path, () => answerTo(state, request, asked))
  const zip = String(request.headers['accept-encoding']).includes('gzip')
  state.requests.push({ at, path, query: asked.query, status: isSilent(mishap) ? 0 : answer.status })
  deliver(mishap, response, (cut) => send(response, answer, { at, zip, cut }))
}

const isSilent = (mishap: Mishap | null): boolean => mishap?.kind === 'drop' || mishap?.kind === 'hang'

function deliver(mishap: Mishap | null, response: ServerResponse, answer: (cut: boolean) => void): void {
  if (mishap?.kind === 'drop') response.destroy()
  if (isSilent(mishap)) return
  if (mishap?.kind === 'slow') setTimeout(answer, mishap.waitMs, false)
  else answer(mishap?.kind === 'cut')
}

function spoilt(mishap: Mishap | null, path: string, answer: () => Answer): Answer {
  if (mishap?.kind === 'limit') return refusal(path)
  if (mishap?.reply !== undefined) return mishap.reply
  if (mishap?.reshape === undefined) return answer()
  const { body, ...rest } = answer()
  return { ...rest, body: JSON.stringify(mishap.reshape(JSON.parse(body))) }
}

function askedBy({ pathname, searchParams }: URL): Asked {
  const path = pathname.toLowerCase().startsWith(prefix) ? pathname.slice(prefix.length).toLowerCase() : null
  return { path, query: Object.fromEntries([...searchParams].map(([name, value]) => [name.toLowerCase(), value])) }
}

function send(response: ServerResponse, answer: Answer, how: { at: number; zip: boolean; cut: boolean }): void {
  const plain = Buffer.from(answer.body)
  const zipped = how.zip && plain.length > 1_000
  const body = zipped ? gzipSync(plain, { level: 1 }) : plain
  const type = answer.body.startsWith('<') ? 'text/html; charset=utf-8' : 'application/json; charset=utf-8'
  const head = {
    date: new Date(how.at).toUTCString(),
    'content-type': type,
    'content-length': String(body.length),
    ...(zipped && { 'content-encoding': 'gzip' }),
    ...answer.headers,
  }
  response.writeHead(answer.status, head)
  if (!how.cut) return void response.end(answer.status === 204 ? undefined : body)
  response.write(body.subarray(0, Math.ceil(body.length / 2)), () => response.destroy())
}

interface Asked {
  readonly path: string | null
  readonly query: Query
}

function answerTo(state: State, request: IncomingMessage, { path, query }: Asked): Answer {
  const { headers, method } = request
  if (path === null) return { status: 404, body: failure(404, 'Not found') }
  if (headers['api-auth-accountid'] !== state.accountId || headers['api-auth-applicationkey'] !== state.applicationKey)
    return { status: 403, body: failure(403, 'Incorrect credentials!') }
  if (state.limits.refuses(state.clock.now())) return refusal(path)
  if (method !== 'GET') return { status: 405, body: failure(405, 'Method not allowed') }
  if (path === 'me') return { status: 200, body: JSON.stringify(companyRow) }

  const document = documents[path]
  if (document !== undefined) return documentAnswer(document(state.company, query), path)
  const list = lists[path]
  if (list !== undefined) return listAnswer(state, list, query)
  return { status: 200, body: '<!DOCTYPE html><html><body><h1>Page not found</h1></body></html>' }
}

/** Purchases tell the limit under a status of their own. */
function refusal(path: string): Answer {
  const text = 'You have reached 60 calls per 60 seconds API limit.'
  return path.endsWith('purchase') ? { status: 400, body: failure(400, text) } : { status: 503, body: text }
}

function failure(code: number, text: string): string {
  return JSON.stringify([{ ErrorCode: code, Exception: text }])
}

function documentAnswer(row: Row | undefined, path: string): Answer {
  return row === undefined
    ? { status: 400, body: failure(400, `${path} with specified ID not found`) }
    : { status: 200, body: JSON.stringify(row) }
}

function listAnswer(state: State, list: Listed, query: Query): Answer {
  const page = Number(query['page'] ?? 1)
  const limit = Number(query['limit'] ?? 100)
  if (!Number.isInteger(page) || page < 1) return { status: 400, body: failure(400, 'Page must be a positive integer') }
  if (!Number.isInteger(limit) || limit < 1 || limit > 1_000)
    return { status: 400, body: failure(400, 'Limit must be between 1 and 1000') }

  const rows = rowsOf(state, list, query)
  const total = list.total === 'untold' ? {} : { Total: rows.length }
  return {
    status: 200,
    body: JSON.stringify({ Page: page, ...total, [list.key]: rows.slice((page - 1) * limit, page * limit) }),
  }
}

function rowsOf(state: State, list: Listed, query: Query): readonly Row[] {
  const { rows, since, hides, days } = list
  const from = since === undefined ? undefined : query[since]
  const changed = rows(state, from === undefined ? -Infinity : Date.parse(from))
  const shown =
    hides === undefined || query['includedeprecated'] === 'true'
      ? changed
      : changed.filter(({ Status }) => Status !== hides)
  const told = shown.map((row) => withoutUnasked(row, list, query))
  return days === undefined ? told : told.filter((row) => isWithin(String(row[days]), query))
}

function withoutUnasked(row: Row, { includes = {} }: Listed, query: Query): Row {
  const unasked = Object.entries(includes).flatMap(([parameter, keys]) => (query[parameter] === 'true' ? [] : keys))
  return unasked.length === 0 ? row : { ...row, ...Object.fromEntries(unasked.map((key) => [key, []])) }
}

/** Neither end is included. */
function isWithin(stamp: string, { fromdate = '', todate = '9' }: Query): boolean {
  return stamp > fromdate && stamp < todate
}

function tell(state: State, path: string, query: Query): readonly Row[] {
  const list = lists[path]
  if (list !== undefined) return rowsOf(state, { ...list, includes: {} }, { includedeprecated: 'true', ...query })
  const document = documents[path]?.(state.company, query)
  return document === undefined ? [] : [document]
}
