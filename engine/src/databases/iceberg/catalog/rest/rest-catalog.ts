/** An Iceberg catalog by its REST API, as Polaris, Unity Catalog, Glue, Lakekeeper, Snowflake and others offer it. */
import type { HttpResponse } from '../../../../apis/http/exchange.ts'
import type { HttpSession } from '../../http/http-session.ts'
import type { ObjectStorage } from '../../storage/storage.ts'
import {
  CatalogConflictError,
  CommitOutcomeUnknownError,
  type IcebergCatalog,
  type LoadedTable,
  type Namespace,
  type NewTable,
  type TableCommit,
  type TableIdentifier,
} from '../catalog.ts'
import type { TableMetadata } from '../metadata.ts'
import { normalizeMetadata } from '../metadata-json.ts'
import type { RestConnection } from './rest-connection.ts'
import { readJson } from './rest-connection.ts'
import { type StorageCredentials, TableCredentials } from './table-credentials.ts'

/** The reply to loading, creating or committing a table. */
interface LoadTableResult extends StorageCredentials {
  readonly 'metadata-location'?: string | null
  readonly metadata: TableMetadata
}

/** Opens the storage of a table, with the credentials that the catalog provides for it if there are any. */
export type OpenTableStorage = (credentials: TableCredentials) => ObjectStorage

const transactions = 'POST /v1/{prefix}/transactions/commit'
const credentialsEndpoint = 'GET /v1/{prefix}/namespaces/{namespace}/tables/{table}/credentials'

export class RestCatalog implements IcebergCatalog {
  readonly commitTables: IcebergCatalog['commitTables']
  readonly #connection: RestConnection
  readonly #openStorage: OpenTableStorage
  readonly #http: HttpSession
  readonly #storages = new Map<string, { readonly credentials: TableCredentials; readonly storage: ObjectStorage }>()

  /** The catalog disposes the session of the connection. */
  constructor(connection: RestConnection, openStorage: OpenTableStorage) {
    this.#connection = connection
    this.#http = connection.http
    this.#openStorage = openStorage
    this.commitTables = connection.lists(transactions) ? (commits) => this.#commitAll(commits) : null
  }

  async ensureNamespace(namespace: Namespace): Promise<void> {
    for (let depth = 1; depth <= namespace.length; depth += 1) {
      const levels = namespace.slice(0, depth)
      const path = this.#connection.namespacePath(levels)
      if ((await this.#connection.call({ method: 'GET', path }, 200, 404)).status === 200) continue
      const body = { namespace: levels, properties: {} }
      await this.#connection.call({ method: 'POST', path: 'namespaces', body }, 200, 409)
    }
  }

  async listTables(namespace: Namespace): Promise<readonly string[]> {
    const path = `${this.#connection.namespacePath(namespace)}/tables`
    const names: string[] = []
    let pageToken = ''
    do {
      const reply = await this.#connection.call({ method: 'GET', path, query: { pageToken } }, 200, 404)
      if (reply.status === 404) return []
      const page = readJson<{ identifiers?: readonly TableIdentifier[]; 'next-page-token'?: string | null }>(reply)
      names.push(...(page.identifiers ?? []).map(({ name }) => name))
      pageToken = page['next-page-token'] ?? ''
    } while (pageToken !== '')
    return names
  }

  async loadTable(identifier: TableIdentifier): Promise<LoadedTable | null> {
    const reply = await this.#connection.call({ method: 'GET', path: this.#connection.pathOf(identifier) }, 200, 404)
    return reply.status === 404 ? null : this.#loaded(identifier, reply)
  }

  async createTable(identifier: TableIdentifier, table: NewTable): Promise<LoadedTable> {
    const body = {
      name: identifier.name,
      schema: table.schema,
      ...(table.partitionSpec !== undefined && { 'partition-spec': table.partitionSpec }),
      ...(table.sortOrder !== undefined && { 'write-order': table.sortOrder }),
      'stage-create': false,
      properties: { 'format-version': '2', ...table.properties },
    }
    const path = `${this.#connection.namespacePath(identifier.namespace)}/tables`
    try {
      return this.#loaded(identifier, await this.#connection.change({ method: 'POST', path, body }))
    } catch (error) {
      if (!(error instanceof CommitOutcomeUnknownError)) throw error
      const created = await this.loadTable(identifier)
      // Another writer's table without rows serves as well.
      if (created !== null && (created.metadata['current-snapshot-id'] ?? null) === null) return created
      throw error
    }
  }

  async commitTable({ identifier, requirements, updates }: TableCommit): Promise<LoadedTable> {
    const body = { identifier, requirements, updates }
    const path = this.#connection.pathOf(identifier)
    return this.#loaded(identifier, await this.#connection.change({ method: 'POST', path, body }))
  }

  async dropTable(identifier: TableIdentifier, { purge }: { readonly purge: boolean }): Promise<void> {
    const query = { purgeRequested: String(purge) }
    const path = this.#connection.pathOf(identifier)
    await this.#connection.call({ method: 'DELETE', path, query }, 200, 204, 404)
    this.#storages.delete(path)
  }

  async renameTable(source: TableIdentifier, destination: TableIdentifier): Promise<void> {
    const call = { method: 'POST', path: 'tables/rename', body: { source, destination } } as const
    const { status } = await this.#connection.call(call, 200, 204, 404, 409)
    this.#storages.delete(this.#connection.pathOf(source))
    if (status < 300) return
    // A repeated rename whose first reply was lost finds the table under its new name only.
    const wasRenamed =
      status === 404 && (await this.loadTable(source)) === null && (await this.loadTable(destination)) !== null
    if (!wasRenamed) throw new CatalogConflictError('The table cannot be renamed: the name is taken, or it is missing.')
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { storage } of this.#storages.values()) await storage[Symbol.asyncDispose]()
    this.#http[Symbol.dispose]()
  }

  async #commitAll(commits: readonly TableCommit[]): Promise<void> {
    const changes = commits.map(({ identifier, requirements, updates }) => ({ identifier, requirements, updates }))
    await this.#connection.change({ method: 'POST', path: 'transactions/commit', body: { 'table-changes': changes } })
  }

  /** A table keeps its storage; credentials in the reply replace the former ones. */
  #loaded(identifier: TableIdentifier, reply: HttpResponse): LoadedTable {
    const result = readJson<LoadTableResult>(reply)
    const metadata = normalizeMetadata(result.metadata)
    const path = this.#connection.pathOf(identifier)
    const known = this.#storages.get(path)
    if (known !== undefined) known.credentials.accept(result)
    const { storage } = known ?? this.#open(path, metadata.location, result)
    return { metadata, metadataLocation: result['metadata-location'] ?? '', storage }
  }

  #open(path: string, location: string, result: StorageCredentials) {
    const credentials = new TableCredentials(
      { location, defaults: this.#connection.storageProperties, clock: this.#http.context.clock },
      () => this.#renewCredentials(path),
    )
    credentials.accept(result)
    const opened = { credentials, storage: this.#openStorage(credentials) }
    this.#storages.set(path, opened)
    return opened
  }

  async #renewCredentials(path: string): Promise<StorageCredentials> {
    const ofTable = this.#connection.lists(credentialsEndpoint) ? `${path}/credentials` : path
    return readJson<StorageCredentials>(await this.#connection.call({ method: 'GET', path: ofTable }, 200))
  }
}
