/** A simulated Exact Online over HTTP: its sign-in, the companies that a person may see, and their books. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createRandom } from '../random.ts'
import { type ExactBooks, type ExactRecord, listsOf, makeBooks } from './books.ts'
import { fieldsOf } from './fields.ts'
import { createIdentity, type ExactIdentity, type ExactPerson } from './identity.ts'
import { closeServer } from '../local-server.ts'

export interface ExactOptions {
  readonly clock: { now(): number }
  readonly seed: number
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

export async function startExact(options: ExactOptions): Promise<ExactSimulator> {
  const { clock, seed } = options
  const app = { clientId: 'exact-client', clientSecret: 'exact-secret-of-the-app' }
  const random = createRandom(seed)
  const books = new Map([101, 102, 103].map((division) => [division, makeBooks(division, random, clock)]))
  const state: ServerState = { options, identity: createIdentity(clock, app), books, requests: [] }
  const server = createServer((request, response) => void respond(state, request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
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
  const { status, json } =
    url.pathname === '/api/oauth2/token' ? tokenReply(state, body) : apiReply(state, url, request.headers.authorization)
  state.requests.push({ target: url.pathname + url.search, status })
  response.writeHead(status, { 'content-type': 'application/json', 'x-ratelimit-minutely-remaining': '50' })
  response.end(JSON.stringify(json))
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
  return { Code: code, Description: `Company ${code}`, Country: 'NL', Currency: 'EUR' }
}

/** Those of the person, or the one that the filter names. */
function divisionsOf({ divisions }: ExactPerson, { searchParams }: URL): readonly ExactRecord[] {
  const [, code] = /^Code eq (\d+)$/u.exec(searchParams.get('$filter') ?? '') ?? []
  return divisions.filter((one) => code === undefined || one === Number(code)).map((one) => divisionOf(one))
}
