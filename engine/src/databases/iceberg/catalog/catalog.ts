/** The port of an Iceberg catalog: it names tables, and it switches a table from one metadata file to the next atomically. */
import type { ObjectStorage } from '../storage/storage.ts'
import type { TableRequirement, TableUpdate } from './commit.ts'
import type { IcebergSchema, PartitionSpec, Properties, SortOrder, TableMetadata } from './metadata.ts'

export interface IcebergCatalog extends AsyncDisposable {
  /** Creates the namespace unless it exists. */
  ensureNamespace(namespace: Namespace): Promise<void>
  /** The names of the tables in a namespace; empty if the namespace does not exist. */
  listTables(namespace: Namespace): Promise<readonly string[]>
  /** Null if there is no such table. */
  loadTable(identifier: TableIdentifier): Promise<LoadedTable | null>
  /** Creates a table without a snapshot. @throws CatalogConflictError if the name is taken */
  createTable(identifier: TableIdentifier, table: NewTable): Promise<LoadedTable>
  /**
   * Applies the updates if every requirement holds. Does not retry a commit whose outcome is unknown: only its caller
   * can recognise the commit in the table.
   * @throws CatalogConflictError if it was not applied, for a requirement or a concurrent commit
   * @throws CommitOutcomeUnknownError if it may have been applied
   */
  commitTable(commit: TableCommit): Promise<LoadedTable>
  /** Applies all commits or none, with the errors of `commitTable`. Null if the catalog does not offer it. */
  readonly commitTables: ((commits: readonly TableCommit[]) => Promise<void>) | null
  /** Removes the table's name; `purge` requests that its files are deleted, too. A missing table is no error. */
  dropTable(identifier: TableIdentifier, options: { readonly purge: boolean }): Promise<void>
  /** @throws CatalogConflictError if `to` is taken */
  renameTable(from: TableIdentifier, to: TableIdentifier): Promise<void>
}

export type Namespace = readonly string[]

export interface TableIdentifier {
  readonly namespace: Namespace
  readonly name: string
}

export interface LoadedTable {
  readonly metadata: TableMetadata
  readonly metadataLocation: string
  /**
   * Reads and writes the table's files. With vended credentials it obtains new ones before they expire. Belongs to the
   * catalog, which disposes it.
   */
  readonly storage: ObjectStorage
}

export interface NewTable {
  readonly schema: IcebergSchema
  /** Absent: not partitioned. */
  readonly partitionSpec?: PartitionSpec
  /** Absent: not sorted. */
  readonly sortOrder?: SortOrder
  readonly properties?: Properties
}

export interface TableCommit {
  readonly identifier: TableIdentifier
  readonly requirements: readonly TableRequirement[]
  readonly updates: readonly TableUpdate[]
}

/** The commit was certainly not applied. Load the table again, and commit against its new state. */
export class CatalogConflictError extends Error {
  override readonly name = 'CatalogConflictError'
}

/** The catalog failed or its reply was lost after the commit was sent. Load the table to learn whether it was applied. */
export class CommitOutcomeUnknownError extends Error {
  override readonly name = 'CommitOutcomeUnknownError'
}
