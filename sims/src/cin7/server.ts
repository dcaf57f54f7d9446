/** Simulated Cin7 Core: an HTTP server with its pages, limits and errors, and a company that keeps trading. */
import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { createRandom } from '../random.ts'
import { dayMs, trialSize } from './company.ts'
import type { Cin7Company, Cin7CompanySize } from './company.ts'
import { documents, lists } from './endpoints.ts'
import type { Cin7List, Cin7Query, Cin7World } from './endpoints.ts'
import { callLimits } from './limits.ts'
import type { Cin7Limits } from './limits.ts'
import { createFaults } from './injected-faults.ts'
import type { Cin7InjectedFault, Cin7FaultQueue } from './injected-faults.ts'
import { companyRow } from './reference-documents.ts'
import { simulateStep, makeCompany } from './trade.ts'
import type { Cin7Row } from './value-format.ts'

export interface Cin7Clock {
  /** Milliseconds since 1970. */
  now(): number
}

export interface Cin7SimulatorOptions {
  readonly clock: Cin7Clock
  readonly seed: number
  readonly size: 'trial' | Cin7CompanySize
  readonly port?: number
  /** Overrides Cin7's own 60 calls in 60 seconds without a daily limit. */
  readonly limits?: Partial<{ calls: number; windowMs: number; daily: number }>
}

export interface Cin7LoggedRequest {
  readonly at: number
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly status: number
}

export interface Cin7Simulator {
  /** Replaces https://inventory.dearsystems.com/ExternalApi/v2/. */
  readonly url: string
  readonly accountId: string
  readonly applicationKey: string
  readonly company: Cin7Company
  readonly requests: readonly Cin7LoggedRequest[]
  /** Simulates one step of the company's activity. */
  tick(): void
  /** Fault injection. */
  readonly faults: Cin7FaultQueue
  /** All current rows of a list, or a document, without paging, limits and injected faults. */
  readRows(path: string, query?: Cin7Query): readonly Cin7Row[]
  close(): Promise<void>
}

interface Cin7State extends Cin7World {
  readonly clock: Cin7Clock
  readonly accountId: string
  readonly applicationKey: string
  readonly limits: Cin7Limits
  readonly faults: Cin7FaultQueue
  readonly requests: Cin7LoggedRequest[]
}

interface Cin7Response {
  readonly status: number
  readonly body: string
  readonly headers?: Readonly<Record<string, string>>
}

const prefix = '/externalapi/v2/'

export async function startCin7({ clock, seed, size, port = 0, limits }: Cin7SimulatorOptions): Promise<Cin7Simulator> {
  const ids = createRandom(seed + 1)
  const state: Cin7State = {
    clock,
    company: makeCompany(seed, size === 'trial' ? trialSize : size, clock.now()),
    foundedAt: clock.now() - ((size === 'trial' ? undefined : size.days) ?? 110) * dayMs,
    accountId: ids.guid(),
    applicationKey: ids.guid(),
    limits: callLimits({ calls: 60, windowMs: 60_000, daily: Infinity, ...limits }),
    faults: createFaults(),
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
    tick: () => simulateStep(state.company, clock.now()),
    faults: state.faults,
    readRows: (path, query = {}) => readRows(state, path.toLowerCase(), query),
    close: () => closeServer(server),
  }
}

function closeServer(server: Server): Promise<void> {
  server.closeAllConnections()
  return new Promise((resolve) => server.close(() => resolve()))
}

function serve(state: Cin7State, request: IncomingMessage, response: ServerResponse): void {
  const url = new URL(request.url ?? '/', 'http://simulator')
  const parsedRequest = parseRequest(url)
  const path = parsedRequest.path ?? url.pathname
  const fault = state.faults.next(path)
  const at = state.clock.now()
  const answer = applyFault(fault, path, () => answerTo(state, request, parsedRequest))
  const zip = String(request.headers['accept-encoding']).includes('gzip')
  state.requests.push({ at, path, query: parsedRequest.query, status: isSilent(fault) ? 0 : answer.status })
  deliver(fault, response, (cut) => send(response, answer, { at, zip, cut }))
}

const isSilent = (fault: Cin7InjectedFault | null): boolean => fault?.kind === 'drop' || fault?.kind === 'hang'

function deliver(fault: Cin7InjectedFault | null, response: ServerResponse, answer: (cut: boolean) => void): void {
  if (fault?.kind === 'drop') response.destroy()
  if (isSilent(fault)) return
  if (fault?.kind === 'slow') setTimeout(answer, fault.waitMs, false)
  else answer(fault?.kind === 'cut')
}

function applyFault(fault: Cin7InjectedFault | null, path: string, answer: () => Cin7Response): Cin7Response {
  if (fault?.kind === 'limit') return refusal(path)
  if (fault?.reply !== undefined) return fault.reply
  if (fault?.reshape === undefined) return answer()
  const { body, ...rest } = answer()
  return { ...rest, body: JSON.stringify(fault.reshape(JSON.parse(body))) }
}

function parseRequest({ pathname, searchParams }: URL): Cin7Request {
  const path = pathname.toLowerCase().startsWith(prefix) ? pathname.slice(prefix.length).toLowerCase() : null
  return { path, query: Object.fromEntries([...searchParams].map(([name, value]) => [name.toLowerCase(), value])) }
}

function send(response: ServerResponse, answer: Cin7Response, how: { at: number; zip: boolean; cut: boolean }): void {
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

interface Cin7Request {
  readonly path: string | null
  readonly query: Cin7Query
}

function answerTo(state: Cin7State, request: IncomingMessage, { path, query }: Cin7Request): Cin7Response {
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

/** Purchases report the limit under a status of their own. */
function refusal(path: string): Cin7Response {
  const text = 'You have reached 60 calls per 60 seconds API limit.'
  return path.endsWith('purchase') ? { status: 400, body: failure(400, text) } : { status: 503, body: text }
}

function failure(code: number, text: string): string {
  return JSON.stringify([{ ErrorCode: code, Exception: text }])
}

function documentAnswer(row: Cin7Row | undefined, path: string): Cin7Response {
  return row === undefined
    ? { status: 400, body: failure(400, `${path} with specified ID not found`) }
    : { status: 200, body: JSON.stringify(row) }
}

function listAnswer(state: Cin7State, list: Cin7List, query: Cin7Query): Cin7Response {
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

function rowsOf(state: Cin7State, list: Cin7List, query: Cin7Query): readonly Cin7Row[] {
  const { rows, since, hides, days } = list
  const from = since === undefined ? undefined : query[since]
  const changed = rows(state, from === undefined ? -Infinity : Date.parse(from))
  const shown =
    hides === undefined || query['includedeprecated'] === 'true'
      ? changed
      : changed.filter(({ Status }) => Status !== hides)
  const visible = shown.map((row) => emptyUnrequestedLists(row, list, query))
  return days === undefined ? visible : visible.filter((row) => isWithin(String(row[days]), query))
}

function emptyUnrequestedLists(row: Cin7Row, { includes = {} }: Cin7List, query: Cin7Query): Cin7Row {
  const unrequestedKeys = Object.entries(includes).flatMap(([parameter, keys]) =>
    query[parameter] === 'true' ? [] : keys,
  )
  return unrequestedKeys.length === 0 ? row : { ...row, ...Object.fromEntries(unrequestedKeys.map((key) => [key, []])) }
}

/** Both bounds are exclusive. */
function isWithin(stamp: string, { fromdate = '', todate = '9' }: Cin7Query): boolean {
  return stamp > fromdate && stamp < todate
}

function readRows(state: Cin7State, path: string, query: Cin7Query): readonly Cin7Row[] {
  const list = lists[path]
  if (list !== undefined) return rowsOf(state, { ...list, includes: {} }, { includedeprecated: 'true', ...query })
  const document = documents[path]?.(state.company, query)
  return document === undefined ? [] : [document]
}
