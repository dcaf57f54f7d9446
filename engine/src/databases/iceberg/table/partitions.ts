/** Partitions by month: the specification of a table's new files, and its changes. */
import type { LoadedTable } from '../catalog/catalog.ts'
import type { TableUpdate } from '../catalog/commit.ts'
import type { IcebergField, IcebergSchema, PartitionField, PartitionSpec, TableMetadata } from '../catalog/metadata.ts'
import type { Cell } from '../format/cells.ts'
import type { DataFile } from '../format/manifest.ts'
import { isDated, monthOf } from '../format/months.ts'
import type { TableField } from '../format/parquet-schema.ts'
import { schemaOf } from './snapshot-writer.ts'

const noFields: PartitionSpec = { 'spec-id': 0, fields: [] }
/** Ids of partition fields begin at 1000. */
const firstFieldId = 1_000

/** The column whose months partition a table: the first of the names that is a date or a time; null for none. */
export function partitionColumn({ fields }: IcebergSchema, partitionBy: readonly string[]): IcebergField | null {
  for (const name of partitionBy) {
    const found = fields.find((field) => field.name.toLowerCase() === name.toLowerCase())
    if (found !== undefined && isDated(found.type)) return found
  }
  return null
}

/** The specification of a new table. */
export function firstSpec(schema: IcebergSchema, column: IcebergField | null): PartitionSpec {
  return column === null ? noFields : { 'spec-id': 0, fields: [partitionField(schema, column, firstFieldId)] }
}

/** Manifests name the values by it in Avro, which takes letters, digits and underscores only. */
function partitionField({ fields }: IcebergSchema, { id, name }: IcebergField, fieldId: number): PartitionField {
  const taken = new Set(fields.map((field) => field.name.toLowerCase()))
  let partition = `${name}_month`.replaceAll(/[^A-Za-z0-9_]/gu, '_').replace(/^(?=\d)/u, '_')
  while (taken.has(partition.toLowerCase())) partition += '_'
  return { 'source-id': id, 'field-id': fieldId, name: partition, transform: 'month' }
}

/** The column of a specification that Tributary writes: null for none, undefined if it is of another kind. */
function monthColumn(schema: IcebergSchema, { fields }: PartitionSpec): IcebergField | null | undefined {
  const [first] = fields
  if (first === undefined) return null
  const column = schema.fields.find(({ id }) => id === first['source-id'])
  const isMonth = fields.length === 1 && first.transform === 'month' && isDated(column?.type)
  return isMonth ? column : undefined
}

/** The specification of new files: the table's, unless another program has chosen one of another kind. */
function ownSpec(metadata: TableMetadata): PartitionSpec {
  const schema = schemaOf(metadata)
  const specs = metadata['partition-specs'].filter((spec) => monthColumn(schema, spec) !== undefined)
  const own =
    specs.find((spec) => spec['spec-id'] === metadata['default-spec-id']) ??
    specs.find(({ fields }) => fields.length === 0) ??
    specs[0]
  if (own === undefined) throw new Error('The table has no specification by month or without partitions.')
  return own
}

export interface Partitions {
  readonly specId: number
  /** Null without partitions. */
  readonly month: { readonly name: string; readonly position: number } | null
}

/** @param fields in the order of the cells of a row */
export function partitionsOf({ metadata }: Pick<LoadedTable, 'metadata'>, fields: readonly TableField[]): Partitions {
  const spec = ownSpec(metadata)
  const [field] = spec.fields
  const position = fields.findIndex(({ id }) => id === field?.['source-id'])
  return {
    specId: spec['spec-id'],
    month: field === undefined || position === -1 ? null : { name: field.name, position },
  }
}

export interface FilePartition {
  readonly specId: number
  readonly values: { readonly [name: string]: number | null }
}

export function partitionOfRow({ specId, month }: Partitions, row: readonly Cell[]): FilePartition {
  return { specId, values: month === null ? {} : { [month.name]: monthOf(row[month.position] ?? null) } }
}

/** Files with the same text are of the same partition. */
export function partitionKey({ specId, values }: FilePartition): string {
  return [specId, ...Object.values(values).map(String)].join('/')
}

export function partitionOfFile({ specId, record }: Pick<DataFile, 'specId' | 'record'>): FilePartition {
  return { specId, values: record['partition'] as FilePartition['values'] }
}

interface ChangedSpec {
  readonly metadata: TableMetadata
  /** Empty if new files have that specification already. */
  readonly updates: readonly TableUpdate[]
}

/** Makes the months of a column the partitions of new files. Files that exist keep theirs. */
export function withPartitions(metadata: TableMetadata, column: IcebergField | null): ChangedSpec {
  const schema = schemaOf(metadata)
  const isWanted = (spec: PartitionSpec): boolean => {
    const found = monthColumn(schema, spec)
    return found !== undefined && found?.id === column?.id
  }
  const existing = metadata['partition-specs'].find(isWanted)
  const id = existing?.['spec-id'] ?? 1 + Math.max(-1, ...metadata['partition-specs'].map((spec) => spec['spec-id']))
  if (existing !== undefined && id === metadata['default-spec-id']) return { metadata, updates: [] }
  const fieldId = Math.max(firstFieldId, metadata['last-partition-id'] + 1)
  const added = { 'spec-id': id, fields: column === null ? [] : [partitionField(schema, column, fieldId)] }
  return {
    metadata: {
      ...metadata,
      'partition-specs': existing === undefined ? [...metadata['partition-specs'], added] : metadata['partition-specs'],
      'default-spec-id': id,
    },
    updates: [
      ...(existing === undefined ? [{ action: 'add-spec' as const, spec: added }] : []),
      { action: 'set-default-spec', 'spec-id': existing === undefined ? -1 : id },
    ],
  }
}

/**
 * After columns have become other fields of the same name: the partitions by the new field, if it has months, too.
 * @param metadata with the new schema as the current one
 */
export function withKeptPartitions(before: TableMetadata, metadata: TableMetadata): ChangedSpec {
  const former = monthColumn(schemaOf(before), ownSpec(before))
  const { fields } = schemaOf(metadata)
  if (former === null || former === undefined || fields.some(({ id }) => id === former.id))
    return { metadata, updates: [] }
  const column = fields.find(({ name }) => name === former.name)
  return withPartitions(metadata, column !== undefined && isDated(column.type) ? column : null)
}
