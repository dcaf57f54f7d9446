import type { SchemaElement } from 'hyparquet'
import { ByteArrayColumn, FixedBytesColumn } from './byte-columns.ts'
import type { ColumnBuffer } from './column-buffer.ts'
import { BooleanColumn, DoubleColumn, Int32Column, Int64Column } from './number-columns.ts'

export function columnOf(element: SchemaElement): ColumnBuffer {
  switch (element.type) {
    case 'BOOLEAN':
      return new BooleanColumn(element)
    case 'INT32':
      return new Int32Column(element)
    case 'INT64':
      return new Int64Column(element)
    case 'DOUBLE':
      return new DoubleColumn(element)
    case 'BYTE_ARRAY':
      return new ByteArrayColumn(element)
    case 'FIXED_LEN_BYTE_ARRAY':
      return new FixedBytesColumn(element)
    default:
      throw new Error(`Values of the Parquet type ${element.type} are not written.`)
  }
}
