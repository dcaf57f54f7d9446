/**
 * A hostile OData v4 service: rows move while they are paged, changes are dated late, links lead back, replies are short, fail, or end in the
 * middle, and changes name deleted rows by id and have only the properties that changed.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createRandom, type Random } from '../../random.ts'
import { type DocumentStore, type HostileDocument, makeDocuments } from '../documents.ts'
import { injectedFaults } from '../injected-faults.ts'
import { ChangeLog, feedJson } from './changes.ts'
import { metadataXml } from './metadata.ts'
import { pageJson } from './pages.ts'
import { InvalidQueryError, partsJson } from './query.ts'
import { closeServer } from '../../local-server.ts'

export interface HostileODataOptions {
  readonly clock: { now(): number }
  readonly seed: number
  /** Of each company. */
  readonly documents: number
  readonly pageSize: number
  /** How the service divides its answers: links by key, links by count, or only as asked for. */
  readonly links: 'byKey' | 'byCount' | 'none'
  /** Ids of companies, whose sets are below `companies(id)`. Absent: sets are at the root. */
  readonly companies?: readonly number[]
  /** Deleted documents stay in the lists with a mark. */
  readonly keepsDeleted?: boolean
  readonly lateMs?: number
  readonly skewMs?: number
  /** The share of calls during which documents are changed. */
  readonly moves?: number
  /** Absent: any free one. */
  readonly port?: number
  /** The share of calls that fail at first. */
  readonly faults?: number
  /** The share of pages whose link leads back to the first page. */
  readonly loops?: number
  /** Rows have the member Colour, which the metadata do not declare. */
  readonly undeclared?: boolean
  /** The share of feeds whose token the service has forgotten. */
  readonly forgets?: number
}

export interface HostileOData extends AsyncDisposable {
  readonly url: string
  readonly token: string
  readonly companies: ReadonlyMap<number, ReadonlyMap<number, HostileDocument>>
  readonly calls: readonly string[]
  trade(times: number): void
  /** From now on nothing moves and nothing fails. */
  calm(): void
  /** Links to further pages that were given so far are refused. */
  forgetLinks(): void
}

interface CompanyStore {
  readonly store: DocumentStore
  readonly changes: ChangeLog
}

interface HostileState {
  readonly options: HostileODataOptions
  readonly random: Random
  readonly companies: ReadonlyMap<number, CompanyStore>
  isCalm: boolean
  /** Part of every link. */
  generation: number
  mayFail: boolean
}

/** The only company of a service without companies. */
const onlyCompany = 0

export async function startHostileOData(options: HostileODataOptions): Promise<HostileOData> {
  const random = createRandom(options.seed)
  const { clock, keepsDeleted = false, lateMs = 0, skewMs = 0, companies = [onlyCompany] } = options
  const now = (): number => clock.now() + skewMs
  const stores = companies.map((id) => {
    const store = makeDocuments(options.documents, { random, now, keepsDeleted, lateMs })
    return [id, { store, changes: new ChangeLog(store.documents) }] as const
  })
  const state: HostileState = {
    options,
    random,
    companies: new Map(stores),
    isCalm: false,
    generation: 1,
    mayFail: true,
  }
  const calls: string[] = []
  const token = 'hostile-token-000001'

  function respond(request: IncomingMessage, reply: ServerResponse): void {
    const url = new URL(request.url ?? '/', `http://${request.headers.host ?? 'localhost'}`)
    calls.push(decodeURIComponent(url.pathname + url.search.replaceAll('+', ' ')))
    if (request.headers.authorization !== `Bearer ${token}`) return void reply.writeHead(401).end()
    reply.sendDate = false
    reply.setHeader('date', new Date(now()).toUTCString())
    if (happens(state, options.moves)) trade(state, random.between(1, 4))
    const { status, body } = answer(state, url, String(request.headers['prefer'] ?? ''))
    // A call that failed succeeds when it is repeated.
    state.mayFail = !(state.mayFail && happens(state, options.faults))
    if (!state.mayFail) return random.pick(injectedFaults)(reply, body)
    reply.statusCode = status
    reply.setHeader('content-type', body.startsWith('<') ? 'application/xml' : 'application/json').end(body)
  }

  const server = createServer(respond)
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/odata/`,
    token,
    companies: new Map(stores.map(([id, { store }]) => [id, store.documents])),
    calls,
    trade: (times) => trade(state, times),
    calm() {
      state.isCalm = true
    },
    forgetLinks() {
      state.generation += 1
    },
    async [Symbol.asyncDispose]() {
      await closeServer(server)
    },
  }
}

function happens({ isCalm, random }: HostileState, share = 0): boolean {
  return !isCalm && random.next() < share
}

function trade({ companies }: HostileState, times: number): void {
  for (const { store, changes } of companies.values()) {
    store.trade(times)
    changes.record()
  }
}

interface HostileReply {
  readonly status: number
  readonly body: string
}

function answer(state: HostileState, url: URL, prefer: string): HostileReply {
  const path = decodeURIComponent(url.pathname.slice('/odata/'.length))
  const { options, companies } = state
  const hasCompanies = options.companies !== undefined
  if (path === '$metadata') return { status: 200, body: metadataXml(hasCompanies) }
  if (path === 'Companies' && hasCompanies) return { status: 200, body: companiesJson([...companies.keys()]) }
  const [, id = String(onlyCompany), set = ''] = /^(?:companies\((\d+)\)\/)?(.*)$/u.exec(path) ?? []
  const company = companies.get(Number(id))
  if (company === undefined) return notFound
  return set === 'Documents' ? documentsAnswer(state, { url, company, prefer }) : otherAnswer(company, set, url)
}

const notFound: HostileReply = { status: 404, body: '{"error":{"message":"Not found."}}' }

function documentsAnswer(
  state: HostileState,
  { url, company, prefer }: { url: URL; company: CompanyStore; prefer: string },
): HostileReply {
  try {
    return documentsReply(state, { url, company, tracks: prefer.includes('odata.track-changes') })
  } catch (error) {
    if (!(error instanceof InvalidQueryError)) throw error
    return { status: 400, body: JSON.stringify({ error: { message: error.message } }) }
  }
}

function otherAnswer({ store }: CompanyStore, set: string, url: URL): HostileReply {
  if (set === 'Kinds') return { status: 200, body: '{"value":[{"Code":"A"},{"Code":"B"}]}' }
  const [, id] = /^Documents\((\d+)\)\/Parts$/u.exec(set) ?? []
  const document = store.documents.get(Number(id))
  if (document === undefined) return notFound
  const skip = Number(url.searchParams.get('$skip') ?? 0)
  return { status: 200, body: `{${partsJson(document, skip, url.origin + url.pathname, 'value')}}` }
}

function companiesJson(ids: readonly number[]): string {
  return JSON.stringify({ value: ids.map((Id) => ({ Id, Name: `Company ${Id}` })) })
}

interface DocumentsQuestion {
  readonly url: URL
  readonly company: CompanyStore
  readonly tracks: boolean
}

function documentsReply(state: HostileState, { url, company, tracks }: DocumentsQuestion): HostileReply {
  const { options, random } = state
  const { changes, store } = company
  const since = url.searchParams.get('$deltatoken')
  if (since !== null && happens(state, options.forgets)) return { status: 410, body: '{}' }
  if (since !== null) return { status: 200, body: feedJson(changes, { url, since: Number(since), ...options, random }) }
  const generation = url.searchParams.get('$generation') ?? String(state.generation)
  if (generation !== String(state.generation)) return { status: 410, body: '{}' }
  const leadsBack = happens(state, options.loops)
  const body = pageJson([...store.documents.values()], {
    url,
    ...options,
    leadsBack,
    tracks,
    changes: changes.length,
    generation,
  })
  return { status: 200, body }
}
