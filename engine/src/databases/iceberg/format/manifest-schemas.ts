/** The Avro schemas of manifests and manifest lists, format version 2. https://iceberg.apache.org/spec/#manifests */
import type { AvroField, AvroSchema } from './avro-schema.ts'

function field(id: number, name: string, type: AvroSchema): AvroField {
  return { name, type, 'field-id': id }
}

function optional(id: number, name: string, type: AvroSchema): AvroField {
  return { name, type: ['null', type], default: null, 'field-id': id }
}

/** Avro has only maps with keys of text, so a map by field id is a list of pairs. */
function mapById(key: number, value: number, type: AvroSchema): AvroSchema {
  const fields = [field(key, 'key', 'int'), field(value, 'value', type)]
  return { type: 'array', items: { type: 'record', name: `k${key}_v${value}`, fields }, logicalType: 'map' }
}

function listOf(element: number, type: AvroSchema): AvroSchema {
  return { type: 'array', items: type, 'element-id': element }
}

/** @param partition record of the partition values */
export function manifestSchema(partition: AvroSchema, content: 'data' | 'deletes'): AvroSchema {
  const file: readonly AvroField[] = [
    field(134, 'content', 'int'),
    field(100, 'file_path', 'string'),
    field(101, 'file_format', 'string'),
    field(102, 'partition', partition),
    field(103, 'record_count', 'long'),
    field(104, 'file_size_in_bytes', 'long'),
    optional(108, 'column_sizes', mapById(117, 118, 'long')),
    optional(109, 'value_counts', mapById(119, 120, 'long')),
    optional(110, 'null_value_counts', mapById(121, 122, 'long')),
    optional(137, 'nan_value_counts', mapById(138, 139, 'long')),
    optional(125, 'lower_bounds', mapById(126, 127, 'bytes')),
    optional(128, 'upper_bounds', mapById(129, 130, 'bytes')),
    optional(131, 'key_metadata', 'bytes'),
    optional(132, 'split_offsets', listOf(133, 'long')),
    optional(135, 'equality_ids', listOf(136, 'int')),
    optional(140, 'sort_order_id', 'int'),
    ...(content === 'deletes' ? [optional(143, 'referenced_data_file', 'string')] : []),
  ]
  return {
    type: 'record',
    name: 'manifest_entry',
    fields: [
      field(0, 'status', 'int'),
      optional(1, 'snapshot_id', 'long'),
      optional(3, 'sequence_number', 'long'),
      optional(4, 'file_sequence_number', 'long'),
      field(2, 'data_file', { type: 'record', name: 'r2', fields: file }),
    ],
  }
}

/** The partition values of files that are not partitioned, or by months. */
export function partitionRecord(fields: readonly { readonly id: number; readonly name: string }[]): AvroSchema {
  return { type: 'record', name: 'r102', fields: fields.map(({ id, name }) => optional(id, name, 'int')) }
}

const fieldSummary: AvroSchema = {
  type: 'record',
  name: 'r508',
  fields: [
    field(509, 'contains_null', 'boolean'),
    optional(518, 'contains_nan', 'boolean'),
    optional(510, 'lower_bound', 'bytes'),
    optional(511, 'upper_bound', 'bytes'),
  ],
}

export const manifestListSchema: AvroSchema = {
  type: 'record',
  name: 'manifest_file',
  fields: [
    field(500, 'manifest_path', 'string'),
    field(501, 'manifest_length', 'long'),
    field(502, 'partition_spec_id', 'int'),
    field(517, 'content', 'int'),
    field(515, 'sequence_number', 'long'),
    field(516, 'min_sequence_number', 'long'),
    field(503, 'added_snapshot_id', 'long'),
    field(504, 'added_files_count', 'int'),
    field(505, 'existing_files_count', 'int'),
    field(506, 'deleted_files_count', 'int'),
    field(512, 'added_rows_count', 'long'),
    field(513, 'existing_rows_count', 'long'),
    field(514, 'deleted_rows_count', 'long'),
    optional(507, 'partitions', listOf(508, fieldSummary)),
    optional(519, 'key_metadata', 'bytes'),
  ],
}
