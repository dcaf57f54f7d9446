/** Columns of Iceberg tables as Parquet stores them. https://iceberg.apache.org/spec/#parquet */
import type { SchemaElement } from 'hyparquet'
import type { IcebergField } from '../catalog/metadata.ts'
import { decimalSize } from './column-types.ts'

/** A column that Tributary reads and writes: its type is primitive. */
export interface TableField {
  readonly id: number
  readonly name: string
  readonly type: string
  readonly required: boolean
}

/** Fields with nested types are left out; only other programs create them. */
export function primitiveFields(fields: readonly IcebergField[]): readonly TableField[] {
  return fields.flatMap(({ id, name, type, required }) =>
    typeof type === 'string' ? [{ id, name, type, required }] : [],
  )
}

/** The columns of a file, distinct, with names that Avro allows, as other writers of Iceberg name them. */
export function parquetElements(fields: readonly TableField[]): readonly SchemaElement[] {
  const taken = new Set<string>()
  return fields.map(({ id, name, type, required }) => {
    const plain = avroName(name)
    const unique = taken.has(plain) ? `${plain}_${id}` : plain
    taken.add(unique)
    return {
      name: unique,
      field_id: id,
      repetition_type: required ? 'REQUIRED' : 'OPTIONAL',
      ...storageOf(type),
    }
  })
}

/** Characters that Avro does not allow in names become `_x` and their code. */
function avroName(name: string): string {
  return name
    .split('')
    .map((unit, at) => {
      if (/[A-Za-z_]/u.test(unit) || (at > 0 && /\d/u.test(unit))) return unit
      if (/\d/u.test(unit)) return `_${unit}`
      return `_x${unit.charCodeAt(0).toString(16).toUpperCase()}`
    })
    .join('')
}

type ColumnStorage = Omit<SchemaElement, 'name' | 'field_id' | 'repetition_type'>

function storageOf(type: string): ColumnStorage {
  const decimal = decimalSize(type)
  if (decimal !== null) return decimalStorage(decimal.precision, decimal.scale)
  const storage = storages[type]
  if (storage === undefined) throw new Error(`Columns of the type ${type} are not written.`)
  return storage
}

function decimalStorage(precision: number, scale: number): ColumnStorage {
  const annotation = {
    converted_type: 'DECIMAL',
    precision,
    scale,
    logical_type: { type: 'DECIMAL', precision, scale },
  } as const
  if (precision <= 9) return { type: 'INT32', ...annotation }
  if (precision <= 18) return { type: 'INT64', ...annotation }
  return { type: 'FIXED_LEN_BYTE_ARRAY', type_length: decimalBytes(precision), ...annotation }
}

/** The bytes that hold every unscaled value of a precision. */
function decimalBytes(precision: number): number {
  let bytes = 1
  while (1n << BigInt(bytes * 8 - 1) < 10n ** BigInt(precision)) bytes++
  return bytes
}

const storages: { readonly [type: string]: ColumnStorage | undefined } = {
  string: { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } },
  int: { type: 'INT32' },
  long: { type: 'INT64' },
  double: { type: 'DOUBLE' },
  boolean: { type: 'BOOLEAN' },
  date: { type: 'INT32', converted_type: 'DATE', logical_type: { type: 'DATE' } },
  time: { type: 'INT64', logical_type: { type: 'TIME', isAdjustedToUTC: false, unit: 'MICROS' } },
  timestamp: { type: 'INT64', logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: false, unit: 'MICROS' } },
  timestamptz: {
    type: 'INT64',
    converted_type: 'TIMESTAMP_MICROS',
    logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MICROS' },
  },
  uuid: { type: 'FIXED_LEN_BYTE_ARRAY', type_length: 16, logical_type: { type: 'UUID' } },
  binary: { type: 'BYTE_ARRAY' },
}
