/** The calls of an Iceberg REST catalog: paths with its prefix, JSON with exact ids, sign-in. */
import type { HttpResponse } from '../../../../apis/http/exchange.ts'
import { Fault } from '../../../../ports/faults.ts'
import { type Authorize, type HttpRequest, HttpReplyLostError, type HttpSession } from '../../http/http-session.ts'
import { encodeStrictly } from '../../http/sigv4.ts'
import { CatalogConflictError, CommitOutcomeUnknownError, type Namespace, type TableIdentifier } from '../catalog.ts'
import { parseIcebergJson, stringifyIcebergJson } from '../metadata-json.ts'
import { readError, restFault } from './rest-faults.ts'

export interface RestCatalogSettings {
  readonly uri: URL
  /** Empty: the catalog’s default. */
  readonly warehouse: string
  readonly usesVendedCredentials: boolean
}

export interface RestCall {
  readonly method: HttpRequest['method']
  /** Below the prefix: `namespaces/sales/tables`. */
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  readonly body?: unknown
}

/** The reply of `GET /v1/config`. */
interface CatalogConfig {
  readonly defaults?: Readonly<Record<string, string>>
  readonly overrides?: Readonly<Record<string, string>>
  readonly endpoints?: readonly string[]
}

const namespaceSeparator = '\u001F'

export class RestConnection {
  readonly http: HttpSession
  readonly #settings: RestCatalogSettings
  readonly #authorize: Authorize
  readonly #config: CatalogConfig

  private constructor(settings: RestCatalogSettings, http: HttpSession, authorize: Authorize, config: CatalogConfig) {
    this.#settings = settings
    this.http = http
    this.#authorize = authorize
    this.#config = config
  }

  static async open(settings: RestCatalogSettings, http: HttpSession, authorize: Authorize): Promise<RestConnection> {
    const before = new RestConnection(settings, http, authorize, {})
    const query: Record<string, string> = settings.warehouse === '' ? {} : { warehouse: settings.warehouse }
    const reply = await http.sendRepeatable(before.#request({ method: 'GET', path: '/v1/config', query }), authorize)
    if (reply.status !== 200) throw restFault(reply)
    return new RestConnection(settings, http, authorize, readJson<CatalogConfig>(reply))
  }

  /** Whether the catalog has this endpoint, such as `POST /v1/{prefix}/transactions/commit`. */
  lists(endpoint: string): boolean {
    return this.#config.endpoints?.includes(endpoint) ?? false
  }

  /** Properties of storage that the catalog sets for all its tables. */
  get storageProperties(): Readonly<Record<string, string>> {
    return { ...this.#config.defaults, ...this.#config.overrides }
  }

  /** Sends a call that has the same effect if it is sent twice. @throws Fault unless the status is one of these */
  async call(call: RestCall, ...statuses: readonly number[]): Promise<HttpResponse> {
    const reply = await this.http.sendRepeatable(this.#request(call), this.#authorize)
    if (statuses.includes(reply.status)) return reply
    throw restFault(reply)
  }

  /**
   * Sends a change once.
   * @throws CatalogConflictError if it was not applied
   * @throws CommitOutcomeUnknownError if it may have been applied
   */
  async change(call: RestCall): Promise<HttpResponse> {
    const reply = await this.http.sendOnce(this.#request(call), this.#authorize).catch((error: unknown) => {
      if (error instanceof HttpReplyLostError) throw outcomeUnknown(error)
      throw error
    })
    if (reply.status >= 200 && reply.status < 300) return reply
    // The table is gone, or it has changed.
    if (reply.status === 404 || reply.status === 409) throw new CatalogConflictError(describeError(reply))
    if (reply.status >= 500 || reply.status === 408) throw outcomeUnknown(restFault(reply))
    throw restFault(reply)
  }

  pathOf({ namespace, name }: TableIdentifier): string {
    return `${this.namespacePath(namespace)}/tables/${encodeStrictly(name)}`
  }

  namespacePath(namespace: Namespace): string {
    return `namespaces/${encodeStrictly(namespace.join(this.#separator))}`
  }

  /** A catalog may replace the separator of the levels of a namespace; it is configured as it is in an address. */
  get #separator(): string {
    const configured = this.storageProperties['namespace-separator']
    return configured === undefined ? namespaceSeparator : decodeURIComponent(configured)
  }

  #request({ method, path, query = {}, body }: RestCall): HttpRequest {
    const prefix = this.storageProperties['prefix'] ?? ''
    const below = prefix === '' ? `/v1/${path}` : `/v1/${prefix.split('/').map(encodeStrictly).join('/')}/${path}`
    const base = this.#settings.uri.href.replace(/\/$/u, '')
    const url = new URL(base + (path.startsWith('/') ? path : below))
    url.search = Object.entries(query)
      .map(([name, value]) => `${encodeStrictly(name)}=${encodeStrictly(value)}`)
      .join('&')
    return {
      method,
      url,
      headers: {
        accept: 'application/json',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(this.#settings.usesVendedCredentials && { 'x-iceberg-access-delegation': 'vended-credentials' }),
      },
      ...(body !== undefined && { body: Buffer.from(stringifyIcebergJson(body)) }),
    }
  }
}

/** @throws Fault if the body is not JSON, because the address is not a catalog's */
export function readJson<T>(reply: HttpResponse): T {
  try {
    return parseIcebergJson(reply.body.toString('utf8')) as T
  } catch (error) {
    throw new Fault('settings', {
      code: 'iceberg.catalog_unexpected',
      notice: 'The address does not answer as an Iceberg REST catalog does. Check the address of the catalog.',
      cause: error,
    })
  }
}

function describeError(reply: HttpResponse): string {
  const { type, message } = readError(reply)
  return `The catalog replied ${reply.status} ${type}: ${message}`
}

function outcomeUnknown(cause: unknown): CommitOutcomeUnknownError {
  return new CommitOutcomeUnknownError('The catalog did not say whether it has applied the change.', { cause })
}
