/** Xero in make-believe: sign-in and consent, tokens that are renewed, the accounting API with its limits and oddities, and companies whose books go on. */
import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { randomUUID } from 'node:crypto'
import { tell } from './api/api.ts'
import { trialSize, yearSize } from './books/company.ts'
import type { Company, Size } from './books/company.ts'
import { consent } from './oauth/consent.ts'
import type { Choice } from './oauth/consent.ts'
import { guidOf, makeGrants } from './oauth/grants.ts'
import type { App, Granted, Person } from './oauth/grants.ts'
import { makeCompany } from './books/history.ts'
import { liveOn } from './books/simulated-activity.ts'
import { callLimits, xeroLimits } from './api/limits.ts'
import type { LimitFigures } from './api/limits.ts'
import { recall, remember } from './books/saved-books.ts'
import { makeMishaps } from './api/injected-faults.ts'
import type { Mishaps } from './api/injected-faults.ts'
import { paths } from './oauth/oauth.ts'
import { apiPrefix, serve } from './api/serve.ts'
import type { SeenRequest, State } from './api/serve.ts'
import { quietly } from './books/silent-changes.ts'
import type { Quiet } from './books/silent-changes.ts'
import { everyScope } from './oauth/scopes.ts'
import type { Query } from './api/query.ts'
import type { Row } from './api/value-format.ts'

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
}

export interface XeroOptions {
  readonly clock: Clock
  readonly seed: number
  /** Of the first company; the others are smaller. */
  readonly size: 'trial' | 'year' | Size
  readonly port?: number
  /** Where browsers may be sent back to; every address of this machine where nothing is said. */
  readonly redirectUris?: readonly string[]
  /** Other limits than Xero's own. */
  readonly limits?: Partial<LimitFigures>
  /** Journals open to apps of the dear tier only. */
  readonly tier?: 'core' | 'advanced'
  /** How many documents a query may look at; 100,000 where nothing is said. */
  readonly documentsMax?: number
  /** A file in which the companies are kept at every step; without one, each start makes them anew. */
  readonly memory?: string
}

export interface XeroSimulator {
  readonly addresses: { readonly authorise: string; readonly token: string; readonly api: string }
  /** An app that people let into their companies. */
  readonly clientId: string
  readonly clientSecret: string
  /** Another one, which some customer registered. */
  readonly otherApp: { readonly clientId: string; readonly clientSecret: string }
  /** A custom connection. */
  readonly machine: { readonly clientId: string; readonly clientSecret: string; readonly tenantId: string }
  readonly people: readonly Person[]
  readonly companies: readonly Company[]
  readonly requests: readonly SeenRequest[]
  /** Calls that came although a limit had been reached. */
  readonly beyondLimits: number
  /** Makes things go wrong. */
  readonly mishaps: Mishaps
  /** Tokens without a browser: of the first person and for all companies where nothing is said, with every scope. */
  issueToken(personIndex?: number, tenantIds?: readonly string[], scopes?: readonly string[]): Granted
  /** Goes through the page of consent as a browser would, and answers the address that it is sent back to. */
  consent(authoriseUrl: string, choice: Choice): Promise<string>
  /** All that a person allowed ends, whatever app it was for. */
  revoke(personIndex: number): void
  /** Nobody reaches the company any more until somebody consents anew. */
  disconnect(tenantId: string): void
  /** Lets one company or all of them live one step on. */
  tick(tenantId?: string): void
  /** Posts a line of a live invoice to another account, without a trace in the document. */
  recode(tenantId: string): Quiet
  /** Changes something without a trace: an account, a due date, whether an invoice was sent. */
  quietly(tenantId: string): Quiet
  /** What an endpoint answers now, without paging, limits, mishaps: everything, unless the query says otherwise. */
  tell(tenantId: string, endpoint: string, query?: Query): readonly Row[]
  close(): Promise<void>
}

const founded = [
  { name: 'Harbour Trading', country: 'NZ', currency: 'NZD', yearEndMonth: 3 },
  { name: 'Harbour Trading Australia', country: 'AU', currency: 'AUD', yearEndMonth: 6 },
  { name: 'Summit Foods', country: 'NZ', currency: 'NZD', yearEndMonth: 3 },
  { name: 'Northside Interiors', country: 'GB', currency: 'GBP', yearEndMonth: 12 },
] as const

const persons = [
  { email: 'aroha.ngata@books.example', firstName: 'Aroha', lastName: 'Ngata' },
  { email: 'ben.hughes@books.example', firstName: 'Ben', lastName: 'Hughes' },
  { email: 'mei.chen@books.example', firstName: 'Mei', lastName: 'Chen' },
] as const

export async function startXero(options: XeroOptions): Promise<XeroSimulator> {
  const { port = 0, memory } = options
  const state = makeState(options)
  const server = createServer((request, response) => void serve(state, request, response))
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve))
  state.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const companyOf = (tenantId: string): Company => known(state.companies.find((each) => each.tenantId === tenantId))
  const personOf = (index: number): Person => known(state.people[index])
  const [app, otherApp, machine] = state.apps.map(known) as [App, App, App & { tenantId: string }]
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
    get beyondLimits() {
      return state.beyondLimits
    },
    mishaps: state.mishaps,
    issueToken: (person = 0, tenantIds = state.companies.map(({ tenantId }) => tenantId), scopes = everyScope) =>
      state.grants.grant({
        clientId: app.clientId,
        personId: personOf(person).id,
        scopes,
        event: randomUUID(),
        tenantIds,
      }),
    consent: (address, choice) => consent(address, choice, state),
    revoke: (person) => state.grants.revoke(personOf(person).id),
    disconnect: (tenantId) => void state.grants.disconnect((connection) => connection.tenantId === tenantId),
    tick: (tenantId) => {
      for (const company of tenantId === undefined ? state.companies : [companyOf(tenantId)])
        liveOn(company, state.now())
      if (memory !== undefined) remember(memory, state.companies)
    },
    recode: (tenantId) => quietly(companyOf(tenantId), state.now(), 'account'),
    quietly: (tenantId) => quietly(companyOf(tenantId), state.now()),
    tell: (tenantId, endpoint, query = {}) => tell(companyOf(tenantId), endpoint, lowered(query), state.now()),
    close: () => closeServer(server),
  }
}

function makeState(options: XeroOptions): State {
  const { clock, seed, redirectUris, limits, tier = 'core', documentsMax = 100_000, memory } = options
  const now = (): number => clock.now()
  const id = (word: string): string => guidOf(`${seed} ${word}`)
  const kept = memory === undefined ? undefined : recall(memory)
  const companies = kept ?? makeCompanies(options, id)
  if (memory !== undefined) remember(memory, companies)
  const machineTenant = companies.at(-1)?.tenantId ?? ''
  const state: State = {
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
    mishaps: makeMishaps(),
    requests: [],
  }
  return state
}

function makeCompanies({ clock, seed, size }: XeroOptions, id: (word: string) => string): readonly Company[] {
  const first = sizeOf(size)
  return founded.map((company, index) =>
    makeCompany(
      { ...company, tenantId: id(company.name) },
      seed + index,
      index === 0 ? first : smaller(index, first),
      clock.now(),
    ),
  )
}

function sizeOf(size: XeroOptions['size']): Size {
  return size === 'trial' ? trialSize : size === 'year' ? yearSize : size
}

/** The companies after the first are never larger than those of a trial. */
function smaller(index: number, size: Size): Size {
  const invoices = Math.min(Math.ceil(size.invoices / (index + 1)), 150)
  return {
    ...size,
    invoices,
    invoicesMax: invoices + 40,
    contacts: Math.min(size.contacts, 24),
    items: Math.min(size.items, 12),
  }
}

function known<T>(found: T | undefined): T {
  if (found === undefined) throw new Error('The simulated Xero knows no such one.')
  return found
}

const lowered = (query: Query): Query =>
  Object.fromEntries(Object.entries(query).map(([name, value]) => [name.toLowerCase(), value]))

function closeServer(server: Server): Promise<void> {
  server.closeAllConnections()
  return new Promise((resolve) => server.close(() => resolve()))
}
