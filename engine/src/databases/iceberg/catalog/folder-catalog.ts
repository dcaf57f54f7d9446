/**
 * A catalog in a local folder, for trials. Each table has numbered metadata files (`v1.metadata.json`) and a version hint,
 * so that other programs read its folder directly. The next number is created without replacing: of two concurrent
 * commits one succeeds, and the other gets a conflict. The names of the tables are in numbered files, too, so that a
 * rename moves no file.
 */
import { randomUUID } from 'node:crypto'
import { pathToFileURL } from 'node:url'
import type { Clock } from '../../../ports/clock.ts'
import { LocalStorage } from '../storage/local-storage.ts'
import { applyUpdates, highestFieldId } from './apply-updates.ts'
import { assertRequirements } from './check-requirements.ts'
import {
  CatalogConflictError,
  type IcebergCatalog,
  type LoadedTable,
  type Namespace,
  type NewTable,
  type TableCommit,
  type TableIdentifier,
} from './catalog.ts'
import type { TableMetadata } from './metadata.ts'
import { parseMetadataJson, stringifyIcebergJson } from './metadata-json.ts'
import { NumberedFiles } from './numbered-files.ts'

/** The folder of each table, by name. */
interface TableIndex {
  readonly [name: string]: string
}

export class FolderCatalog implements IcebergCatalog {
  readonly commitTables = null
  readonly #storage: LocalStorage
  readonly #clock: Pick<Clock, 'now'>

  private constructor(storage: LocalStorage, clock: Pick<Clock, 'now'>) {
    this.#storage = storage
    this.#clock = clock
  }

  /** @param folder the warehouse; created if it does not exist */
  static async open(folder: string, clock: Pick<Clock, 'now'>): Promise<FolderCatalog> {
    return new FolderCatalog(await LocalStorage.open(folder), clock)
  }

  /** A folder needs no creation: the first table creates it. */
  async ensureNamespace(): Promise<void> {}

  async listTables(namespace: Namespace): Promise<readonly string[]> {
    const { index } = await this.#readIndex(namespace)
    return Object.keys(index)
  }

  async loadTable({ namespace, name }: TableIdentifier): Promise<LoadedTable | null> {
    const { index } = await this.#readIndex(namespace)
    const folder = index[name]
    if (folder === undefined) return null
    const latest = await this.#metadataFiles(folder).readLatest()
    return latest === null ? null : this.#loaded(parseMetadataJson(latest.text), latest.location)
  }

  async createTable(identifier: TableIdentifier, table: NewTable): Promise<LoadedTable> {
    const { namespace, name } = identifier
    const { index } = await this.#readIndex(namespace)
    if (Object.hasOwn(index, name)) throw taken(identifier)
    const folder = await this.#freeFolder(namespace, name)
    const metadata = firstMetadata(folder, table, this.#clock.now())
    const location = await this.#metadataFiles(folder).create(1, stringifyIcebergJson(metadata))
    if (location === null) throw taken(identifier)
    await this.#changeIndex(namespace, (tables) => {
      if (Object.hasOwn(tables, name)) throw taken(identifier)
      return { ...tables, [name]: folder }
    })
    return this.#loaded(metadata, location)
  }

  async commitTable({ identifier, requirements, updates }: TableCommit): Promise<LoadedTable> {
    const { index } = await this.#readIndex(identifier.namespace)
    const folder = index[identifier.name]
    const files = folder === undefined ? null : this.#metadataFiles(folder)
    const latest = await files?.readLatest()
    if (files === null || latest === undefined || latest === null)
      throw new CatalogConflictError(`There is no table ${nameOf(identifier)}.`)
    const before = parseMetadataJson(latest.text)
    assertRequirements(before, requirements)
    const changed = applyUpdates(before, updates, this.#clock.now())
    const metadata = withMetadataLog(changed, before, latest.location)
    const location = await files.create(latest.number + 1, stringifyIcebergJson(metadata))
    if (location === null) throw new CatalogConflictError('The table has changed: another commit came first.')
    return this.#loaded(metadata, location)
  }

  async dropTable({ namespace, name }: TableIdentifier, { purge }: { readonly purge: boolean }): Promise<void> {
    const { index } = await this.#readIndex(namespace)
    const folder = index[name]
    if (folder === undefined) return
    await this.#changeIndex(namespace, (tables) =>
      Object.fromEntries(Object.entries(tables).filter(([other]) => other !== name)),
    )
    if (!purge) return
    for await (const { location } of this.#storage.list(`${folder}/`)) await this.#storage.delete([location])
  }

  async renameTable(from: TableIdentifier, to: TableIdentifier): Promise<void> {
    if (folderName(from.namespace) !== folderName(to.namespace))
      throw new Error('A table in a folder cannot be moved to another namespace.')
    await this.#changeIndex(from.namespace, ({ [from.name]: folder, ...others }) => {
      if (folder === undefined) throw new CatalogConflictError(`There is no table ${nameOf(from)}.`)
      if (Object.hasOwn(others, to.name)) throw taken(to)
      return { ...others, [to.name]: folder }
    })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#storage[Symbol.asyncDispose]()
  }

  #loaded(metadata: TableMetadata, metadataLocation: string): LoadedTable {
    return { metadata, metadataLocation, storage: this.#storage }
  }

  #metadataFiles(folder: string): NumberedFiles {
    return new NumberedFiles(this.#storage, `${folder}/metadata/`, 'metadata.json')
  }

  #indexFiles(namespace: Namespace): NumberedFiles {
    return new NumberedFiles(this.#storage, `${this.#locationOf(namespace)}/.catalog/`, 'tables.json')
  }

  #locationOf(namespace: Namespace): string {
    return `${this.#storage.root}/${folderName(namespace)}`
  }

  async #readIndex(namespace: Namespace): Promise<{ readonly index: TableIndex; readonly number: number }> {
    const latest = await this.#indexFiles(namespace).readLatest()
    return latest === null
      ? { index: {}, number: 0 }
      : { index: JSON.parse(latest.text) as TableIndex, number: latest.number }
  }

  /** Repeats the change on the newest index until no concurrent change comes first. */
  async #changeIndex(namespace: Namespace, change: (index: TableIndex) => TableIndex): Promise<void> {
    for (;;) {
      const { index, number } = await this.#readIndex(namespace)
      const created = await this.#indexFiles(namespace).create(number + 1, JSON.stringify(change(index)))
      if (created !== null) return
    }
  }

  /** A folder named for the table, or with a suffix while files of another table are in it. */
  async #freeFolder(namespace: Namespace, name: string): Promise<string> {
    const folder = `${this.#locationOf(namespace)}/${encodeSegment(name)}`
    for await (const _ of this.#storage.list(`${folder}/`)) return `${folder}-${randomUUID().slice(0, 8)}`
    return folder
  }
}

function firstMetadata(location: string, table: NewTable, now: number): TableMetadata {
  const spec = table.partitionSpec ?? { 'spec-id': 0, fields: [] }
  const order = table.sortOrder ?? { 'order-id': 0, fields: [] }
  const sortOrders = order['order-id'] === 0 ? [order] : [{ 'order-id': 0, fields: [] }, order]
  return {
    'format-version': 2,
    'table-uuid': randomUUID(),
    location,
    'last-sequence-number': 0,
    'last-updated-ms': now,
    'last-column-id': highestFieldId(table.schema),
    schemas: [table.schema],
    'current-schema-id': table.schema['schema-id'],
    'partition-specs': [spec],
    'default-spec-id': spec['spec-id'],
    // Ids of partition fields begin at 1000.
    'last-partition-id': Math.max(999, ...spec.fields.map((field) => field['field-id'])),
    'sort-orders': sortOrders,
    'default-sort-order-id': order['order-id'],
    properties: table.properties ?? {},
    'current-snapshot-id': null,
    snapshots: [],
    refs: {},
    'snapshot-log': [],
    'metadata-log': [],
  }
}

const metadataLogMax = 100

function withMetadataLog(metadata: TableMetadata, before: TableMetadata, file: string): TableMetadata {
  const entry = { 'metadata-file': file, 'timestamp-ms': before['last-updated-ms'] }
  return { ...metadata, 'metadata-log': [...(metadata['metadata-log'] ?? []), entry].slice(-metadataLogMax) }
}

function folderName(namespace: Namespace): string {
  return namespace.map(encodeSegment).join('/')
}

/** As one segment of a path that cannot leave its folder, be hidden, or contain a separator. */
function encodeSegment(name: string): string {
  const encoded = encodeURIComponent(name)
  const safe = encoded.startsWith('.') ? `%2E${encoded.slice(1)}` : encoded
  // A name of a file may contain a percent sign; in the URL of the location it is escaped again.
  return pathToFileURL(`/${safe}`).pathname.slice(1)
}

function taken(identifier: TableIdentifier): CatalogConflictError {
  return new CatalogConflictError(`There is already a table ${nameOf(identifier)}.`)
}

function nameOf({ namespace, name }: TableIdentifier): string {
  return [...namespace, name].join('.')
}
