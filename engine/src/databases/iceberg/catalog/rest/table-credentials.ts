/** Vended credentials: a catalog lends access to the files of one table for a short time. */
import type { Clock } from '../../../../ports/clock.ts'

/** As replies of the catalog have them. */
export interface StorageCredentials {
  readonly config?: Readonly<Record<string, string>>
  readonly 'storage-credentials'?: readonly {
    readonly prefix: string
    readonly config: Readonly<Record<string, string>>
  }[]
}

interface CredentialsScope {
  /** Of the table. */
  readonly location: string
  /** Properties of the whole catalog, such as the endpoint and the region. */
  readonly defaults: Readonly<Record<string, string>>
  readonly clock: Pick<Clock, 'now'>
}

/** Credentials are renewed so long before they expire. */
const marginMs = 60_000
/** If the catalog does not say when credentials expire. Catalogs lend them for 15 minutes at least. */
const assumedLifetimeMs = 10 * 60_000

export class TableCredentials {
  readonly #scope: CredentialsScope
  readonly #request: () => Promise<StorageCredentials>
  #properties: Readonly<Record<string, string>> = {}
  #usableUntil = Number.POSITIVE_INFINITY
  #renewal: Promise<void> | null = null

  /** @param request asks the catalog for new credentials */
  constructor(scope: CredentialsScope, request: () => Promise<StorageCredentials>) {
    this.#scope = scope
    this.#request = request
  }

  get location(): string {
    return this.#scope.location
  }

  /** Endpoint, region and the like, which renewals do not change. */
  get properties(): Readonly<Record<string, string>> {
    return { ...this.#scope.defaults, ...this.#properties }
  }

  /** Replaces the credentials, unless the reply has none, such as that to a commit. */
  accept(reply: StorageCredentials): void {
    const ofPrefix = (reply['storage-credentials'] ?? [])
      .filter(({ prefix }) => this.#scope.location.startsWith(prefix))
      .toSorted((one, other) => other.prefix.length - one.prefix.length)[0]
    const next = { ...reply.config, ...ofPrefix?.config }
    if (!Object.keys(next).some((name) => secretProperties.test(name))) {
      this.#properties = { ...this.#properties, ...next }
      return
    }
    this.#properties = next
    const expiry = Object.entries(next).find(([name]) => expiryProperties.test(name))?.[1]
    this.#usableUntil = expiry === undefined ? this.#scope.clock.now() + assumedLifetimeMs : Number(expiry) - marginMs
  }

  /** The properties with credentials that have not expired. Concurrent callers share one renewal. */
  async current(): Promise<Readonly<Record<string, string>>> {
    if (this.#scope.clock.now() >= this.#usableUntil) {
      this.#renewal ??= this.#request()
        .then((reply) => this.accept(reply))
        .finally(() => (this.#renewal = null))
      await this.#renewal
    }
    return this.properties
  }
}

const secretProperties = /^(?:s3\.secret-access-key|adls\.sas-token\.)/u
const expiryProperties = /^(?:s3\.session-token-expires-at-ms|adls\.sas-token-expires-at-ms\.)/u
