/**
 * An API that does everything that APIs do wrong: records move while pages are read, many have the same stamp, commits are late, clocks
 * are skewed, calls are refused, fail, or end in the middle.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createRandom, type Random } from '../random.ts'
import { type HostileDocument, makeDocuments } from './documents.ts'
import { injectedFaults } from './injected-faults.ts'
import { closeServer } from '../local-server.ts'

export type HostilePaging = 'none' | 'nextLink' | 'linkHeader' | 'pageNumber' | 'offset' | 'cursor' | 'keyset'

export interface HostileOptions {
  readonly clock: { now(): number }
  readonly seed: number
  readonly documents: number
  readonly paging: HostilePaging
  readonly pageSize: number
  /** Deleted documents stay in the lists with a mark. */
  readonly keepsDeleted?: boolean
  readonly lateMs?: number
  /** How far the clock of the API is ahead of the caller’s. */
  readonly skewMs?: number
  /** The order of the lists. */
  readonly order?: 'id' | 'changedAt'
  /** The share of calls during which documents are changed. */
  readonly moves?: number
  /** Absent: any free one. */
  readonly port?: number
  /** The share of calls that fail at first. */
  readonly faults?: number
  /** The list has only the ids; documents are read one by one. */
  readonly hasDetails?: boolean
}

export interface HostileApi extends AsyncDisposable {
  readonly url: string
  readonly token: string
  readonly documents: ReadonlyMap<number, HostileDocument>
  readonly calls: readonly string[]
  trade(times: number): void
  /** From now on nothing moves and nothing fails. */
  calm(): void
}

export async function startHostileApi(options: HostileOptions): Promise<HostileApi> {
  const random = createRandom(options.seed)
  const { clock, keepsDeleted = false, lateMs = 0, skewMs = 0 } = options
  const now = (): number => clock.now() + skewMs
  const store = makeDocuments(options.documents, { random, now, keepsDeleted, lateMs })
  const state = { isCalm: false, mayFail: true }
  const calls: string[] = []
  const token = 'hostile-token-000001'

  function respond(request: IncomingMessage, reply: ServerResponse): void {
    const url = new URL(request.url ?? '/', `http://${request.headers.host ?? 'localhost'}`)
    calls.push(url.pathname + url.search)
    if (request.headers.authorization !== `Bearer ${token}`) return void reply.writeHead(401).end()
    reply.sendDate = false
    reply.setHeader('date', new Date(now()).toUTCString())
    if (!state.isCalm && random.next() < (options.moves ?? 0)) store.trade(random.between(1, 4))
    const body = answer({ url, reply, options, store, random })
    // A call that failed succeeds when it is repeated.
    const fails = !state.isCalm && state.mayFail && random.next() < (options.faults ?? 0)
    state.mayFail = !fails
    if (fails) return random.pick(injectedFaults)(reply, body)
    if (!reply.writableEnded) reply.setHeader('content-type', 'application/json').end(body)
  }

  const server = createServer(respond)
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/v1/`,
    token,
    documents: store.documents,
    calls,
    trade: store.trade,
    calm() {
      state.isCalm = true
    },
    async [Symbol.asyncDispose]() {
      await closeServer(server)
    },
  }
}

interface Question {
  readonly url: URL
  readonly reply: ServerResponse
  readonly options: HostileOptions
  readonly store: { readonly documents: ReadonlyMap<number, HostileDocument> }
  readonly random: Random
}

function answer(question: Question): string {
  const { url, reply, store } = question
  const [, id] = /^\/v1\/documents\/(\d+)$/u.exec(url.pathname) ?? []
  if (id !== undefined) {
    const document = store.documents.get(Number(id))
    if (document !== undefined) return JSON.stringify({ document: 0 }).replace('0', documentJson(document))
    reply.statusCode = 404
    return '{"error":"gone"}'
  }
  if (url.pathname !== '/v1/documents') {
    reply.statusCode = 404
    return '{}'
  }
  return listJson(question, matching(question))
}

function matching({ url, options, store }: Question): readonly HostileDocument[] {
  const bound = (name: string): number | null => {
    const value = url.searchParams.get(name)
    return value === null ? null : Date.parse(value)
  }
  const [since, before] = [bound('changed_since'), bound('changed_before')]
  const found = [...store.documents.values()].filter(
    ({ changedAt }) => (since === null || changedAt >= since) && (before === null || changedAt < before),
  )
  const byId = (one: HostileDocument, other: HostileDocument): number => one.id - other.id
  return options.order === 'changedAt'
    ? found.toSorted((one, other) => one.changedAt - other.changedAt || byId(one, other))
    : found.toSorted(byId)
}

function listJson(question: Question, found: readonly HostileDocument[]): string {
  const { url, options } = question
  // As APIs do, it gives smaller pages than asked for.
  const pageSize = Math.min(options.pageSize, Number(url.searchParams.get('size') ?? options.pageSize))
  const { documents, more = '' } = pages[options.paging]({ ...question, found, pageSize })
  const toJson = options.hasDetails === true ? ({ id }: HostileDocument) => `{"id":${id}}` : documentJson
  return `{"total":${found.length}${more},"data":[${documents.map(toJson).join(',')}]}`
}

interface PageQuestion extends Question {
  readonly found: readonly HostileDocument[]
  readonly pageSize: number
}

interface HostilePage {
  readonly documents: readonly HostileDocument[]
  /** The JSON of further members of the reply, after a comma. */
  readonly more?: string
}

const pages: { readonly [paging in HostilePaging]: (question: PageQuestion) => HostilePage } = {
  none: ({ found }) => ({ documents: found }),
  nextLink: ({ found, url, pageSize }) => ({
    documents: afterId(found, url).slice(0, pageSize),
    more: `,"next":${JSON.stringify(nextAfter(found, url, pageSize))}`,
  }),
  linkHeader({ found, url, pageSize, reply }) {
    const next = nextAfter(found, url, pageSize)
    if (next !== null) reply.setHeader('link', `<${url.href}>; rel="self", <${next}>; rel="next"`)
    return { documents: afterId(found, url).slice(0, pageSize) }
  },
  pageNumber({ found, url, pageSize }) {
    const page = Number(url.searchParams.get('page') ?? 1)
    return { documents: found.slice((page - 1) * pageSize, page * pageSize) }
  },
  offset({ found, url, pageSize }) {
    const from = Number(url.searchParams.get('from') ?? 0)
    return { documents: found.slice(from, from + pageSize) }
  },
  cursor({ found, url, pageSize }) {
    const rest = afterId(found, url)
    const last = rest.length > pageSize ? rest[pageSize - 1] : undefined
    const cursor = last === undefined ? 'null' : `"${last.id}"`
    return { documents: rest.slice(0, pageSize), more: `,"more":${last !== undefined},"cursor":${cursor}` }
  },
  keyset({ found, url, pageSize }) {
    const rest = afterId(found, url)
    return { documents: rest.slice(0, pageSize), more: `,"more":${rest.length > pageSize}` }
  },
}

/** The position of cursors and links is the id after which a page begins, in the order of ids. */
function afterId(found: readonly HostileDocument[], url: URL): readonly HostileDocument[] {
  const after = Number(url.searchParams.get('after') ?? 0)
  return found.filter(({ id }) => id > after)
}

function nextAfter(found: readonly HostileDocument[], url: URL, pageSize: number): string | null {
  const rest = afterId(found, url)
  const last = rest[pageSize - 1]
  if (last === undefined || rest.length === pageSize) return null
  const next = new URL(url)
  next.searchParams.set('after', String(last.id))
  return next.href
}

function documentJson({ id, name, amount, changedAt, createdAt, isDeleted, lines }: HostileDocument): string {
  const lineJson = lines.map(({ sku, quantity }) => `{"sku":${JSON.stringify(sku)},"quantity":${quantity}}`)
  const moments = `"changed":"${new Date(changedAt).toISOString()}","created":${Math.floor(createdAt / 1_000)}`
  return `{"id":${id},"name":${JSON.stringify(name)},"amount":${amount},${moments},"deleted":${isDeleted},"lines":[${lineJson.join(',')}]}`
}
