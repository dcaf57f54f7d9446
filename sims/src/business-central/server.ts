/** A simulated Business Central online: Microsoft Entra's tokens, and API v2.0 of one environment. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createFaultQueue, type FaultQueue } from '../fault-queue.ts'
import { createRandom, type Random } from '../random.ts'
import { openBooks, postSale } from './activity.ts'
import { Company, type Row } from './company.ts'
import { toJson } from './json.ts'
import { metadataXml } from './metadata.ts'
import { BadRequest, isSelected, parseQuery, type SetQuery } from './query.ts'
import { type EntityType, typeOfSet } from './sets.ts'
import { closeServer } from '../local-server.ts'

export type BusinessCentralFault = { readonly path?: string; readonly after?: number; readonly times?: number } & (
  | { readonly kind: 'status'; readonly status: number; readonly retryAfterSeconds?: number }
  | { readonly kind: 'drop' }
  | { readonly kind: 'cut' }
)

export interface BusinessCentralOptions {
  readonly clock: { now(): number }
  readonly seed: number
  /** Documents that each company has posted. */
  readonly documents: number
  readonly companies?: readonly string[]
  readonly port?: number
  /** The most rows of a page, whatever is preferred. */
  readonly pageSize?: number
  /** Happens before each reply, such as a posting while pages are read. */
  readonly beforeReply?: (companies: readonly Company[], path: string) => void
}

export interface BusinessCentral {
  /** The address of the API, which also has the tokens. */
  readonly url: string
  readonly tenant: string
  readonly environment: string
  readonly client: string
  readonly secret: string
  readonly companies: readonly Company[]
  readonly faults: FaultQueue<BusinessCentralFault>
  readonly requests: readonly { readonly target: string; readonly status: number }[]
  /** Sets that the app may not read. */
  readonly forbidden: Set<string>
  readonly random: Random
  /** Ends all tokens, as a server that was restarted does. */
  expireTokens(): void
  tick(): void
  close(): Promise<void>
}

const tenant = '5f3b1c8e-8f0a-4f3c-9d1e-000000000b0c'
const environment = 'Production'
const client = '9d1f0c52-0d5a-4c0b-9a51-00000000c11e'
const secret = 'bc8Q~SimulatedSecretOfTheApp'
const apiPath = `/v2.0/${tenant}/${environment}/api/v2.0`
const tokenLifetimeS = 3_599
const windowMs = 300_000
const callsInWindow = 6_000

interface ServerState {
  readonly options: BusinessCentralOptions
  readonly companies: readonly Company[]
  readonly faults: FaultQueue<BusinessCentralFault>
  readonly requests: { target: string; status: number }[]
  readonly forbidden: Set<string>
  /** Tokens with the moment at which they expire. */
  readonly tokens: Map<string, number>
  calls: number[]
}

export async function startBusinessCentral(options: BusinessCentralOptions): Promise<BusinessCentral> {
  const random = createRandom(options.seed)
  const today = new Date(options.clock.now()).toISOString().slice(0, 10)
  const companies = (options.companies ?? ['CRONUS DK']).map((name, at) => {
    const company = new Company(name, at === 0 ? 'DKK' : 'EUR', random, options.clock)
    openBooks(company, random, { documents: options.documents, today })
    return company
  })
  const state: ServerState = {
    options,
    companies,
    faults: createFaultQueue<BusinessCentralFault>(),
    requests: [],
    forbidden: new Set(),
    tokens: new Map(),
    calls: [],
  }
  const server = createServer((request, response) => void receive(state, request, response))
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port ?? 0, '127.0.0.1', resolve)
  })
  const { faults, requests, forbidden } = state
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${apiPath}/`,
    tenant,
    environment,
    client,
    secret,
    companies,
    faults,
    requests,
    forbidden,
    random,
    expireTokens: () => state.tokens.clear(),
    tick() {
      const [company] = companies
      if (company !== undefined) postSale(company, random, new Date(options.clock.now()).toISOString().slice(0, 10))
    },
    close: () => closeServer(server),
  }
}

interface Reply {
  readonly status: number
  readonly body: string
  readonly headers?: Readonly<Record<string, string>>
}

async function receive(state: ServerState, request: IncomingMessage, response: ServerResponse): Promise<void> {
  let form = ''
  for await (const part of request) form += String(part)
  const url = new URL(request.url ?? '/', 'http://localhost')
  const path = decodeURIComponent(url.pathname).replace(`${apiPath}/`, '')
  state.options.beforeReply?.(state.companies, path)
  const fault = state.faults.next(path.split('/').at(-1) ?? '')
  if (fault?.kind === 'drop') return void response.destroy()
  const reply =
    fault?.kind === 'status' ? failure(fault.status, 'Injected', fault) : answer(state, request, { url, path, form })
  state.requests.push({ target: url.pathname + url.search, status: reply.status })
  response.sendDate = false
  response.writeHead(reply.status, {
    'content-type': reply.body.startsWith('<') ? 'application/xml' : 'application/json; odata.metadata=minimal',
    'content-length': String(Buffer.byteLength(reply.body)),
    date: new Date(state.options.clock.now()).toUTCString(),
    ...reply.headers,
  })
  if (fault?.kind !== 'cut') return void response.end(reply.body)
  response.write(reply.body.slice(0, Math.floor(reply.body.length / 2)), () => response.destroy())
}

function failure(
  status: number,
  code: string,
  { retryAfterSeconds }: { readonly retryAfterSeconds?: number } = {},
): Reply {
  const headers = retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }
  return { status, body: JSON.stringify({ error: { code, message: `${code}. CorrelationId: simulated.` } }), headers }
}

interface Question {
  readonly url: URL
  readonly path: string
  readonly form: string
}

function answer(state: ServerState, request: IncomingMessage, question: Question): Reply {
  const { url, path, form } = question
  if (url.pathname === `/${tenant}/oauth2/v2.0/token`) return giveToken(state, new URLSearchParams(form))
  const now = state.options.clock.now()
  const token = /^Bearer (.+)$/u.exec(request.headers.authorization ?? '')?.[1] ?? ''
  if ((state.tokens.get(token) ?? 0) <= now) return failure(401, 'Authentication_InvalidCredentials')
  state.calls = [...state.calls.filter((at) => at > now - windowMs), now]
  if (state.calls.length > callsInWindow) return failure(429, 'Application_TooManyRequests', { retryAfterSeconds: 30 })
  if (path === '$metadata') return { status: 200, body: metadataXml() }
  try {
    return rowsReply(state, request, question)
  } catch (error) {
    if (error instanceof BadRequest) return failure(400, `BadRequest: ${error.message}`)
    throw error
  }
}

/** Client credentials, as Microsoft Entra takes them: in the body, for the scope of the API. */
function giveToken({ tokens, options }: ServerState, form: URLSearchParams): Reply {
  if (form.get('grant_type') !== 'client_credentials')
    return { status: 400, body: '{"error":"unsupported_grant_type"}' }
  if (form.get('scope') !== 'https://api.businesscentral.dynamics.com/.default')
    return { status: 400, body: '{"error":"invalid_scope"}' }
  if (form.get('client_id') !== client || form.get('client_secret') !== secret)
    return { status: 401, body: '{"error":"invalid_client","error_description":"AADSTS7000215"}' }
  const token = `token-${tokens.size + 1}-${options.clock.now()}`
  tokens.set(token, options.clock.now() + tokenLifetimeS * 1_000)
  return {
    status: 200,
    body: JSON.stringify({ token_type: 'Bearer', expires_in: tokenLifetimeS, access_token: token }),
  }
}

function rowsReply(state: ServerState, request: IncomingMessage, { url, path }: Question): Reply {
  const [, id, inCompany] = /^companies\(([\da-f-]{36})\)\/(\w+)$/u.exec(path) ?? []
  const set = inCompany ?? path
  const company = state.companies.find((each) => each.id === id)
  const type = typeOfSet(set)
  if (type === undefined) return failure(404, 'BadRequest_NotFound')
  if (set !== 'companies' && company === undefined) return failure(404, 'Internal_CompanyNotFound')
  if (state.forbidden.has(set)) return failure(403, 'Authorization_RequestDenied')
  const query = parseQuery(type, url.searchParams)
  if (type.isPart === true && !query.conditions.some(({ property }) => property === 'documentId'))
    return failure(400, 'Application_DialogException: You must specify an Id or a Document Id to get the lines.')
  const rows = selectRows(rowsOf(state, company, set, query), type, query)
  return pageReply(rows, { type, query, url, path, size: pageSizeOf(state, request, query) })
}

interface PageForm extends Pick<Question, 'url' | 'path'> {
  readonly type: EntityType
  readonly query: SetQuery
  readonly size: number
}

function pageReply(rows: readonly Row[], { type, query, url, path, size }: PageForm): Reply {
  const page = rows.slice(0, size)
  const isLast = page.length === rows.length || query.top !== null
  const body = {
    '@odata.context': `https://api.businesscentral.dynamics.com${apiPath}/$metadata#${path}`,
    value: page.map((row) => shown(row, type, query)),
    ...(!isLast && { '@odata.nextLink': nextLink(url, String(page.at(-1)?.[type.key])) }),
  }
  return { status: 200, body: toJson(body) }
}

function pageSizeOf({ options }: ServerState, request: IncomingMessage, { top }: SetQuery): number {
  const [, preferred = '20000'] = /odata\.maxpagesize=(\d+)/u.exec(String(request.headers['prefer'] ?? '')) ?? []
  return Math.min(options.pageSize ?? 20_000, Number(preferred), top ?? Infinity)
}

function rowsOf(
  { companies }: ServerState,
  company: Company | undefined,
  set: string,
  query: SetQuery,
): readonly Row[] {
  if (set === 'companies' || company === undefined)
    return companies.map(({ id, name }) => ({
      id,
      name,
      displayName: name,
      systemVersion: '27.1',
      timestamp: 1,
      businessProfileId: '',
    }))
  if (set !== 'trialBalances') return company.rows(set)
  const bound = (operator: string): string | undefined =>
    query.conditions.find((each) => each.property === 'dateFilter' && each.operator === operator)?.value
  const to = bound('le') ?? bound('eq') ?? new Date().toISOString().slice(0, 10)
  return company.trialBalance(bound('ge') ?? to, to)
}

/** Pages follow the key, which is not the order in which rows are made. */
function selectRows(
  rows: readonly Row[],
  { key }: EntityType,
  { conditions, orderBy, skipToken }: SetQuery,
): readonly Row[] {
  const by = orderBy?.property ?? key
  const sign = orderBy?.isDescending === true ? -1 : 1
  const text = (row: Row): string => String(row[by])
  return rows
    .filter((row) => isSelected(conditions, row) && (skipToken === null || String(row[key]) > skipToken))
    .toSorted((one, other) => (text(one) < text(other) ? -sign : text(one) > text(other) ? sign : 0))
}

function shown(row: Row, { properties, lists }: EntityType, { select, expand }: SetQuery): Row {
  const names = Object.keys(properties).filter(
    (name) => properties[name] !== 'stream' && (select === null || select.includes(name)),
  )
  const own = Object.fromEntries(names.map((name) => [name, row[name] ?? null]))
  const nested = Object.fromEntries(expand.map((name) => [name, linesOf(row, name, lists[name] ?? '')]))
  return { '@odata.etag': `W/"${String(row['lastModifiedDateTime'] ?? '1')}"`, ...own, ...nested }
}

function linesOf(row: Row, name: string, set: string): readonly Row[] {
  const type = typeOfSet(set)
  const lines = Array.isArray(row[name]) ? (row[name] as readonly Row[]) : []
  return lines.map((line) => ({
    ...Object.fromEntries(Object.keys(type?.properties ?? {}).map((property) => [property, line[property] ?? null])),
    documentId: row['id'] ?? null,
  }))
}

/** Absolute, with the public host, whatever the address of the request was. */
function nextLink({ pathname, searchParams }: URL, last: string): string {
  const query = new URLSearchParams(searchParams)
  query.set('aid', 'FIN')
  query.set('$skiptoken', last)
  return `https://api.businesscentral.dynamics.com${pathname}?${query.toString()}`
}
