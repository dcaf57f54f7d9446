/** Receives calls, applies injected faults, and sends responses. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { apiAnswer, companyOf, limitAnswer } from './api.ts'
import type { XeroBooks, XeroCall } from './api.ts'
import { json, unauthorised } from './responses.ts'
import type { XeroResponse } from './responses.ts'
import type { XeroConsent } from '../oauth/grants.ts'
import type { XeroInjectedFault, XeroFaultQueue } from './injected-faults.ts'
import { authorise, connections, discovery, keySet, paths, token } from '../oauth/oauth.ts'
import type { XeroIdentity } from '../oauth/oauth.ts'
import type { XeroQueryParameters } from './query.ts'

export interface XeroLoggedRequest {
  readonly at: number
  readonly method: string
  /** `invoices`, `reports/trialbalance`, `connections`, `connect/token`. */
  readonly path: string
  readonly query: XeroQueryParameters
  /** 0 if no response was sent. */
  readonly status: number
  readonly tenantId: string | null
  /** The If-Modified-Since header. */
  readonly since: string | null
}

export interface XeroState extends XeroIdentity, XeroBooks {
  readonly companies: XeroBooks['companies']
  readonly grants: XeroBooks['grants']
  readonly now: () => number
  origin: string
  readonly faults: XeroFaultQueue
  readonly requests: XeroLoggedRequest[]
}

export const apiPrefix = '/api.xro/2.0/'

interface XeroRequest {
  readonly method: string
  readonly url: URL
  /** The path under which injected faults and the request log know it. */
  readonly path: string
  readonly form: URLSearchParams
  readonly isApi: boolean
  readonly call: XeroCall
}

export async function serve(state: XeroState, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const parsedRequest = parseRequest(state, request, await bodyOf(request))
  const { call, path, method } = parsedRequest
  const fault = state.faults.next(path)
  const tenantId = parsedRequest.isApi ? (companyOf(state, call)?.tenantId ?? null) : null
  const at = state.now()
  if (tenantId !== null) {
    state.limits.enter(tenantId)
    response.once('close', () => state.limits.leave(tenantId))
  }
  const answer = applyFault(fault, () => answerTo(state, parsedRequest))
  const since = request.headers['if-modified-since'] ?? null
  const status = isSilent(fault) ? 0 : answer.status
  state.requests.push({ at, method, path, query: call.query, status, tenantId, since })
  const zip = String(request.headers['accept-encoding']).includes('gzip')
  deliver(fault, response, (cut) => send(response, answer, { at, zip, cut }))
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts).toString()
}

function parseRequest(state: XeroState, request: IncomingMessage, body: string): XeroRequest {
  const url = new URL(request.url ?? '/', state.origin)
  const method = request.method ?? 'GET'
  const isApi = url.pathname.startsWith(apiPrefix)
  const path = url.pathname.slice(isApi ? apiPrefix.length : 1).toLowerCase()
  const query = Object.fromEntries([...url.searchParams].map(([name, value]) => [name.toLowerCase(), value]))
  const call: XeroCall = { method, path, query, headers: request.headers, consent: consentOf(state, request) }
  return { method, url, path, form: new URLSearchParams(body), isApi, call }
}

function consentOf({ grants }: XeroState, { headers }: IncomingMessage): XeroConsent | null {
  const [scheme, given = ''] = (headers.authorization ?? '').split(' ')
  return scheme === 'Bearer' ? grants.consentOf(given) : null
}

function answerTo(state: XeroState, { url, method, form, isApi, call }: XeroRequest): XeroResponse {
  const { pathname } = url
  if (isApi) return apiAnswer(state, call)
  if (pathname === paths.authorise) return authorise(state, method, method === 'POST' ? form : url.searchParams)
  if (pathname === paths.token && method === 'POST') return token(state, call.headers.authorization, form)
  if (pathname === paths.discovery) return discovery(state)
  if (pathname === paths.keys) return keySet()
  if (pathname === paths.connections || pathname.startsWith(`${paths.connections}/`))
    return connectionsAnswer(state, call, url)
  return json(404, { Title: 'Not found', Status: 404 })
}

function connectionsAnswer(state: XeroState, { consent, method }: XeroCall, url: URL): XeroResponse {
  if (consent === null) return unauthorised('TokenExpired: token expired')
  const { problem, waitMs, headers } = state.limits.take(state.now(), consent.clientId, null)
  if (problem !== null) {
    state.beyondLimits += 1
    return limitAnswer(problem, waitMs)
  }
  const answer = connections(state, consent, method, url)
  return { ...answer, headers: { ...answer.headers, ...headers } }
}

function applyFault(fault: XeroInjectedFault | null, answer: () => XeroResponse): XeroResponse {
  if (fault?.kind === 'drop') return { status: 0, body: '' }
  if (fault?.kind === 'limit') return limitAnswer(fault.problem ?? 'minute', fault.waitMs ?? 1_000)
  if (fault?.reply !== undefined) return fault.reply
  const made = answer()
  return fault?.reshape === undefined ? made : { ...made, body: JSON.stringify(fault.reshape(JSON.parse(made.body))) }
}

const isBroken = (fault: XeroInjectedFault | null): boolean => fault?.kind === 'drop' || fault?.kind === 'lostAnswer'
const isSilent = (fault: XeroInjectedFault | null): boolean => isBroken(fault) || fault?.kind === 'hang'

function deliver(fault: XeroInjectedFault | null, response: ServerResponse, answer: (cut: boolean) => void): void {
  if (isBroken(fault)) response.destroy()
  if (isSilent(fault)) return
  if (fault?.kind === 'slow') setTimeout(answer, fault.waitMs, false)
  else answer(fault?.kind === 'cut')
}

function send(response: ServerResponse, answer: XeroResponse, how: { at: number; zip: boolean; cut: boolean }): void {
  const plain = Buffer.from(answer.body)
  const zipped = how.zip && plain.length > 1_000
  const body = zipped ? gzipSync(plain, { level: 1 }) : plain
  response.writeHead(answer.status, {
    date: new Date(how.at).toUTCString(),
    'content-length': String(body.length),
    ...(zipped && { 'content-encoding': 'gzip' }),
    ...answer.headers,
  })
  if (!how.cut) return void response.end(body)
  response.write(body.subarray(0, Math.ceil(body.length / 2)), () => response.destroy())
}
