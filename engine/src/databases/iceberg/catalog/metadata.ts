/**
 * The metadata of an Iceberg table in its JSON form, format version 2. Members are named as on the wire.
 * https://iceberg.apache.org/spec/#table-metadata-fields
 *
 * Ids of snapshots are 64-bit, so they are bigint; `parseMetadataJson` and `stringifyIcebergJson` keep them exact.
 */

export interface TableMetadata {
  readonly 'format-version': number
  readonly 'table-uuid': string
  readonly location: string
  readonly 'last-sequence-number': number
  /** Milliseconds since 1970. */
  readonly 'last-updated-ms': number
  readonly 'last-column-id': number
  readonly schemas: readonly IcebergSchema[]
  readonly 'current-schema-id': number
  readonly 'partition-specs': readonly PartitionSpec[]
  readonly 'default-spec-id': number
  readonly 'last-partition-id': number
  readonly 'sort-orders': readonly SortOrder[]
  readonly 'default-sort-order-id': number
  readonly properties?: Properties
  /** Null or absent in a table without rows; some catalogs write -1, which `parseMetadataJson` turns into null. */
  readonly 'current-snapshot-id'?: bigint | null
  readonly snapshots?: readonly Snapshot[]
  readonly refs?: { readonly [name: string]: SnapshotRef }
  readonly 'snapshot-log'?: readonly SnapshotLogEntry[]
  readonly 'metadata-log'?: readonly MetadataLogEntry[]
  readonly statistics?: readonly StatisticsFile[]
}

export interface Properties {
  readonly [name: string]: string
}

export interface IcebergSchema {
  readonly type: 'struct'
  readonly 'schema-id': number
  readonly 'identifier-field-ids'?: readonly number[]
  readonly fields: readonly IcebergField[]
}

export interface IcebergField {
  readonly id: number
  readonly name: string
  readonly required: boolean
  /** `long`, `decimal(38, 9)`, `timestamptz`. Tables of other programs may have nested types. */
  readonly type: string | NestedType
  readonly doc?: string
}

export type NestedType =
  | { readonly type: 'struct'; readonly fields: readonly IcebergField[] }
  | {
      readonly type: 'list'
      readonly 'element-id': number
      readonly 'element-required': boolean
      readonly element: string | NestedType
    }
  | {
      readonly type: 'map'
      readonly 'key-id': number
      readonly key: string | NestedType
      readonly 'value-id': number
      readonly 'value-required': boolean
      readonly value: string | NestedType
    }

export interface PartitionSpec {
  readonly 'spec-id': number
  readonly fields: readonly PartitionField[]
}

export interface PartitionField {
  readonly 'source-id': number
  readonly 'field-id': number
  readonly name: string
  /** `identity`, `month`, `bucket[16]`, `void`. */
  readonly transform: string
}

export interface SortOrder {
  readonly 'order-id': number
  readonly fields: readonly SortField[]
}

export interface SortField {
  readonly 'source-id': number
  readonly transform: string
  readonly direction: 'asc' | 'desc'
  readonly 'null-order': 'nulls-first' | 'nulls-last'
}

export interface Snapshot {
  readonly 'snapshot-id': bigint
  readonly 'parent-snapshot-id'?: bigint
  readonly 'sequence-number': number
  readonly 'timestamp-ms': number
  readonly 'manifest-list': string
  readonly summary: { readonly operation: string; readonly [name: string]: string }
  readonly 'schema-id'?: number
}

export interface SnapshotRef {
  readonly 'snapshot-id': bigint
  readonly type: 'branch' | 'tag'
  readonly 'min-snapshots-to-keep'?: number
  readonly 'max-snapshot-age-ms'?: number
  readonly 'max-ref-age-ms'?: number
}

export interface SnapshotLogEntry {
  readonly 'snapshot-id': bigint
  readonly 'timestamp-ms': number
}

export interface MetadataLogEntry {
  readonly 'metadata-file': string
  readonly 'timestamp-ms': number
}

export interface StatisticsFile {
  readonly 'snapshot-id': bigint
  readonly 'statistics-path': string
}
