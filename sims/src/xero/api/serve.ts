/** Takes calls in, spoils those that are to go wrong, and sends the answers. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { apiAnswer, companyOf, limitAnswer } from './api.ts'
import type { Books, Call } from './api.ts'
import { json, unauthorised } from './answer.ts'
import type { Answer } from './answer.ts'
import type { Consent } from '../oauth/grants.ts'
import type { Mishap, Mishaps } from './injected-faults.ts'
import { authorise, connections, discovery, keySet, paths, token } from '../oauth/oauth.ts'
import type { Identity } from '../oauth/oauth.ts'
import type { Query } from './query.ts'

export interface SeenRequest {
  readonly at: number
  readonly method: string
  /** `invoices`, `reports/trialbalance`, `connections`, `connect/token`. */
  readonly path: string
  readonly query: Query
  /** 0 where nothing was answered. */
  readonly status: number
  readonly tenantId: string | null
  /** What If-Modified-Since said. */
  readonly since: string | null
}

export interface State extends Identity, Books {
  readonly companies: Books['companies']
  readonly grants: Books['grants']
  readonly now: () => number
  origin: string
  readonly mishaps: Mishaps
  readonly requests: SeenRequest[]
}

export const apiPrefix = '/api.xro/2.0/'

interface Asked {
  readonly method: string
  readonly url: URL
  /** As mishaps and the record of requests name it. */
  readonly path: string
  readonly form: URLSearchParams
  readonly isApi: boolean
  readonly call: Call
}

export async function serve(state: State, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const asked = askedBy(state, request, await bodyOf(request))
  const { call, path, method } = asked
  const mishap = state.mishaps.next(path)
  const tenantId = asked.isApi ? (companyOf(state, call)?.tenantId ?? null) : null
  const at = state.now()
  if (tenantId !== null) {
    state.limits.enter(tenantId)
    response.once('close', () => state.limits.leave(tenantId))
  }
  const answer = spoilt(mishap, () => answerTo(state, asked))
  const since = request.headers['if-modified-since'] ?? null
  const status = isSilent(mishap) ? 0 : answer.status
  state.requests.push({ at, method, path, query: call.query, status, tenantId, since })
  const zip = String(request.headers['accept-encoding']).includes('gzip')
  deliver(mishap, response, (cut) => send(response, answer, { at, zip, cut }))
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts).toString()
}

function askedBy(state: State, request: IncomingMessage, body: string): Asked {
  const url = new URL(request.url ?? '/', state.origin)
  const method = request.method ?? 'GET'
  const isApi = url.pathname.startsWith(apiPrefix)
  const path = url.pathname.slice(isApi ? apiPrefix.length : 1).toLowerCase()
  const query = Object.fromEntries([...url.searchParams].map(([name, value]) => [name.toLowerCase(), value]))
  const call: Call = { method, path, query, headers: request.headers, consent: consentOf(state, request) }
  return { method, url, path, form: new URLSearchParams(body), isApi, call }
}

function consentOf({ grants }: State, { headers }: IncomingMessage): Consent | null {
  const [scheme, given = ''] = (headers.authorization ?? '').split(' ')
  return scheme === 'Bearer' ? grants.consentOf(given) : null
}

function answerTo(state: State, { url, method, form, isApi, call }: Asked): Answer {
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

function connectionsAnswer(state: State, { consent, method }: Call, url: URL): Answer {
  if (consent === null) return unauthorised('TokenExpired: token expired')
  const { problem, waitMs, headers } = state.limits.take(state.now(), consent.clientId, null)
  if (problem !== null) {
    state.beyondLimits += 1
    return limitAnswer(problem, waitMs)
  }
  const answer = connections(state, consent, method, url)
  return { ...answer, headers: { ...answer.headers, ...headers } }
}

function spoilt(mishap: Mishap | null, answer: () => Answer): Answer {
  if (mishap?.kind === 'drop') return { status: 0, body: '' }
  if (mishap?.kind === 'limit') return limitAnswer(mishap.problem ?? 'minute', mishap.waitMs ?? 1_000)
  if (mishap?.reply !== undefined) return mishap.reply
  const made = answer()
  return mishap?.reshape === undefined ? made : { ...made, body: JSON.stringify(mishap.reshape(JSON.parse(made.body))) }
}

const isBroken = (mishap: Mishap | null): boolean => mishap?.kind === 'drop' || mishap?.kind === 'lostAnswer'
const isSilent = (mishap: Mishap | null): boolean => isBroken(mishap) || mishap?.kind === 'hang'

function deliver(mishap: Mishap | null, response: ServerResponse, answer: (cut: boolean) => void): void {
  if (isBroken(mishap)) response.destroy()
  if (isSilent(mishap)) return
  if (mishap?.kind === 'slow') setTimeout(answer, mishap.waitMs, false)
  else answer(mishap?.kind === 'cut')
}

function send(response: ServerResponse, answer: Answer, how: { at: number; zip: boolean; cut: boolean }): void {
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
