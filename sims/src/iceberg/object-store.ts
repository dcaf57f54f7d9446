/** A simulated object store with the API of S3: signatures, ranges, uploads in parts, lists in pages, faults. */
import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createFaultQueue, type FaultQueue } from '../fault-queue.ts'
import { closeServer, listen } from '../local-server.ts'
import { type AccessKey, checkSignature } from './signature.ts'

/** `lose`: the request is executed, and the connection ends before the reply. `path`: the method of the request, with the kind of the call at the catalog. */
export type LakeFault = { readonly path?: string; readonly after?: number; readonly times?: number } & (
  | { readonly kind: 'status'; readonly status: number }
  | { readonly kind: 'lose' | 'drop' }
)

interface StoredObject {
  readonly content: Buffer
  readonly modifiedAt: number
}

export interface ObjectStoreSimulator {
  readonly url: string
  readonly bucket: string
  readonly keys: Map<string, AccessKey>
  readonly objects: Map<string, StoredObject>
  /** Unfinished uploads in parts. */
  readonly uploads: ReadonlyMap<string, unknown>
  readonly faults: FaultQueue<LakeFault>
  readonly requests: readonly string[]
  close(): Promise<void>
}

interface Upload {
  readonly key: string
  readonly parts: Map<number, Buffer>
}

interface StoreState {
  readonly clock: { now(): number }
  readonly bucket: string
  readonly keys: Map<string, AccessKey>
  readonly objects: Map<string, StoredObject>
  readonly uploads: Map<string, Upload>
  readonly faults: FaultQueue<LakeFault>
  readonly requests: string[]
}

interface ObjectRequest {
  readonly method: string
  readonly key: string
  readonly query: URLSearchParams
  readonly headers: IncomingMessage['headers']
  readonly body: Buffer
}

interface ObjectReply {
  readonly status: number
  readonly body?: string | Buffer
  readonly headers?: Readonly<Record<string, string>>
}

export async function startObjectStore(clock: { now(): number }): Promise<ObjectStoreSimulator> {
  const state: StoreState = {
    clock,
    bucket: 'lake',
    keys: new Map([['AKIATRIBUTARY', { secret: 'the/secret+key' }]]),
    objects: new Map(),
    uploads: new Map(),
    faults: createFaultQueue<LakeFault>(),
    requests: [],
  }
  const server = createServer((request, response) => void respond(state, request, response))
  await listen(server, 0)
  const { port } = server.address() as AddressInfo
  return { ...state, url: `http://127.0.0.1:${port}`, close: () => closeServer(server) }
}

async function respond(state: StoreState, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await readBody(request)
  const fault = state.faults.next(request.method ?? '')
  if (fault?.kind === 'drop') return void request.socket.destroy()
  state.requests.push(`${request.method} ${request.url}`)
  const reply = fault?.kind === 'status' ? s3Error(fault.status, 'SlowDown') : answer(state, request, body)
  if (fault?.kind === 'lose') return void request.socket.destroy()
  const content = Buffer.from(reply.body ?? '')
  response.writeHead(reply.status, { 'content-length': String(content.length), ...reply.headers })
  response.end(request.method === 'HEAD' ? undefined : content)
}

function answer(state: StoreState, request: IncomingMessage, body: Buffer): ObjectReply {
  const verdict = checkSignature(state.keys, { request, body, service: 's3', now: state.clock.now() })
  if (!verdict.accepted) return s3Error(403, verdict.code)
  const [path = '', query = ''] = (request.url ?? '').split('?')
  const [, bucket, ...rest] = path.split('/')
  if (bucket !== state.bucket) return s3Error(404, 'NoSuchBucket')
  const key = rest.map(decodeURIComponent).join('/')
  const { method = 'GET', headers } = request
  const objectRequest = { method, key, query: new URLSearchParams(query.replaceAll('+', '%2B')), headers, body }
  if (!mayTouch(verdict.key, objectRequest)) return s3Error(403, 'AccessDenied')
  if (key === '') return answerBucket(state, objectRequest)
  return objectRequest.query.has('uploadId') || objectRequest.query.has('uploads')
    ? answerUpload(state, objectRequest)
    : answerObject(state, objectRequest)
}

function mayTouch({ prefix }: AccessKey, { key, query, body }: ObjectRequest): boolean {
  if (prefix === undefined) return true
  if (key !== '') return key.startsWith(prefix)
  if (query.has('delete')) return keysIn(body).every((one) => one.startsWith(prefix))
  return query.get('prefix')?.startsWith(prefix) ?? false
}

function answerObject({ objects, clock }: StoreState, { method, key, headers, body }: ObjectRequest): ObjectReply {
  if (method === 'PUT') {
    objects.set(key, { content: body, modifiedAt: clock.now() })
    return { status: 200, headers: { etag: tagOf(body) } }
  }
  const found = objects.get(key)
  if (method === 'DELETE') {
    objects.delete(key)
    return { status: 204 }
  }
  if (found === undefined) return s3Error(404, 'NoSuchKey')
  const { content } = found
  const [, from, to] = /^bytes=(\d+)-(\d+)$/u.exec(headers.range ?? '') ?? []
  if (from === undefined || to === undefined)
    return { status: 200, body: content, headers: method === 'HEAD' ? { 'content-length': `${content.length}` } : {} }
  if (Number(from) >= content.length) return s3Error(416, 'InvalidRange')
  return { status: 206, body: content.subarray(Number(from), Number(to) + 1) }
}

function answerUpload(state: StoreState, { method, key, query, body }: ObjectRequest): ObjectReply {
  const { uploads, objects, clock } = state
  if (query.has('uploads')) {
    const id = `upload/${uploads.size + 1}+${key.length}`
    uploads.set(id, { key, parts: new Map() })
    return {
      status: 200,
      body: `<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`,
    }
  }
  const id = query.get('uploadId') ?? ''
  const upload = uploads.get(id)
  if (upload === undefined || upload.key !== key) return s3Error(404, 'NoSuchUpload')
  if (method === 'PUT') {
    upload.parts.set(Number(query.get('partNumber')), body)
    return { status: 200, headers: { etag: tagOf(body) } }
  }
  uploads.delete(id)
  if (method === 'DELETE') return { status: 204 }
  const listed = [...body.toString().matchAll(/<PartNumber>(\d+)<\/PartNumber><ETag>([^<]+)<\/ETag>/gu)]
  const parts = listed.map(([, number]) => upload.parts.get(Number(number)))
  const isComplete = listed.every(
    ([, , tag = ''], at) => tag.replaceAll('&#34;', '"') === tagOf(parts[at] ?? Buffer.of()),
  )
  if (!isComplete || parts.length !== upload.parts.size) return s3Error(400, 'InvalidPart')
  if (parts.slice(0, -1).some((part) => (part?.length ?? 0) < 5 * 1_048_576)) return s3Error(400, 'EntityTooSmall')
  objects.set(key, { content: Buffer.concat(parts.map((part) => part ?? Buffer.of())), modifiedAt: clock.now() })
  return { status: 200, body: '<CompleteMultipartUploadResult/>' }
}

const pageSize = 100

function answerBucket({ objects }: StoreState, { method, query, body, headers }: ObjectRequest): ObjectReply {
  if (method === 'POST' && query.has('delete')) {
    if (headers['content-md5'] !== createHash('md5').update(body).digest('base64')) return s3Error(400, 'BadDigest')
    for (const key of keysIn(body)) objects.delete(key)
    return { status: 200, body: '<DeleteResult/>' }
  }
  const prefix = query.get('prefix') ?? ''
  const after = query.get('continuation-token') ?? ''
  const keys = [...objects.keys()].filter((key) => key.startsWith(prefix) && key > after).sort()
  const page = keys.slice(0, pageSize)
  const entries = page.map((key) => {
    const { content, modifiedAt } = objects.get(key) ?? { content: Buffer.of(), modifiedAt: 0 }
    const time = new Date(modifiedAt).toISOString()
    return `<Contents><Key>${encodeURIComponent(key)}</Key><LastModified>${time}</LastModified><Size>${content.length}</Size></Contents>`
  })
  const next = page.length < keys.length ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : ''
  const truncated = `<IsTruncated>${page.length < keys.length}</IsTruncated>`
  return { status: 200, body: `<ListBucketResult>${truncated}${next}${entries.join('')}</ListBucketResult>` }
}

function keysIn(body: Buffer): string[] {
  return [...body.toString().matchAll(/<Key>([^<]*)<\/Key>/gu)].map(([, key = '']) =>
    key.replace(/&#(\d+);/gu, (_, code: string) => String.fromCodePoint(Number(code))),
  )
}

function tagOf(content: Buffer): string {
  return `"${createHash('md5').update(content).digest('hex')}"`
}

function s3Error(status: number, code: string): ObjectReply {
  return { status, body: `<?xml version="1.0"?><Error><Code>${code}</Code><Message>Simulated.</Message></Error>` }
}

export async function readBody(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of request as AsyncIterable<Buffer>) parts.push(part)
  return Buffer.concat(parts)
}
