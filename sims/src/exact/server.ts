/** A simulated Exact Online over HTTP: its sign-in, the companies that a person may see, and their books. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createRandom } from '../random.ts'
import { consentPage, readConsentForm } from '../consent-page.ts'
import { closeServer, listen, serve } from '../local-server.ts'
import { bookEntry, type ExactBooks, type ExactRecord, listsOf, makeBooks } from './books.ts'
import { fieldsOf } from './fields.ts'
import { createIdentity, type ExactIdentity, type ExactPerson } from './identity.ts'

export interface ExactOptions {
  readonly clock: { now(): number }
  readonly seed: number
  /** How many entries each company has: 40 if nothing is said. */
  readonly size?: number
  readonly port?: number
  readonly pageSize?: number
  /** Happens before each reply. */
  readonly beforeReply?: (path: string) => void
}

export interface ExactSimulator {
  readonly addresses: { readonly authorise: string; readonly token: string; readonly api: string }
  readonly clientId: string
  readonly clientSecret: string
  readonly people: readonly ExactPerson[]
  readonly books: ReadonlyMap<number, ExactBooks>
  readonly identity: ExactIdentity
  readonly requests: readonly { readonly target: string; readonly status: number }[]
  /** Each company books an entry. */
  tick(): void
  close(): Promise<void>
}

const people: readonly ExactPerson[] = [
  {
    id: 'b7a4dc17-8e5c-4f2f-9f6b-0d6a7c1c0001',
    name: 'Sanne de Vries',
    email: 'sanne@books.example',
    divisions: [101, 102],
  },
  { id: 'b7a4dc17-8e5c-4f2f-9f6b-0d6a7c1c0002', name: 'Joris Bakker', email: 'joris@books.example', divisions: [103] },
]

/** By number. */
const companies: Readonly<Record<number, { readonly name: string; readonly country: string }>> = {
  101: { name: 'Delft Bloemen B.V.', country: 'NL' },
  102: { name: 'Delft Bloemen GmbH', country: 'DE' },
  103: { name: 'Maas Techniek B.V.', country: 'NL' },
}

export async function startExact(options: ExactOptions): Promise<ExactSimulator> {
  const { clock, seed, size = 40, port = 0 } = options
  const app = { clientId: 'exact-client', clientSecret: 'exact-secret-of-the-app' }
  const random = createRandom(seed)
  const books = new Map(
    Object.keys(companies)
      .map(Number)
      .map((division) => [division, makeBooks(division, { random, clock, size })]),
  )
  const state: ServerState = { options, identity: createIdentity(clock, app), books, requests: [] }
  const server = serve((request, response) => respond(state, request, response))
  await listen(server, port)
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    addresses: {
      authorise: `${origin}/api/oauth2/auth`,
      token: `${origin}/api/oauth2/token`,
      api: `${origin}/api/v1/`,
    },
    ...app,
    people,
    books,
    identity: state.identity,
    requests: state.requests,
    tick() {
      for (const [division, ofCompany] of books) bookEntry(ofCompany, { division, random, clock })
    },
    close: () => closeServer(server),
  }
}

interface ServerState {
  readonly options: ExactOptions
  readonly identity: ExactIdentity
  readonly books: ReadonlyMap<number, ExactBooks>
  readonly requests: { target: string; status: number }[]
}

async function respond(state: ServerState, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', `http://${request.headers.host ?? 'localhost'}`)
  state.options.beforeReply?.(url.pathname)
  let body = ''
  for await (const part of request) body += String(part)
  if (url.pathname === '/api/oauth2/auth') return respondConsent(state, { url, method: request.method, body }, response)
  const { status, json } =
    url.pathname === '/api/oauth2/token' ? tokenReply(state, body) : apiReply(state, url, request.headers.authorization)
  state.requests.push({ target: url.pathname + url.search, status })
  response.writeHead(status, { 'content-type': 'application/json', 'x-ratelimit-minutely-remaining': '50' })
  response.end(JSON.stringify(json))
}

interface ConsentRequest {
  readonly url: URL
  readonly method: string | undefined
  readonly body: string
}

function respondConsent(
  { identity }: ServerState,
  { url, method, body }: ConsentRequest,
  response: ServerResponse,
): void {
  if (method === 'POST') {
    const chosen = readConsentForm(body)
    const person = people.find(({ id }) => id === chosen)
    const location = identity.consent(url.href, person ?? null)
    return void response.writeHead(303, { location }).end()
  }
  const page = consentPage({
    source: 'Exact Online',
    heading: 'Allow access',
    explanation: 'An app wants to read the books of the companies that you may see.',
    question: 'Who are you?',
    choices: people.map(({ id, name, divisions }) => ({
      value: id,
      title: name,
      detail: divisions.map((division) => companies[division]?.name).join(', '),
    })),
    allow: 'Allow',
    address: url,
  })
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page)
}

interface JsonReply {
  readonly status: number
  readonly json: unknown
}

function tokenReply({ identity }: ServerState, body: string): JsonReply {
  const { status, body: json } = identity.token(new URLSearchParams(body))
  return { status, json }
}

function apiReply(state: ServerState, url: URL, authorization = ''): JsonReply {
  const person = state.identity.personOf(authorization.replace(/^Bearer /u, ''))
  if (person === undefined) return { status: 401, json: { error: { code: '', message: { value: 'Unauthorized' } } } }
  const [first = '', ...rest] = url.pathname.replace('/api/v1/', '').split('/')
  if (first === 'current') return results([meOf(person)])
  const division = Number(first)
  if (!person.divisions.includes(division)) return { status: 403, json: { error: { code: 'Forbidden' } } }
  const path = rest.join('/')
  if (path === 'hrm/Divisions') return results(person.divisions.map((code) => divisionOf(code)))
  const found = state.books.get(division)
  const isDivisions = path === 'system/Divisions'
  const list = isDivisions ? divisionsOf(person, url) : found === undefined ? undefined : listsOf(found)[path]
  return list === undefined ? { status: 404, json: { error: { code: 'Not found' } } } : pageOf(state, url, path, list)
}

/** Lists for synchronisation are filtered by their timestamp; of all lists only the fields are given that are asked for. */
function pageOf({ options }: ServerState, url: URL, path: string, list: readonly ExactRecord[]): JsonReply {
  const fields = url.searchParams.get('$select')?.split(',') ?? []
  const isFiltered = url.searchParams.get('$filter') === 'Timestamp gt 0L'
  const known = fieldsOf[path] ?? []
  const strange = fields.find((field) => !known.includes(field))
  if (fields.length === 0 || strange !== undefined || isFiltered !== path.startsWith('sync/'))
    return { status: 400, json: { error: { code: '', message: { value: `Unknown field ${strange ?? ''}` } } } }
  const from = Number(url.searchParams.get('$skiptoken') ?? 0)
  const page = list.slice(from, from + (options.pageSize ?? 1_000))
  const given = page.map((record) => Object.fromEntries(fields.map((field) => [field, record[field] ?? null])))
  if (from + page.length >= list.length) return results(given)
  const next = new URL(url)
  next.searchParams.set('$skiptoken', String(from + page.length))
  return results(given, next.href)
}

function results(list: readonly unknown[], next?: string): JsonReply {
  return { status: 200, json: { d: { results: list, ...(next !== undefined && { __next: next }) } } }
}

function meOf({ id, name, email, divisions }: ExactPerson): unknown {
  return { UserID: id, FullName: name, Email: email, CurrentDivision: divisions[0] }
}

function divisionOf(code: number): ExactRecord {
  return { Code: code, Description: companies[code]?.name, Country: companies[code]?.country, Currency: 'EUR' }
}

/** Those of the person, or the one that the filter names. */
function divisionsOf({ divisions }: ExactPerson, { searchParams }: URL): readonly ExactRecord[] {
  const [, code] = /^Code eq (\d+)$/u.exec(searchParams.get('$filter') ?? '') ?? []
  return divisions.filter((one) => code === undefined || one === Number(code)).map((one) => divisionOf(one))
}
