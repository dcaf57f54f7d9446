/** A simulated Iceberg REST catalog over HTTP, with object storage: tokens that expire, vended credentials, strict commits. */
import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createFaultQueue, type FaultQueue } from '../fault-queue.ts'
import { closeServer, listen } from '../local-server.ts'
import { type LakeFault, type ObjectStoreSimulator, readBody, startObjectStore } from './object-store.ts'
import { checkSignature } from './signature.ts'
import { credentials, described, purge } from './table-files.ts'
import {
  commit,
  CommitRefused,
  createTableState,
  type Json,
  type JsonObject,
  objectOf,
  parseWithIds,
  stringifyWithIds,
  type TableState,
} from './tables.ts'

export interface LakeOptions {
  readonly clock: { now(): number }
  /** How requests are authorised; default `oauth2`. */
  readonly signIn?: 'oauth2' | 'sigv4' | 'none'
  /** Whether tables come with credentials for their files. */
  readonly vends?: boolean
  /** Whether several tables can be committed at once. */
  readonly offersTransactions?: boolean
  /** Where the files of tables are, with a slash at the end, in storage that is not simulated; default: the simulated one. */
  readonly storageRoot?: string
}

export interface LakeSimulator {
  /** The address of the catalog, without /v1. */
  readonly url: string
  readonly clientId: string
  readonly clientSecret: string
  readonly store: ObjectStoreSimulator
  readonly tables: ReadonlyMap<string, TableState>
  readonly faults: FaultQueue<LakeFault>
  readonly requests: readonly string[]
  /** Ends all access tokens that were issued. */
  expireTokens(): void
  close(): Promise<void>
}

interface CatalogState {
  readonly options: LakeOptions
  readonly store: ObjectStoreSimulator
  readonly namespaces: Set<string>
  readonly tables: Map<string, TableState>
  readonly tokens: Set<string>
  readonly faults: FaultQueue<LakeFault>
  readonly requests: string[]
}

interface CatalogReply {
  readonly status: number
  readonly body?: unknown
}

const clientId = 'tributary'
const clientSecret = 'client secret & more'
const prefix = 'main/catalog'
const separator = '\u001F'

export async function startLake(options: LakeOptions): Promise<LakeSimulator> {
  const store = await startObjectStore(options.clock)
  const state: CatalogState = {
    options,
    store,
    namespaces: new Set(),
    tables: new Map(),
    tokens: new Set(),
    faults: createFaultQueue<LakeFault>(),
    requests: [],
  }
  const server = createServer((request, response) => void respond(state, request, response))
  await listen(server, 0)
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/iceberg`,
    clientId,
    clientSecret,
    store,
    tables: state.tables,
    faults: state.faults,
    requests: state.requests,
    expireTokens: () => state.tokens.clear(),
    close: async () => {
      await closeServer(server)
      await store.close()
    },
  }
}

async function respond(state: CatalogState, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await readBody(request)
  const fault = state.faults.next(`${request.method} ${kindOf(request.url ?? '')}`)
  if (fault?.kind === 'drop') return void request.socket.destroy()
  state.requests.push(`${request.method} ${request.url}`)
  const reply = fault?.kind === 'status' ? problem(fault.status, 'Simulated') : answer(state, request, body)
  if (fault?.kind === 'lose') return void request.socket.destroy()
  response.writeHead(reply.status, { 'content-type': 'application/json' })
  response.end(reply.body === undefined ? undefined : stringifyWithIds(reply.body))
}

/** The last named part of a path: `tables`, `table`, `commit`, `rename`, `config`, `credentials`. */
function kindOf(url: string): string {
  const segments = (url.split('?')[0] ?? '').split('/')
  return segments.at(-2) === 'tables' && segments.at(-1) !== 'rename' ? 'table' : (segments.at(-1) ?? '')
}

function answer(state: CatalogState, request: IncomingMessage, body: Buffer): CatalogReply {
  const url = new URL(request.url ?? '', 'http://catalog')
  const path = url.pathname.replace(/^\/iceberg\/v1\//u, '')
  if (path === 'oauth/tokens') return issueToken(state, body)
  if (!isAuthorized(state, request, body)) return problem(401, 'NotAuthorizedException')
  if (path === 'config')
    return url.searchParams.get('warehouse') === 'main' ? config(state) : problem(404, 'NoSuchWarehouseException')
  if (!path.startsWith(`${prefix}/`)) return problem(404, 'NotFoundException')
  const segments = path
    .slice(prefix.length + 1)
    .split('/')
    .map(decodeURIComponent)
  const call = {
    method: request.method ?? 'GET',
    segments,
    query: url.searchParams,
    json: () => parseWithIds(body.toString()),
  }
  const wantsCredentials = request.headers['x-iceberg-access-delegation'] === 'vended-credentials'
  try {
    return route(state, call, wantsCredentials && state.options.vends === true)
  } catch (error) {
    if (error instanceof CommitRefused) return problem(409, 'CommitFailedException', error.message)
    throw error
  }
}

interface CatalogCall {
  readonly method: string
  readonly segments: readonly string[]
  readonly query: URLSearchParams
  json(): JsonObject
}

function route(state: CatalogState, call: CatalogCall, vends: boolean): CatalogReply {
  const [first = '', second, third, fourth, fifth] = call.segments
  if (first === 'transactions') return commitAll(state, call)
  if (first === 'tables') return renameTable(state, call)
  if (first !== 'namespaces') return problem(404, 'NotFoundException')
  if (second === undefined) return createNamespace(state, call)
  if (!state.namespaces.has(second)) return problem(404, 'NoSuchNamespaceException')
  if (third === undefined) return { status: 200, body: { namespace: second.split(separator), properties: {} } }
  if (fourth === undefined)
    return call.method === 'POST' ? createTable(state, second, call, vends) : list(state, second, call)
  return answerTable(state, {
    call,
    name: `${second}${separator}${fourth}`,
    isCredentials: fifth === 'credentials',
    vends,
  })
}

interface TableCall {
  readonly call: CatalogCall
  readonly name: string
  readonly isCredentials: boolean
  readonly vends: boolean
}

function answerTable(state: CatalogState, { call, name, isCredentials, vends }: TableCall): CatalogReply {
  const table = state.tables.get(name)
  if (table === undefined) return problem(404, 'NoSuchTableException')
  if (call.method === 'DELETE') {
    state.tables.delete(name)
    if (call.query.get('purgeRequested') === 'true' && state.options.storageRoot === undefined)
      purge(state.store, table)
    return { status: 204 }
  }
  if (isCredentials) return { status: 200, body: credentials(state.store, table, state.options.clock.now()) }
  if (call.method === 'POST') {
    table.metadata = commit(table.metadata, call.json(), state.options.clock.now())
    table.version += 1
    return { status: 200, body: described(table) }
  }
  return {
    status: 200,
    body: { ...described(table), ...(vends && credentials(state.store, table, state.options.clock.now())) },
  }
}

function createNamespace(state: CatalogState, { json }: CatalogCall): CatalogReply {
  const levels = json()['namespace'] as readonly string[]
  const name = levels.join(separator)
  if (state.namespaces.has(name)) return problem(409, 'AlreadyExistsException')
  if (levels.length > 1 && !state.namespaces.has(levels.slice(0, -1).join(separator)))
    return problem(404, 'NoSuchNamespaceException')
  state.namespaces.add(name)
  return { status: 200, body: { namespace: levels, properties: {} } }
}

const pageSize = 2

function list({ tables }: CatalogState, namespace: string, { query }: CatalogCall): CatalogReply {
  const start = Number(query.get('pageToken') ?? 0)
  const names = [...tables.keys()]
    .map((name) => name.split(separator))
    .filter((name) => name.slice(0, -1).join(separator) === namespace)
  const identifiers = names
    .slice(start, start + pageSize)
    .map((name) => ({ namespace: name.slice(0, -1), name: name.at(-1) }))
  const next = start + pageSize < names.length ? { 'next-page-token': String(start + pageSize) } : {}
  return { status: 200, body: { identifiers, ...next } }
}

function createTable(state: CatalogState, namespace: string, { json }: CatalogCall, vends: boolean): CatalogReply {
  const request = json()
  const name = `${namespace}${separator}${String(request['name'])}`
  if (state.tables.has(name)) return problem(409, 'AlreadyExistsException')
  const folder = `${namespace.replaceAll(separator, '/')}/${randomUUID()}`
  const root = state.options.storageRoot ?? `s3://${state.store.bucket}/`
  const table = createTableState(`${root}${folder}`, request, state.options.clock.now())
  state.tables.set(name, table)
  return {
    status: 200,
    body: { ...described(table), ...(vends && credentials(state.store, table, state.options.clock.now())) },
  }
}

function renameTable({ tables }: CatalogState, { json }: CatalogCall): CatalogReply {
  const request = json()
  const nameOf = (identifier: Json | undefined) => {
    const { namespace, name } = objectOf(identifier)
    return [...(namespace as readonly string[]), String(name)].join(separator)
  }
  const table = tables.get(nameOf(request['source']))
  if (table === undefined) return problem(404, 'NoSuchTableException')
  if (tables.has(nameOf(request['destination']))) return problem(409, 'AlreadyExistsException')
  tables.delete(nameOf(request['source']))
  tables.set(nameOf(request['destination']), table)
  return { status: 204 }
}

function commitAll(state: CatalogState, { json }: CatalogCall): CatalogReply {
  if (state.options.offersTransactions !== true) return problem(404, 'NotFoundException')
  const changes = json()['table-changes'] as readonly JsonObject[]
  const changed = changes.map((change) => {
    const { namespace, name } = objectOf(change['identifier'])
    const table = state.tables.get([...(namespace as readonly string[]), String(name)].join(separator))
    if (table === undefined) throw new CommitRefused('Table is missing')
    return { table, metadata: commit(table.metadata, change, state.options.clock.now()) }
  })
  for (const { table, metadata } of changed) {
    table.metadata = metadata
    table.version += 1
  }
  return { status: 204 }
}

function config({ options, store }: CatalogState): CatalogReply {
  const namespace = '/v1/{prefix}/namespaces/{namespace}'
  const table = `${namespace}/tables/{table}`
  const endpoints = [
    'POST /v1/{prefix}/namespaces',
    `GET ${namespace}`,
    `GET ${namespace}/tables`,
    `POST ${namespace}/tables`,
    `GET ${table}`,
    `POST ${table}`,
    `DELETE ${table}`,
    'POST /v1/{prefix}/tables/rename',
    ...(options.vends === true ? [`GET ${table}/credentials`] : []),
    ...(options.offersTransactions === true ? ['POST /v1/{prefix}/transactions/commit'] : []),
  ]
  const storage = { 's3.endpoint': store.url, 's3.path-style-access': 'true', 'client.region': 'eu-central-1' }
  return { status: 200, body: { defaults: storage, overrides: { prefix }, endpoints } }
}

function issueToken({ tokens, options }: CatalogState, body: Buffer): CatalogReply {
  const form = new URLSearchParams(body.toString())
  const isKnown = form.get('client_id') === clientId && form.get('client_secret') === clientSecret
  if (options.signIn === 'none' || form.get('grant_type') !== 'client_credentials' || !isKnown)
    return { status: 401, body: { error: 'invalid_client' } }
  const token = randomUUID()
  tokens.add(token)
  return { status: 200, body: { access_token: token, token_type: 'bearer', expires_in: 3_600 } }
}

function isAuthorized({ options, tokens, store }: CatalogState, request: IncomingMessage, body: Buffer): boolean {
  if (options.signIn === 'none') return true
  if (options.signIn !== 'sigv4') return tokens.has((request.headers.authorization ?? '').slice('Bearer '.length))
  return checkSignature(store.keys, { request, body, service: 'glue', now: options.clock.now() }).accepted
}

function problem(code: number, type: string, message = 'Simulated.'): CatalogReply {
  return { status: code, body: { error: { code, type, message } } }
}
