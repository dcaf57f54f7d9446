/** Object storage by the API of S3, of Amazon and of compatible servers. */
import { createHash } from 'node:crypto'
import type { HttpResponse } from '../../../../apis/http/exchange.ts'
import type { HttpRequest, HttpSession } from '../../http/http-session.ts'
import { type AwsCredentials, encodeStrictly, signedHeaders } from '../../http/sigv4.ts'
import {
  type ByteRange,
  type ObjectContent,
  ObjectNotFoundError,
  type ObjectStorage,
  type StoredObject,
} from '../storage.ts'
import { splitLocation } from '../location.ts'
import { startUpload } from '../upload-parts.ts'
import { elementsOf, encodeEntities, textOf } from '../xml.ts'
import { s3Fault } from './s3-faults.ts'

export interface S3Settings {
  readonly region: string
  /** Null for Amazon S3. */
  readonly endpoint: URL | null
  /** The bucket is the first part of the path instead of the host name. */
  readonly usesPathStyle: boolean
  /** Called for every request, so that temporary credentials can be renewed. */
  credentials(): Promise<AwsCredentials>
}

/** Hadoop has names of its clients for the same storage. */
const s3Schemes: ReadonlySet<string> = new Set(['s3', 's3a', 's3n'])
const deletedAtOnceMax = 1_000

export class S3Storage implements ObjectStorage {
  readonly #settings: S3Settings
  readonly #http: HttpSession

  /** @param http is disposed by its owner */
  constructor(settings: S3Settings, http: HttpSession) {
    this.#settings = settings
    this.#http = http
  }

  async read(location: string, range?: ByteRange): Promise<Uint8Array> {
    const { url } = this.#objectAt(location)
    const headers = range === undefined ? {} : { range: `bytes=${range.offset}-${range.offset + range.length - 1}` }
    const reply = await this.#send({ method: 'GET', url, headers })
    if (reply.status === 416) return new Uint8Array()
    return requireObject(reply, location, [200, 206]).body
  }

  async size(location: string): Promise<number> {
    const reply = await this.#send({ method: 'HEAD', url: this.#objectAt(location).url })
    return Number(requireObject(reply, location, [200]).headers['content-length'])
  }

  async write(location: string, content: ObjectContent): Promise<number> {
    const { url } = this.#objectAt(location)
    const upload = await startUpload(content)
    if ('parts' in upload) return this.#uploadInParts(url, upload.parts)
    expectStatus(await this.#send({ method: 'PUT', url, body: upload.whole }), [200])
    return upload.whole.length
  }

  async *list(prefix: string): AsyncIterable<StoredObject> {
    const { bucketUrl, bucketLocation, key } = this.#objectAt(prefix)
    let token: string | undefined
    do {
      const url = new URL(bucketUrl)
      const query = { 'list-type': '2', prefix: key, 'encoding-type': 'url' }
      url.search = encodeQuery(token === undefined ? query : { ...query, 'continuation-token': token })
      const page = expectStatus(await this.#send({ method: 'GET', url }), [200]).body.toString()
      for (const entry of elementsOf(page, 'Contents')) yield readEntry(entry, bucketLocation)
      token = textOf(page, 'IsTruncated') === 'true' ? textOf(page, 'NextContinuationToken') : undefined
    } while (token !== undefined)
  }

  async delete(locations: readonly string[]): Promise<void> {
    const objects = locations.map((location) => this.#objectAt(location))
    for (const [bucket, ofBucket] of Map.groupBy(objects, ({ bucketUrl }) => bucketUrl.href)) {
      for (let start = 0; start < ofBucket.length; start += deletedAtOnceMax)
        await this.#deleteAtOnce(
          new URL(`${bucket}?delete=`),
          ofBucket.slice(start, start + deletedAtOnceMax).map(({ key }) => key),
        )
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {}

  async #uploadInParts(url: URL, parts: AsyncIterable<Uint8Array>): Promise<number> {
    const started = expectStatus(await this.#send({ method: 'POST', url: withQuery(url, { uploads: '' }) }), [200])
    const uploadId = textOf(started.body.toString(), 'UploadId') ?? ''
    try {
      const { tags, size } = await this.#uploadParts(url, uploadId, parts)
      const list = tags.map(
        (tag, at) => `<Part><PartNumber>${at + 1}</PartNumber><ETag>${encodeEntities(tag)}</ETag></Part>`,
      )
      const body = Buffer.from(`<CompleteMultipartUpload>${list.join('')}</CompleteMultipartUpload>`)
      const reply = await this.#send({ method: 'POST', url: withQuery(url, { uploadId }), body })
      // The reply begins before the parts are joined, so a failure has the status 200, too.
      const wasCompleted = reply.status === 404 && (await this.#hasSize(url, size))
      if (!wasCompleted && (reply.status !== 200 || textOf(reply.body.toString(), 'Code') !== undefined))
        throw s3Fault(reply)
      return size
    } catch (error) {
      // Best effort: the bucket's rule for incomplete uploads removes what this does not.
      await this.#send({ method: 'DELETE', url: withQuery(url, { uploadId }) }).catch(() => undefined)
      throw error
    }
  }

  async #uploadParts(url: URL, uploadId: string, parts: AsyncIterable<Uint8Array>) {
    const tags: string[] = []
    let size = 0
    for await (const body of parts) {
      const partUrl = withQuery(url, { partNumber: String(tags.length + 1), uploadId })
      const reply = expectStatus(await this.#send({ method: 'PUT', url: partUrl, body }), [200])
      tags.push(reply.headers.etag ?? '')
      size += body.length
    }
    return { tags, size }
  }

  /** A completion whose reply was lost is repeated, and its upload is then unknown. */
  async #hasSize(url: URL, size: number): Promise<boolean> {
    const reply = await this.#send({ method: 'HEAD', url })
    return reply.status === 200 && Number(reply.headers['content-length']) === size
  }

  async #deleteAtOnce(url: URL, keys: readonly string[]): Promise<void> {
    const list = keys.map((key) => `<Object><Key>${encodeEntities(key)}</Key></Object>`)
    const body = Buffer.from(`<Delete><Quiet>true</Quiet>${list.join('')}</Delete>`)
    const headers = { 'content-md5': createHash('md5').update(body).digest('base64') }
    const reply = expectStatus(await this.#send({ method: 'POST', url, headers, body }), [200])
    if (elementsOf(reply.body.toString(), 'Error').length > 0) throw s3Fault(reply)
  }

  #send(request: HttpRequest): Promise<HttpResponse> {
    const { region, credentials } = this.#settings
    return this.#http.sendRepeatable(request, async (sent) =>
      signedHeaders(sent, await credentials(), { region, service: 's3' }, this.#http.context.clock.now()),
    )
  }

  #objectAt(location: string) {
    const { scheme, authority: bucket, key, root } = splitLocation(location)
    if (!s3Schemes.has(scheme) || bucket === '') throw new Error(`The location ${location} is not in S3.`)
    const bucketUrl = this.#bucketUrl(bucket)
    const path = key.split('/').map(encodeStrictly).join('/')
    return { bucketUrl, bucketLocation: root, key, url: new URL(`${bucketUrl.href}${path}`) }
  }

  /** With a slash at the end. */
  #bucketUrl(bucket: string): URL {
    const { region, usesPathStyle } = this.#settings
    const endpoint = this.#settings.endpoint ?? new URL(`https://s3.${region}.amazonaws.com`)
    const base = endpoint.pathname.replace(/\/$/u, '')
    return usesPathStyle
      ? new URL(`${endpoint.origin}${base}/${bucket}/`)
      : new URL(`${endpoint.protocol}//${bucket}.${endpoint.host}${base}/`)
  }
}

function withQuery(url: URL, query: Readonly<Record<string, string>>): URL {
  const next = new URL(url)
  next.search = encodeQuery(query)
  return next
}

/** As it is signed: a space is %20, not a plus sign. */
function encodeQuery(query: Readonly<Record<string, string>>): string {
  return Object.entries(query)
    .map(([name, value]) => `${encodeStrictly(name)}=${encodeStrictly(value)}`)
    .join('&')
}

function readEntry(entry: string, bucketLocation: string): StoredObject {
  const key = decodeURIComponent((textOf(entry, 'Key') ?? '').replaceAll('+', ' '))
  return {
    location: bucketLocation + key,
    size: Number(textOf(entry, 'Size')),
    modifiedAt: new Date(textOf(entry, 'LastModified') ?? 0),
  }
}

function requireObject(reply: HttpResponse, location: string, statuses: readonly number[]): HttpResponse {
  const isBucketMissing = textOf(reply.body.toString('utf8', 0, 2_000), 'Code') === 'NoSuchBucket'
  if (reply.status === 404 && !isBucketMissing) throw new ObjectNotFoundError(location)
  return expectStatus(reply, statuses)
}

function expectStatus(reply: HttpResponse, statuses: readonly number[]): HttpResponse {
  if (statuses.includes(reply.status)) return reply
  throw s3Fault(reply)
}
