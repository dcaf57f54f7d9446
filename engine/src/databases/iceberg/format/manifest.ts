/** Manifests: the lists of the data files of a table, and the list of the manifests of a snapshot. */
import type { IcebergSchema, PartitionSpec } from '../catalog/metadata.ts'
import { readAvro, writeAvro } from './avro.ts'
import type { AvroSchema, AvroValue } from './avro-schema.ts'
import { encodeLower } from './bounds.ts'
import { manifestListSchema, manifestSchema } from './manifest-schemas.ts'
import { positionFields } from './position-fields.ts'

type AvroRecord = { readonly [field: string]: AvroValue }

/** Rows, or the positions or keys of rows that are deleted in other files. */
type ContentOfFile = 'data' | 'positions' | 'keys'

const contents: readonly ContentOfFile[] = ['data', 'positions', 'keys']

/** A data file or delete file, with the members that Tributary reads. `record` has all of them, as they are in the manifest. */
export interface DataFile {
  readonly record: AvroRecord
  readonly content: ContentOfFile
  /** The positions of its rows that are deleted; absent if none is. */
  readonly deletions?: DataFile
  /** The partition specification that it was written by. */
  readonly specId: number
  readonly path: string
  /** Deleted ones, too. */
  readonly rows: number
  /** In bytes. */
  readonly size: number
  /** By field id. */
  readonly lower: ReadonlyMap<number, Uint8Array>
  readonly upper: ReadonlyMap<number, Uint8Array>
  readonly nulls: ReadonlyMap<number, bigint>
}

export type EntryStatus = 'existing' | 'added' | 'deleted'

const statuses: readonly EntryStatus[] = ['existing', 'added', 'deleted']

export interface ManifestEntry {
  readonly status: EntryStatus
  readonly snapshotId: bigint
  /** Null in an entry that a commit adds: it inherits the number of its manifest. */
  readonly sequence: bigint | null
  readonly fileSequence: bigint | null
  readonly file: DataFile
}

export interface Manifest {
  readonly path: string
  readonly length: number
  readonly specId: number
  readonly content: 'data' | 'deletes'
  readonly sequence: bigint
  /** As it is in the manifest list. */
  readonly record: AvroRecord
}

export interface ManifestContents {
  readonly entries: readonly ManifestEntry[]
  /** The schema of the partition values, by which the manifest can be written again. */
  readonly partition: AvroSchema
}

export function readManifestList(bytes: Uint8Array): readonly Manifest[] {
  return readAvro(bytes).records.map((value) => {
    const record = value as AvroRecord
    return {
      path: String(record['manifest_path']),
      length: Number(record['manifest_length']),
      specId: Number(record['partition_spec_id']),
      content: Number(record['content'] ?? 0) === 0 ? 'data' : 'deletes',
      sequence: (record['sequence_number'] ?? 0n) as bigint,
      record,
    }
  })
}

export function writeManifestList(
  manifests: readonly AvroRecord[],
  snapshot: { readonly id: bigint; readonly parent: bigint | null; readonly sequence: number },
): Uint8Array {
  const metadata = {
    'snapshot-id': String(snapshot.id),
    'parent-snapshot-id': snapshot.parent === null ? 'null' : String(snapshot.parent),
    'sequence-number': String(snapshot.sequence),
    'format-version': '2',
  }
  return writeAvro(manifestListSchema, metadata, manifests)
}

export function readManifest(bytes: Uint8Array, manifest: Manifest): ManifestContents {
  const { metadata, records } = readAvro(bytes)
  const entries = records.map((value): ManifestEntry => {
    const record = value as AvroRecord
    const status = statuses[Number(record['status'])] ?? 'existing'
    const inherited = status === 'added' ? manifest.sequence : null
    return {
      status,
      snapshotId: (record['snapshot_id'] ?? manifest.record['added_snapshot_id'] ?? 0n) as bigint,
      sequence: (record['sequence_number'] as bigint | null | undefined) ?? inherited,
      fileSequence: (record['file_sequence_number'] as bigint | null | undefined) ?? inherited,
      file: dataFile(record['data_file'] as AvroRecord, manifest.specId),
    }
  })
  return { entries, partition: partitionOf(JSON.parse(metadata.get('avro.schema') ?? 'null') as AvroSchema) }
}

export function dataFile(record: AvroRecord, specId: number): DataFile {
  return {
    record,
    content: contents[Number(record['content'] ?? 0)] ?? 'keys',
    specId,
    path: String(record['file_path']),
    rows: Number(record['record_count']),
    size: Number(record['file_size_in_bytes']),
    lower: byId<Uint8Array>(record['lower_bounds']),
    upper: byId<Uint8Array>(record['upper_bounds']),
    nulls: byId<bigint>(record['null_value_counts']),
  }
}

/** The only file whose rows the positions of a delete file refer to; null if there may be others. */
export function referencedFile({ record, lower, upper }: DataFile): string | null {
  const named = record['referenced_data_file']
  if (typeof named === 'string') return named
  const [least, greatest] = [lower.get(positionFields.path.id), upper.get(positionFields.path.id)]
  if (least === undefined || greatest === undefined || Buffer.compare(least, greatest) !== 0) return null
  return Buffer.from(least).toString()
}

function byId<Value>(pairs: AvroValue | undefined): ReadonlyMap<number, Value> {
  const list = (pairs ?? []) as readonly { readonly key: number; readonly value: Value }[]
  return new Map(list.map(({ key, value }) => [key, value]))
}

interface SchemaFields {
  readonly fields: readonly { readonly name: string; readonly type: AvroSchema }[]
}

function partitionOf(entry: AvroSchema): AvroSchema {
  const file = (entry as unknown as SchemaFields).fields.find(({ name }) => name === 'data_file')?.type
  const partition = (file as unknown as SchemaFields | undefined)?.fields.find(({ name }) => name === 'partition')
  if (partition === undefined) throw new Error('The manifest has no partition values.')
  return partition.type
}

export interface NewManifest {
  readonly entries: readonly ManifestEntry[]
  readonly partition: AvroSchema
  readonly schema: IcebergSchema
  readonly spec: PartitionSpec
  /** Of all files. */
  readonly content: Manifest['content']
}

export function writeManifest({ entries, partition, schema, spec, content }: NewManifest): Uint8Array {
  const metadata = {
    schema: JSON.stringify(schema),
    'schema-id': String(schema['schema-id']),
    'partition-spec': JSON.stringify(spec.fields),
    'partition-spec-id': String(spec['spec-id']),
    'format-version': '2',
    content,
  }
  const records = entries.map(({ status, snapshotId, sequence, fileSequence, file }) => ({
    status: statuses.indexOf(status),
    snapshot_id: snapshotId,
    sequence_number: sequence,
    file_sequence_number: fileSequence,
    data_file: file.record,
  }))
  return writeAvro(manifestSchema(partition, content), metadata, records)
}

export interface WrittenManifest {
  readonly path: string
  readonly length: number
  readonly spec: PartitionSpec
  readonly content: Manifest['content']
  readonly entries: readonly ManifestEntry[]
}

/** A written manifest as it is in the manifest list of the snapshot that adds it. */
export function manifestRecord(
  { path, length, spec, content, entries }: WrittenManifest,
  snapshot: { readonly id: bigint; readonly sequence: number },
): AvroRecord {
  const own = BigInt(snapshot.sequence)
  const living = entries.filter(({ status }) => status !== 'deleted').map(({ sequence }) => sequence ?? own)
  const count = (wanted: EntryStatus) => entries.filter(({ status }) => status === wanted)
  const rows = (wanted: EntryStatus) => BigInt(count(wanted).reduce((sum, { file }) => sum + file.rows, 0))
  return {
    manifest_path: path,
    manifest_length: BigInt(length),
    partition_spec_id: spec['spec-id'],
    content: content === 'data' ? 0 : 1,
    sequence_number: own,
    min_sequence_number: living.reduce((least, sequence) => (sequence < least ? sequence : least), own),
    added_snapshot_id: snapshot.id,
    added_files_count: count('added').length,
    existing_files_count: count('existing').length,
    deleted_files_count: count('deleted').length,
    added_rows_count: rows('added'),
    existing_rows_count: rows('existing'),
    deleted_rows_count: rows('deleted'),
    partitions: summarizePartitions(spec, entries),
    key_metadata: null,
  }
}

/** The months of a manifest's files, by which readers skip it; null for partitions of another kind. */
function summarizePartitions({ fields }: PartitionSpec, entries: readonly ManifestEntry[]): AvroRecord[] | null {
  if (fields.length === 0 || fields.some(({ transform }) => transform !== 'month')) return null
  return fields.map(({ name }) => {
    const months = entries.map(({ file }) => (file.record['partition'] as AvroRecord)[name])
    const known = months.filter((month) => typeof month === 'number').sort((left, right) => left - right)
    const encode = (month: number | undefined) => (month === undefined ? null : encodeLower('int', month))
    return {
      contains_null: known.length < months.length,
      contains_nan: false,
      lower_bound: encode(known[0]),
      upper_bound: encode(known.at(-1)),
    }
  })
}
