/** A simulated QuickBooks Online over HTTP: sign-in, companies, queries, change data capture, reports, and limits of calls. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createFaultQueue, type FaultQueue } from '../fault-queue.ts'
import { createRandom } from '../random.ts'
import { writeJson } from '../uniconta/rows.ts'
import { openBooks, trade } from './books.ts'
import { createCompany, type QuickBooksCompany } from './company.ts'
import { consentPage, readConsentForm } from '../consent-page.ts'
import { createIdentity, type QuickBooksIdentity, type QuickBooksPerson } from './identity.ts'
import { reportParameters, reportReply } from './reports.ts'
import { changesReply, companyInfo, faultReply, queryReply, type QuickBooksReply } from './replies.ts'
import { closeServer, listen, serve } from '../local-server.ts'

export type QuickBooksFault = { readonly path?: string; readonly after?: number; readonly times?: number } & (
  | { readonly kind: 'status'; readonly status: number; readonly retryAfterSeconds?: number; readonly code?: string }
  | { readonly kind: 'drop' }
  | { readonly kind: 'cut' }
)

export interface QuickBooksOptions {
  readonly clock: { now(): number }
  readonly seed: number
  /** How many documents each company has. */
  readonly size: number
  readonly port?: number
  readonly callsPerMinute?: number
  /** What happens before each reply, such as deletions while pages are read. */
  readonly beforeReply?: (company: QuickBooksCompany, path: string) => void
}

export interface QuickBooksSimulator {
  readonly addresses: { readonly authorise: string; readonly token: string; readonly api: string }
  readonly clientId: string
  readonly clientSecret: string
  readonly person: QuickBooksPerson
  readonly companies: ReadonlyMap<string, QuickBooksCompany>
  readonly identity: QuickBooksIdentity
  readonly faults: FaultQueue<QuickBooksFault>
  readonly requests: readonly { readonly target: string; readonly status: number }[]
  /** Some minutes of activity in each company. */
  tick(): void
  close(): Promise<void>
}

/** Realm ids, names and countries. */
const companies: readonly (readonly [realmId: string, name: string, country: string])[] = [
  ['4620816365001001', 'Harbour Gardens', 'US'],
  ['4620816365001002', 'Bayview Design', 'US'],
]

export async function startQuickBooks(options: QuickBooksOptions): Promise<QuickBooksSimulator> {
  const { clock, seed, size } = options
  const app = { clientId: 'ABquickBooksClient', clientSecret: 'quickBooksSecretOfTheApp' }
  const books = new Map(
    companies.map(([realmId, name, country], index) => {
      const company = createCompany({ realmId, name, country, random: createRandom(seed + index), clock })
      openBooks(company, size)
      return [realmId, company]
    }),
  )
  const state: ServerState = {
    options,
    companies: books,
    identity: createIdentity(clock, app),
    faults: createFaultQueue<QuickBooksFault>(),
    requests: [],
    calls: new Map(),
  }
  const server = serve((request, response) => respond(state, request, response))
  await listen(server, options.port ?? 0)
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { identity, faults, requests } = state
  return {
    addresses: {
      authorise: `${origin}/connect/oauth2`,
      token: `${origin}/oauth2/v1/tokens/bearer`,
      api: `${origin}/v3/company/`,
    },
    ...app,
    person: { name: 'Ana Brown', realmIds: companies.map(([realmId]) => realmId) },
    companies: books,
    identity,
    faults,
    requests,
    tick() {
      for (const company of books.values()) trade(company, 2)
    },
    close: () => closeServer(server),
  }
}

interface ServerState {
  readonly options: QuickBooksOptions
  readonly companies: ReadonlyMap<string, QuickBooksCompany>
  readonly identity: QuickBooksIdentity
  readonly faults: FaultQueue<QuickBooksFault>
  readonly requests: { target: string; status: number }[]
  /** Moments of the calls of the last minute, by company. */
  readonly calls: Map<string, readonly number[]>
}

async function respond(state: ServerState, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', `http://${request.headers.host}`)
  const body = await readBody(request)
  if (url.pathname === '/connect/oauth2') return respondConsent(state, { url, method: request.method, body }, response)
  const fault = faultOf(state, url)
  if (fault?.kind === 'drop') return void response.destroy()
  const reply = fault?.kind === 'status' ? failure(fault) : answer(state, url, request, body)
  state.requests.push({ target: url.pathname + url.search, status: reply.status })
  const text = writeJson(reply.body)
  response.sendDate = false
  response.writeHead(reply.status, {
    'content-type': 'application/json;charset=UTF-8',
    'content-length': String(Buffer.byteLength(text)),
    date: new Date(state.options.clock.now()).toUTCString(),
    intuit_tid: `1-${state.requests.length}`,
    ...reply.headers,
  })
  if (fault?.kind !== 'cut') return void response.end(text)
  response.write(text.slice(0, Math.floor(text.length / 2)), () => response.destroy())
}

function faultOf({ faults }: ServerState, { pathname }: URL): QuickBooksFault | null {
  return pathname.startsWith('/v3/') ? faults.next(pathname.split('/').at(-1) ?? '') : null
}

async function readBody(request: IncomingMessage): Promise<string> {
  let body = ''
  for await (const part of request) body += String(part)
  return body
}

interface ConsentRequest {
  readonly url: URL
  readonly method: string | undefined
  readonly body: string
}

function respondConsent(state: ServerState, { url, method, body }: ConsentRequest, response: ServerResponse): void {
  if (method !== 'POST') {
    const page = consentPage({
      source: 'QuickBooks Online',
      heading: 'Connect a company',
      explanation: 'An app wants to read the books of one company.',
      question: 'Which company?',
      choices: [...state.companies.values()].map(({ realmId, name, country }) => ({
        value: realmId,
        title: name,
        detail: `${country}, company ${realmId}`,
      })),
      allow: 'Connect',
      address: url,
    })
    return void response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page)
  }
  response.writeHead(303, { location: state.identity.consent(url, readConsentForm(body)) }).end()
}

function failure({ status, code, retryAfterSeconds }: QuickBooksFault & { readonly kind: 'status' }): QuickBooksReply {
  const headers = retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }
  return { ...faultReply(status, code ?? (status === 429 ? '003001' : '10000'), 'Try again.', 'SystemFault'), headers }
}

function answer(state: ServerState, url: URL, { headers }: IncomingMessage, body: string): QuickBooksReply {
  if (url.pathname === '/oauth2/v1/tokens/bearer')
    return state.identity.token(new URLSearchParams(body), headers.authorization ?? '')
  const [realmId = '', ...rest] = url.pathname.replace('/v3/company/', '').split('/')
  const opened = state.identity.realmOf((headers.authorization ?? '').replace(/^Bearer /u, ''))
  const company = state.companies.get(realmId)
  if (opened === undefined) return faultReply(401, '3200', 'AuthenticationFailed', 'AUTHENTICATION')
  if (opened !== realmId || company === undefined)
    return faultReply(403, '3100', 'ApplicationAuthorizationFailed', 'AuthorizationFault')
  if (isTooFast(state, realmId)) return failure({ kind: 'status', status: 429 })
  const path = rest.join('/')
  state.options.beforeReply?.(company, path)
  return answerCompany(company, path, url.searchParams)
}

const knownParameters: readonly (readonly [string, readonly string[]])[] = [
  ['query', ['query']],
  ['cdc', ['entities', 'changedSince']],
  ['reports/', reportParameters],
]

/** Stricter than QuickBooks, which ignores parameters that it does not know. */
function answerCompany(company: QuickBooksCompany, path: string, parameters: URLSearchParams): QuickBooksReply {
  const known = knownParameters.find(([prefix]) => path.startsWith(prefix))?.[1] ?? []
  const unknown = [...parameters.keys()].filter((name) => name !== 'minorversion' && !known.includes(name))
  if (unknown.length > 0) return faultReply(400, '2010', `Unknown parameters: ${unknown.join(', ')}`)
  if (parameters.get('minorversion') !== '75') return faultReply(400, '2010', 'Name the minor version 75.')
  if (path === `companyinfo/${company.realmId}`) return { status: 200, body: { CompanyInfo: companyInfo(company) } }
  if (path === 'query') return queryReply(company, parameters)
  if (path === 'cdc') return changesReply(company, parameters)
  if (path.startsWith('reports/')) return reportReply(company, path.slice('reports/'.length), parameters)
  return faultReply(404, '610', `There is no ${path}.`)
}

function isTooFast({ options, calls }: ServerState, realmId: string): boolean {
  const now = options.clock.now()
  const recent = [...(calls.get(realmId) ?? []).filter((at) => at > now - 60_000), now]
  calls.set(realmId, recent)
  return recent.length > (options.callsPerMinute ?? 500)
}
