/** The accounting API: authentication, rate limits and responses. */
import type { IncomingHttpHeaders } from 'node:http'
import { forbidden, json, RequestError, unauthorised } from './responses.ts'
import type { XeroResponse } from './responses.ts'
import type { XeroCompany } from '../books/company.ts'
import { endpoints } from './endpoints.ts'
import type { XeroConsent, XeroGrants } from '../oauth/grants.ts'
import type { XeroLimits } from './limits.ts'
import type { SimulatedEndpoint, SerialiseOptions, XeroRecord } from './records.ts'
import type { LimitProblem } from './injected-faults.ts'
import { pageOf, recordsFor } from './query.ts'
import type { XeroQueryParameters } from './query.ts'
import { reportAnswer, reportScopes } from '../reports/reports.ts'
import { coversScope } from '../oauth/scopes.ts'
import { bareStamp, plain } from './value-format.ts'
import type { XeroRow } from './value-format.ts'
import { xmlOf } from './xml.ts'

export interface XeroBooks {
  readonly now: () => number
  readonly companies: readonly XeroCompany[]
  readonly grants: XeroGrants
  readonly limits: XeroLimits
  readonly documentsMax: number
  /** Whether the app may read journals. */
  readonly isAdvanced: boolean
  beyondLimits: number
}

export interface XeroCall {
  readonly method: string
  /** Path below the API's address, in lower case: `invoices`, `budgets/ID`, `reports/trialbalance`. */
  readonly path: string
  readonly query: XeroQueryParameters
  readonly headers: IncomingHttpHeaders
  /** Null without a token, or with an expired or unknown one. */
  readonly consent: XeroConsent | null
}

/** The company of a call; null if the caller may not access it. */
export function companyOf({ companies, grants }: XeroBooks, { consent, headers }: XeroCall): XeroCompany | null {
  if (consent === null) return null
  const tenantHeader = headers['xero-tenant-id'] ?? ''
  const wanted = tenantHeader === '' && consent.personId === null ? consent.tenantIds[0] : tenantHeader
  const isOpen = grants.connections.some(
    ({ clientId, personId, tenantId }) =>
      clientId === consent.clientId && personId === consent.personId && tenantId === wanted,
  )
  return isOpen ? (companies.find(({ tenantId }) => tenantId === wanted) ?? null) : null
}

export function apiAnswer(books: XeroBooks, call: XeroCall): XeroResponse {
  const { consent } = call
  if (consent === null) return unauthorised('TokenExpired: token expired')
  const company = companyOf(books, call)
  if (company === null) return forbidden()
  const { problem, waitMs, headers } = books.limits.take(books.now(), consent.clientId, company.tenantId)
  if (problem !== null) {
    books.beyondLimits += 1
    return limitAnswer(problem, waitMs)
  }
  const answer = readAnswer(books, call, company)
  return { ...answer, headers: { ...answer.headers, ...headers } }
}

export function limitAnswer(problem: LimitProblem, waitMs: number): XeroResponse {
  const wait = problem === 'concurrent' ? {} : { 'retry-after': String(Math.max(1, Math.ceil(waitMs / 1_000))) }
  return { status: 429, body: '', headers: { 'x-rate-limit-problem': problem, ...wait } }
}

function readAnswer(books: XeroBooks, call: XeroCall, company: XeroCompany): XeroResponse {
  if (call.method !== 'GET') return json(405, { Title: 'Method not allowed', Status: 405 })
  const place = findHandler(call.path)
  if (place === undefined) return notFound
  const isShut = place.isGated === true && !books.isAdvanced
  if (isShut || !coversScope(call.consent?.scopes ?? [], place.scopes)) return unauthorised('AuthorizationUnsuccessful')
  try {
    const rows = place.rows(books, company, call)
    return rows === null ? notFound : enveloped(books, call, rows)
  } catch (error) {
    if (error instanceof RequestError) return error.answer()
    throw error
  }
}

/** The handler of a path. */
interface PathHandler extends Pick<SimulatedEndpoint, 'scopes' | 'isGated'> {
  /** Null if the record does not exist. */
  rows(books: XeroBooks, company: XeroCompany, call: XeroCall): XeroRow | null
}

function findHandler(path: string): PathHandler | undefined {
  const [name = '', id = null] = path.split('/')
  if (name === 'reports') {
    const scopes = reportScopes(id ?? '')
    return scopes && { scopes, rows: reportRows }
  }
  const endpoint = endpoints.get(name)
  return endpoint && { ...endpoint, rows: (books, company, call) => listRows(books, company, { call, endpoint, id }) }
}

const notFound: XeroResponse = {
  status: 404,
  body: "The resource you're looking for cannot be found",
  headers: { 'content-type': 'text/html' },
}

function enveloped({ now }: XeroBooks, { headers }: XeroCall, rows: XeroRow): XeroResponse {
  const envelope = {
    Id: '2d3c5a0c-7a54-4c6e-8a56-0b6a90b3d5c7',
    Status: 'OK',
    ProviderName: 'Tributary',
    DateTimeUTC: bareStamp(now()),
    ...rows,
  }
  return headers.accept?.includes('json') === true ? json(200, envelope) : xmlOf(envelope)
}

function reportRows({ now }: XeroBooks, company: XeroCompany, { path, query }: XeroCall): XeroRow {
  return { Reports: [reportAnswer(company, path.split('/')[1] ?? '', { query, now: now() })] }
}

interface ListRequest {
  readonly call: XeroCall
  readonly endpoint: SimulatedEndpoint
  readonly id: string | null
}

function listRows(books: XeroBooks, company: XeroCompany, { call, endpoint, id }: ListRequest): XeroRow | null {
  const { query, headers } = call
  const key = endpoint.key ?? endpoint.name
  const records = endpoint.list(company)
  const how = { unitDecimals: query['unitdp'] === '4' ? 4 : 2, now: books.now() } as const
  if (id !== null) {
    const found = records.find((record) => record.id.toLowerCase() === id)
    return found === undefined ? null : { [key]: [found.row({ ...how, detail: 'full', isAlone: true })] }
  }
  const since = headers['if-modified-since']
  const page = pageOf(endpoint, recordsFor(endpoint, records, { query, since }, books), query)
  const detail = detailOf(endpoint, query, page.isPaged)
  return {
    ...(page.pagination !== null && { pagination: page.pagination }),
    [key]: rowsOf(page.records, { ...how, detail, isAlone: false }),
  }
}

function detailOf(
  { filters = [] }: SimulatedEndpoint,
  query: XeroQueryParameters,
  isPaged: boolean,
): SerialiseOptions['detail'] {
  if (filters.includes('summaryonly') && query['summaryonly'] === 'true') return 'summary'
  return isPaged ? 'full' : 'list'
}

const rowsOf = (records: readonly XeroRecord[], how: SerialiseOptions): readonly XeroRow[] =>
  records.map((record) => record.row(how))

/** All current records of an endpoint, unless the query filters them. */
export function readRows(
  company: XeroCompany,
  path: string,
  query: XeroQueryParameters,
  now: number,
): readonly XeroRow[] {
  const [name = '', id] = path.toLowerCase().split('/')
  if (name === 'reports') return plain([reportAnswer(company, id ?? '', { query, now })])
  const endpoint = endpoints.get(name)
  if (endpoint === undefined) throw new Error(`The simulated Xero has no ${path}.`)
  const how = { detail: 'full', unitDecimals: 4, now, isAlone: id !== undefined } as const
  const records = endpoint.list(company)
  if (id !== undefined)
    return plain(
      rowsOf(
        records.filter((record) => record.id === id),
        how,
      ),
    )
  const { hides: _, ...open } = endpoint
  const isNarrow = Object.keys(query).length > 0
  const wanted = recordsFor(
    isNarrow ? endpoint : open,
    records,
    { query, since: undefined },
    { documentsMax: Infinity },
  )
  return plain(rowsOf(wanted, how))
}
