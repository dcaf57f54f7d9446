/** The accounting API: who may call, how often, and what comes back. */
import type { IncomingHttpHeaders } from 'node:http'
import { forbidden, json, Refusal, unauthorised } from './answer.ts'
import type { Answer } from './answer.ts'
import type { Company } from '../books/company.ts'
import { endpoints } from './endpoints.ts'
import type { Consent, Grants } from '../oauth/grants.ts'
import type { Limits } from './limits.ts'
import type { Endpoint, How, Listed } from './listed.ts'
import type { LimitProblem } from './injected-faults.ts'
import { pageOf, recordsFor } from './query.ts'
import type { Query } from './query.ts'
import { reportAnswer, reportScopes } from '../reports/reports.ts'
import { opens } from '../oauth/scopes.ts'
import { bareStamp, plain } from './value-format.ts'
import type { Row } from './value-format.ts'
import { xmlOf } from './xml.ts'

export interface Books {
  readonly now: () => number
  readonly companies: readonly Company[]
  readonly grants: Grants
  readonly limits: Limits
  readonly documentsMax: number
  /** Whether the app may read journals. */
  readonly isAdvanced: boolean
  beyondLimits: number
}

export interface Call {
  readonly method: string
  /** Below the address of the API, in lower case: `invoices`, `budgets/ID`, `reports/trialbalance`. */
  readonly path: string
  readonly query: Query
  readonly headers: IncomingHttpHeaders
  /** Null where no token came, or one that nobody knows any more. */
  readonly consent: Consent | null
}

/** The company that a call is about; null where the caller may not see it. */
export function companyOf({ companies, grants }: Books, { consent, headers }: Call): Company | null {
  if (consent === null) return null
  const asked = headers['xero-tenant-id'] ?? ''
  const wanted = asked === '' && consent.personId === null ? consent.tenantIds[0] : asked
  const isOpen = grants.connections.some(
    ({ clientId, personId, tenantId }) =>
      clientId === consent.clientId && personId === consent.personId && tenantId === wanted,
  )
  return isOpen ? (companies.find(({ tenantId }) => tenantId === wanted) ?? null) : null
}

export function apiAnswer(books: Books, call: Call): Answer {
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

export function limitAnswer(problem: LimitProblem, waitMs: number): Answer {
  const wait = problem === 'concurrent' ? {} : { 'retry-after': String(Math.max(1, Math.ceil(waitMs / 1_000))) }
  return { status: 429, body: '', headers: { 'x-rate-limit-problem': problem, ...wait } }
}

function readAnswer(books: Books, call: Call, company: Company): Answer {
  if (call.method !== 'GET') return json(405, { Title: 'Method not allowed', Status: 405 })
  const place = placeOf(call.path)
  if (place === undefined) return notFound
  const isShut = place.isGated === true && !books.isAdvanced
  if (isShut || !opens(call.consent?.scopes ?? [], place.scopes)) return unauthorised('AuthorizationUnsuccessful')
  try {
    const rows = place.rows(books, company, call)
    return rows === null ? notFound : enveloped(books, call, rows)
  } catch (error) {
    if (error instanceof Refusal) return error.answer()
    throw error
  }
}

/** What answers at a path. */
interface Place extends Pick<Endpoint, 'scopes' | 'isGated'> {
  /** Null where there is no such record. */
  rows(books: Books, company: Company, call: Call): Row | null
}

function placeOf(path: string): Place | undefined {
  const [name = '', id = null] = path.split('/')
  if (name === 'reports') {
    const scopes = reportScopes(id ?? '')
    return scopes && { scopes, rows: reportRows }
  }
  const endpoint = endpoints.get(name)
  return endpoint && { ...endpoint, rows: (books, company, call) => listRows(books, company, { call, endpoint, id }) }
}

const notFound: Answer = {
  status: 404,
  body: "The resource you're looking for cannot be found",
  headers: { 'content-type': 'text/html' },
}

function enveloped({ now }: Books, { headers }: Call, rows: Row): Answer {
  const envelope = {
    Id: '2d3c5a0c-7a54-4c6e-8a56-0b6a90b3d5c7',
    Status: 'OK',
    ProviderName: 'Tributary',
    DateTimeUTC: bareStamp(now()),
    ...rows,
  }
  return headers.accept?.includes('json') === true ? json(200, envelope) : xmlOf(envelope)
}

function reportRows({ now }: Books, company: Company, { path, query }: Call): Row {
  return { Reports: [reportAnswer(company, path.split('/')[1] ?? '', { query, now: now() })] }
}

interface ListAsked {
  readonly call: Call
  readonly endpoint: Endpoint
  readonly id: string | null
}

function listRows(books: Books, company: Company, { call, endpoint, id }: ListAsked): Row | null {
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

function detailOf({ filters = [] }: Endpoint, query: Query, isPaged: boolean): How['detail'] {
  if (filters.includes('summaryonly') && query['summaryonly'] === 'true') return 'summary'
  return isPaged ? 'full' : 'list'
}

const rowsOf = (records: readonly Listed[], how: How): readonly Row[] => records.map((record) => record.row(how))

/** What an endpoint holds now, everything included unless the query says otherwise. */
export function tell(company: Company, path: string, query: Query, now: number): readonly Row[] {
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
