/**
 * Object storage by the Blob API of Azure: Data Lake Storage Gen2, Blob Storage and OneLake.
 * https://learn.microsoft.com/rest/api/storageservices/blob-service-rest-api
 */
import type { HttpResponse } from '../../../../apis/http/exchange.ts'
import type { Authorize, HttpRequest, HttpSession } from '../../http/http-session.ts'
import { encodeStrictly } from '../../http/sigv4.ts'
import {
  type ByteRange,
  type ObjectContent,
  ObjectNotFoundError,
  type ObjectStorage,
  type StoredObject,
} from '../storage.ts'
import { splitLocation } from '../location.ts'
import { startUpload } from '../upload-parts.ts'
import { elementsOf, textOf } from '../xml.ts'
import { azureFault } from './azure-faults.ts'

export interface AzureSettings {
  /** Replaces `https://ACCOUNT.blob.core.windows.net`, with the account in its path: for an emulator. Null: by location. */
  readonly endpoint: URL | null
  /** Signs a request, in headers or by parameters that it adds to the URL. */
  sign(request: HttpRequest): Promise<SignedRequest>
  /** Called once after a refusal. Absent: the credentials cannot be renewed. */
  renew?(): Promise<void>
}

export interface SignedRequest {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
}

/** Bearer tokens and OneLake need a version from 2017 on; this one is known to all of them and to Azurite. */
const apiVersion = '2023-11-03'

export class AzureStorage implements ObjectStorage {
  readonly #settings: AzureSettings
  readonly #http: HttpSession

  /** @param http is disposed by its owner */
  constructor(settings: AzureSettings, http: HttpSession) {
    this.#settings = settings
    this.#http = http
  }

  async read(location: string, range?: ByteRange): Promise<Uint8Array> {
    const headers =
      range === undefined ? {} : { 'x-ms-range': `bytes=${range.offset}-${range.offset + range.length - 1}` }
    const reply = await this.#send({ method: 'GET', url: this.#blobAt(location).url, headers })
    if (reply.status === 416) return new Uint8Array()
    return requireBlob(reply, location, [200, 206]).body
  }

  async size(location: string): Promise<number> {
    const reply = await this.#send({ method: 'HEAD', url: this.#blobAt(location).url })
    return Number(requireBlob(reply, location, [200]).headers['content-length'])
  }

  async write(location: string, content: ObjectContent): Promise<number> {
    const { url } = this.#blobAt(location)
    const upload = await startUpload(content)
    if ('parts' in upload) return this.#putBlocks(url, upload.parts)
    const headers = { 'x-ms-blob-type': 'BlockBlob' }
    expectStatus(await this.#send({ method: 'PUT', url, headers, body: upload.whole }), [201])
    return upload.whole.length
  }

  async *list(prefix: string): AsyncIterable<StoredObject> {
    const { containerUrl, containerLocation, name } = this.#blobAt(prefix)
    let marker: string | undefined
    do {
      const query = { restype: 'container', comp: 'list', prefix: name, ...(marker !== undefined && { marker }) }
      const reply = await this.#send({ method: 'GET', url: withQuery(containerUrl, query) })
      const page = expectStatus(reply, [200]).body.toString()
      for (const entry of elementsOf(page, 'Blob')) {
        // A Data Lake lists its folders, too.
        if (textOf(entry, 'ResourceType') === 'directory' || entry.includes('<hdi_isfolder>true<')) continue
        yield {
          location: containerLocation + (textOf(entry, 'Name') ?? ''),
          size: Number(textOf(entry, 'Content-Length')),
          modifiedAt: new Date(textOf(entry, 'Last-Modified') ?? 0),
        }
      }
      marker = textOf(page, 'NextMarker')
    } while (marker !== undefined)
  }

  async delete(locations: readonly string[]): Promise<void> {
    for (const location of locations) {
      const reply = await this.#send({ method: 'DELETE', url: this.#blobAt(location).url })
      expectStatus(reply, [202, 404])
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {}

  async #putBlocks(url: URL, parts: AsyncIterable<Uint8Array>): Promise<number> {
    const ids: string[] = []
    let size = 0
    for await (const part of parts) {
      ids.push(await this.#putBlock(url, ids.length, part))
      size += part.length
    }
    // Blocks that are never listed are removed by Azure after a week.
    const list = `<?xml version="1.0" encoding="utf-8"?><BlockList>${ids.map((id) => `<Latest>${id}</Latest>`).join('')}</BlockList>`
    const committed = { method: 'PUT', url: withQuery(url, { comp: 'blocklist' }), body: Buffer.from(list) } as const
    expectStatus(await this.#send(committed), [201])
    return size
  }

  /** Ids of the blocks of one blob must have the same length. */
  async #putBlock(url: URL, index: number, body: Uint8Array): Promise<string> {
    const id = Buffer.from(String(index).padStart(8, '0')).toString('base64')
    const request = { method: 'PUT', url: withQuery(url, { comp: 'block', blockid: id }), body } as const
    expectStatus(await this.#send(request), [201])
    return id
  }

  async #send(request: HttpRequest): Promise<HttpResponse> {
    const headers = {
      ...request.headers,
      'x-ms-version': apiVersion,
      'x-ms-date': new Date(this.#http.context.clock.now()).toUTCString(),
    }
    const attempt = async () => {
      const signed = await this.#settings.sign({ ...request, headers })
      const unchanged: Authorize = async () => noHeaders
      return this.#http.sendRepeatable(
        { ...request, url: signed.url, headers: { ...headers, ...signed.headers } },
        unchanged,
      )
    }
    const reply = await attempt()
    const { renew } = this.#settings
    if ((reply.status !== 401 && reply.status !== 403) || renew === undefined) return reply
    await renew()
    return attempt()
  }

  #blobAt(location: string) {
    const { scheme, authority, key: name, root } = splitLocation(location)
    const [container = '', host = ''] = authority.split('@')
    if (!azureSchemes.has(scheme) || host === '') throw new Error(`The location ${location} is not in Azure Storage.`)
    const base = this.#settings.endpoint?.href.replace(/\/$/u, '') ?? `https://${host.replace('.dfs.', '.blob.')}`
    const containerUrl = new URL(`${base}/${encodeStrictly(container)}`)
    const url = new URL(`${containerUrl.href}/${name.split('/').map(encodeStrictly).join('/')}`)
    return { containerUrl, containerLocation: root, name, url }
  }
}

const azureSchemes: ReadonlySet<string> = new Set(['abfs', 'abfss', 'wasb', 'wasbs'])
const noHeaders = {}

function withQuery(url: URL, query: Readonly<Record<string, string>>): URL {
  const next = new URL(url)
  for (const [name, value] of Object.entries(query)) next.searchParams.set(name, value)
  return next
}

function requireBlob(reply: HttpResponse, location: string, statuses: readonly number[]): HttpResponse {
  if (reply.status === 404 && reply.headers['x-ms-error-code'] !== 'ContainerNotFound')
    throw new ObjectNotFoundError(location)
  return expectStatus(reply, statuses)
}

function expectStatus(reply: HttpResponse, statuses: readonly number[]): HttpResponse {
  if (statuses.includes(reply.status)) return reply
  throw azureFault(reply)
}
