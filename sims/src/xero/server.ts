/**
 * Simulated Xero: sign-in and consent, rotating tokens, the accounting API with its limits and peculiarities, and
 * companies that keep trading.
 */
import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { randomUUID } from 'node:crypto'
import { readRows } from './api/api.ts'
import { trialSize, yearSize } from './books/company.ts'
import type { CompanyLocks, XeroCompany, XeroCompanySize } from './books/company.ts'
import { submitConsent } from './oauth/consent.ts'
import type { ConsentChoice } from './oauth/consent.ts'
import { guidOf, makeGrants } from './oauth/grants.ts'
import type { XeroApp, IssuedTokens, XeroPerson } from './oauth/grants.ts'
import { makeCompany } from './books/history.ts'
import { simulateStep } from './books/simulated-activity.ts'
import { callLimits, xeroLimits } from './api/limits.ts'
import type { LimitFigures } from './api/limits.ts'
import { loadBooks, saveBooks } from './books/saved-books.ts'
import { createFaults } from './api/injected-faults.ts'
import type { XeroFaultQueue } from './api/injected-faults.ts'
import { paths } from './oauth/oauth.ts'
import { apiPrefix, serve } from './api/serve.ts'
import type { XeroLoggedRequest, XeroState } from './api/serve.ts'
import { changeSilently } from './books/silent-changes.ts'
import type { SilentChange } from './books/silent-changes.ts'
import { everyScope } from './oauth/scopes.ts'
import type { XeroQueryParameters } from './api/query.ts'
import type { XeroRow } from './api/value-format.ts'

export interface XeroClock {
  /** Milliseconds since 1970. */
  now(): number
}

export interface XeroSimulatorOptions {
  readonly clock: XeroClock
  readonly seed: number
  /** Size of the first company; the others are smaller. */
  readonly size: 'trial' | 'year' | XeroCompanySize
  /** Small companies in addition to the usual four. */
  readonly subsidiaries?: readonly FoundedCompany[]
  readonly port?: number
  /** Allowed redirect URIs; default: all on loopback. */
  readonly redirectUris?: readonly string[]
  /** Overrides Xero's own limits. */
  readonly limits?: Partial<LimitFigures>
  /** Only apps of the advanced tier may read journals. */
  readonly tier?: 'core' | 'advanced'
  /** How many documents a query may search; default 100,000. */
  readonly documentsMax?: number
  /** A file to which every step saves the companies; without it, each start generates them again. */
  readonly memory?: string
}

export interface XeroSimulator {
  readonly addresses: { readonly authorise: string; readonly token: string; readonly api: string }
  /** An app that people connect to their companies. */
  readonly clientId: string
  readonly clientSecret: string
  /** A second app, registered by a customer. */
  readonly otherApp: { readonly clientId: string; readonly clientSecret: string }
  /** A custom connection. */
  readonly machine: { readonly clientId: string; readonly clientSecret: string; readonly tenantId: string }
  readonly people: readonly XeroPerson[]
  readonly companies: readonly XeroCompany[]
  readonly requests: readonly XeroLoggedRequest[]
  /** Calls that exceeded a limit. */
  readonly refusedCalls: number
  /** Fault injection. */
  readonly faults: XeroFaultQueue
  /** Issues tokens without a browser; default: the first person, all companies and every scope. */
  issueToken(personIndex?: number, tenantIds?: readonly string[], scopes?: readonly string[]): IssuedTokens
  /** Submits the consent page as a browser would, and returns the redirect address. */
  consent(authoriseUrl: string, choice: ConsentChoice): Promise<string>
  /** Ends all consents of a person, for every app. */
  revoke(personIndex: number): void
  /** Removes all connections of the company, until a person consents again. */
  disconnect(tenantId: string): void
  /** Simulates one step of one company, or of all. */
  tick(tenantId?: string): void
  /** Posts a line of a live invoice to another account, without changing the document. */
  recode(tenantId: string): SilentChange
  /** Locks documents up to these days, as an adviser does. Xero lets advisers change documents before the period's. */
  lock(tenantId: string, locks: CompanyLocks): void
  /** Silently changes an account, a due date, or whether an invoice was sent. */
  changeSilently(tenantId: string): SilentChange
  /** All current records of an endpoint, without paging, limits and injected faults, unless the query filters them. */
  readRows(tenantId: string, endpoint: string, query?: XeroQueryParameters): readonly XeroRow[]
  close(): Promise<void>
}

export interface FoundedCompany {
  readonly name: string
  readonly country: string
  readonly currency: string
  /** The month in which the financial year ends, 1 to 12. */
  readonly yearEndMonth: number
}

const founded: readonly FoundedCompany[] = [
  { name: 'Harbour Trading', country: 'NZ', currency: 'NZD', yearEndMonth: 3 },
  { name: 'Harbour Trading Australia', country: 'AU', currency: 'AUD', yearEndMonth: 6 },
  { name: 'Summit Foods', country: 'NZ', currency: 'NZD', yearEndMonth: 3 },
  { name: 'Northside Interiors', country: 'GB', currency: 'GBP', yearEndMonth: 12 },
]

const persons = [
  { email: 'aroha.ngata@books.example', firstName: 'Aroha', lastName: 'Ngata' },
  { email: 'ben.hughes@books.example', firstName: 'Ben', lastName: 'Hughes' },
  { email: 'mei.chen@books.example', firstName: 'Mei', lastName: 'Chen' },
] as const

export async function startXero(options: XeroSimulatorOptions): Promise<XeroSimulator> {
  const { port = 0, memory } = options
  const state = makeState(options)
  const server = createServer((request, response) => void serve(state, request, response))
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve))
  state.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const companyOf = (tenantId: string): XeroCompany =>
    requireFound(state.companies.find((each) => each.tenantId === tenantId))
  const personOf = (index: number): XeroPerson => requireFound(state.people[index])
  const [app, otherApp, machine] = state.apps.map(requireFound) as [XeroApp, XeroApp, XeroApp & { tenantId: string }]
  return {
    addresses: {
      authorise: state.origin + paths.authorise,
      token: state.origin + paths.token,
      api: state.origin + apiPrefix,
    },
    clientId: app.clientId,
    clientSecret: app.clientSecret,
    otherApp,
    machine,
    people: state.people,
    companies: state.companies,
    requests: state.requests,
    get refusedCalls() {
      return state.beyondLimits
    },
    faults: state.faults,
    issueToken: (person = 0, tenantIds = state.companies.map(({ tenantId }) => tenantId), scopes = everyScope) =>
      state.grants.grant({
        clientId: app.clientId,
        personId: personOf(person).id,
        scopes,
        event: randomUUID(),
        tenantIds,
      }),
    consent: (address, choice) => submitConsent(address, choice, state),
    revoke: (person) => state.grants.revoke(personOf(person).id),
    disconnect: (tenantId) => void state.grants.disconnect((connection) => connection.tenantId === tenantId),
    tick: (tenantId) => {
      for (const company of tenantId === undefined ? state.companies : [companyOf(tenantId)])
        simulateStep(company, state.now())
      if (memory !== undefined) saveBooks(memory, state.companies)
    },
    recode: (tenantId) => changeSilently(companyOf(tenantId), state.now(), 'account'),
    lock: (tenantId, locks) => void Object.assign(companyOf(tenantId), { locks }),
    changeSilently: (tenantId) => changeSilently(companyOf(tenantId), state.now()),
    readRows: (tenantId, endpoint, query = {}) =>
      readRows(companyOf(tenantId), endpoint, lowerCaseNames(query), state.now()),
    close: () => closeServer(server),
  }
}

function makeState(options: XeroSimulatorOptions): XeroState {
  const { clock, seed, redirectUris, limits, tier = 'core', documentsMax = 100_000, memory } = options
  const now = (): number => clock.now()
  const id = (word: string): string => guidOf(`${seed} ${word}`)
  const saved = memory === undefined ? undefined : loadBooks(memory)
  const companies = saved ?? makeCompanies(options, id)
  if (memory !== undefined) saveBooks(memory, companies)
  const machineTenant = companies[founded.length - 1]?.tenantId ?? ''
  const state: XeroState = {
    origin: '',
    now,
    issuer: () => state.origin,
    apps: [
      { clientId: id('app').replaceAll('-', '').toUpperCase(), clientSecret: id('app secret'), tenantId: null },
      {
        clientId: id('other app').replaceAll('-', '').toUpperCase(),
        clientSecret: id('other app secret'),
        tenantId: null,
      },
      {
        clientId: id('machine').replaceAll('-', '').toUpperCase(),
        clientSecret: id('machine secret'),
        tenantId: machineTenant,
      },
    ],
    people: persons.map((person) => ({ ...person, id: id(person.email) })),
    companies,
    redirectUris: redirectUris ?? null,
    grants: makeGrants({ now, issuer: () => state.origin, secret: id('seal') }),
    codes: new Map(),
    limits: callLimits({ ...xeroLimits, ...limits }),
    documentsMax,
    isAdvanced: tier === 'advanced',
    beyondLimits: 0,
    faults: createFaults(),
    requests: [],
  }
  return state
}

function makeCompanies(
  { clock, seed, size, subsidiaries = [] }: XeroSimulatorOptions,
  id: (word: string) => string,
): readonly XeroCompany[] {
  const first = sizeOf(size)
  return [...founded, ...subsidiaries].map((company, index) =>
    makeCompany(
      { ...company, tenantId: id(company.name) },
      seed + index,
      index === 0 ? first : smallerSize(index, first),
      clock.now(),
    ),
  )
}

function sizeOf(size: XeroSimulatorOptions['size']): XeroCompanySize {
  return size === 'trial' ? trialSize : size === 'year' ? yearSize : size
}

/** Further companies are at most as large as a trial company. */
function smallerSize(index: number, size: XeroCompanySize): XeroCompanySize {
  const invoices = Math.min(Math.ceil(size.invoices / (index + 1)), 150)
  return {
    ...size,
    invoices,
    invoicesMax: invoices + 40,
    contacts: Math.min(size.contacts, 24),
    items: Math.min(size.items, 12),
  }
}

function requireFound<T>(found: T | undefined): T {
  if (found === undefined) throw new Error('The simulated Xero has no such record.')
  return found
}

const lowerCaseNames = (query: XeroQueryParameters): XeroQueryParameters =>
  Object.fromEntries(Object.entries(query).map(([name, value]) => [name.toLowerCase(), value]))

function closeServer(server: Server): Promise<void> {
  server.closeAllConnections()
  return new Promise((resolve) => server.close(() => resolve()))
}
