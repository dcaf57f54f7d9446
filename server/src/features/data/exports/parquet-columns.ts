/**
 * How columns are stored in a Parquet file: exact decimals, microseconds, and text for everything that Parquet has no type for.
 * https://github.com/apache/parquet-format/blob/master/LogicalTypes.md
 */
import type { DataCell } from '@tributary/contract/data'
import { logicalType } from '@tributary/engine/databases/postgres/types'
import type { SchemaElement } from 'hyparquet-writer'
import type { ExportedColumn } from './exported-table.ts'

export interface ParquetColumn {
  readonly element: SchemaElement
  /** From a cell of the contract. Null: a value that the type cannot hold, such as NaN among decimals. */
  readonly convert: (value: Exclude<DataCell, null>) => unknown
}

/** Of a decimal in 16 bytes. */
const precisionMax = 38
const decimalBytes = 16

export function toParquetColumn({ name, kind, sqlType }: ExportedColumn): ParquetColumn {
  const optional = { name, repetition_type: 'OPTIONAL' } as const
  switch (kind) {
    case 'integer':
      return sqlType === 'bigint'
        ? { element: { ...optional, type: 'INT64' }, convert: (value) => BigInt(String(value)) }
        : { element: { ...optional, type: 'INT32' }, convert: Number }
    case 'decimal':
      return decimalColumn(name, sqlType)
    case 'double':
      return { element: { ...optional, type: 'DOUBLE' }, convert: toDouble }
    case 'boolean':
      return { element: { ...optional, type: 'BOOLEAN' }, convert: (value) => value }
    case 'date':
      return {
        element: { ...optional, type: 'INT32', converted_type: 'DATE' },
        convert: (value) => Date.parse(`${value}T00:00Z`) / dayMs,
      }
    case 'time':
      return {
        element: { ...optional, type: 'INT64', converted_type: 'TIME_MICROS' },
        convert: (value) => toMicroseconds(`1970-01-01T${value}`),
      }
    case 'localTimestamp':
    case 'instant':
      return {
        element: {
          ...optional,
          type: 'INT64',
          logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: kind === 'instant', unit: 'MICROS' },
        },
        convert: (value) => toMicroseconds(String(value)),
      }
    case 'bytes':
      return {
        element: { ...optional, type: 'BYTE_ARRAY' },
        convert: (value) => new Uint8Array(Buffer.from(String(value), 'base64url')),
      }
    default:
      return textColumn(name)
  }
}

function textColumn(name: string): ParquetColumn {
  return { element: { name, repetition_type: 'OPTIONAL', type: 'BYTE_ARRAY', converted_type: 'UTF8' }, convert: String }
}

/** A numeric without a precision, or with a larger one than Parquet's readers know, stays exact as text. */
function decimalColumn(name: string, sqlType: string): ParquetColumn {
  const type = logicalType(sqlType)
  if (type?.kind !== 'decimal' || type.precision === undefined || type.precision > precisionMax) return textColumn(name)
  const { precision, scale = 0 } = type
  return {
    element: {
      name,
      repetition_type: 'OPTIONAL',
      type: 'FIXED_LEN_BYTE_ARRAY',
      type_length: decimalBytes,
      converted_type: 'DECIMAL',
      precision,
      scale,
    },
    convert: (value) => toUnscaled(String(value), scale),
  }
}

function toUnscaled(text: string, scale: number): bigint | null {
  const [, sign = '', whole, fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/u.exec(text) ?? []
  if (whole === undefined) return null
  return BigInt(`${sign}${whole}${fraction.slice(0, scale).padEnd(scale, '0')}`)
}

function toDouble(value: Exclude<DataCell, null>): number {
  return value === 'INF' ? Number.POSITIVE_INFINITY : value === '-INF' ? Number.NEGATIVE_INFINITY : Number(value)
}

const dayMs = 86_400_000

/** ISO 8601 in UTC, with up to six digits of a second. */
function toMicroseconds(text: string): bigint {
  const [, seconds = '', fraction = ''] = /^([^.+Z]*T[\d:]+)(?:\.(\d{1,6}))?/u.exec(text) ?? []
  return BigInt(Date.parse(`${seconds}Z`)) * 1_000n + BigInt(fraction.padEnd(6, '0'))
}
