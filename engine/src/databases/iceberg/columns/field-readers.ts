/** Reads fields of COPY text into the columns of a row group. Each loop is over one column, so that it calls nothing that differs by type. */
import { decodeField } from '../../../encoding/copy-text.ts'
import type { LogicalType } from '../../../ports/model.ts'
import type { CellParser } from '../format/cells.ts'
import { decimalSize } from '../format/column-types.ts'
import { type ByteArrayColumn, type FixedBytesColumn, lengthBytes } from './byte-columns.ts'
import type { ColumnBuffer, FieldReader } from './column-buffer.ts'
import { type DecimalForm, readDay, readDecimal, readInteger, readMicros } from './field-values.ts'
import type { BooleanColumn, Int32Column, Int64Column } from './number-columns.ts'
import type { TextFields } from './text-fields.ts'

/**
 * @param values the type in the source
 * @param parse of a field's text; it counts no losses unless the type is a time
 * @returns null for a type whose fields are not read in columns
 */
export function fieldReaderOf(type: string, values: LogicalType, parse: CellParser): FieldReader<ColumnBuffer> | null {
  if (type === 'string') return asReader(readTexts)
  if (type === 'time') return null
  if (type === 'timestamp' || type === 'timestamptz') return asReader(momentReader(type === 'timestamptz'))
  const reader = values.kind === 'boolean' && type !== 'boolean' ? undefined : (readers[type] ?? decimalReader(type))
  return reader ?? cellReader(parse)
}

/** The column of a type is always of the class that its reader takes. */
function asReader<Column extends ColumnBuffer>(reader: FieldReader<Column>): FieldReader<ColumnBuffer> {
  return reader as FieldReader<ColumnBuffer>
}

const readers: { readonly [type: string]: FieldReader<ColumnBuffer> | undefined } = {
  int: asReader<Int32Column>((column, { bytes, starts, ends }, count) => {
    const { numbers, values } = column
    for (let at = 0; at < count; at++) {
      const value = readInteger(bytes, starts[at] as number, ends[at] as number)
      if (value !== (value | 0)) return at
      numbers[values + at] = value
    }
    return count
  }),
  long: asReader<Int64Column>((column, { bytes, starts, ends }, count) => {
    const { values } = column
    for (let at = 0; at < count; at++) {
      const value = readInteger(bytes, starts[at] as number, ends[at] as number)
      if (Number.isNaN(value)) return at
      column.setNumber(values + at, value)
    }
    return count
  }),
  date: asReader<Int32Column>((column, { bytes, starts, ends }, count) => {
    const { numbers, values } = column
    for (let at = 0; at < count; at++) {
      const value = readDay(bytes, starts[at] as number, ends[at] as number)
      if (Number.isNaN(value)) return at
      numbers[values + at] = value
    }
    return count
  }),
  uuid: asReader<FixedBytesColumn>((column, { bytes, starts, ends }, count) => {
    const { values } = column
    for (let at = 0; at < count; at++)
      if (!column.setUuid(values + at, bytes, starts[at] as number, ends[at] as number)) return at
    return count
  }),
  boolean: asReader<BooleanColumn>((column, { bytes, starts, ends }, count) => {
    const { bits, values } = column
    for (let at = 0; at < count; at++) {
      const start = starts[at] as number
      const letter = bytes[start]
      if ((ends[at] as number) - start !== 1 || (letter !== letterT && letter !== letterF)) return at
      bits[values + at] = letter === letterT ? 1 : 0
    }
    return count
  }),
}

/** How many bytes a field has at least that the reader of the type accepts, which refuses a separator in them. 0 where they are few. */
export function leastLengthOf(type: string): number {
  return leastLengths[type] ?? 0
}

const leastLengths: { readonly [type: string]: number | undefined } = {
  date: '2025-01-31'.length,
  timestamp: '2025-01-31 10:20:30'.length,
  timestamptz: '2025-01-31 10:20:30+00'.length,
  uuid: '6b1f0c52-0d5a-4c0b-9a51-3f0c6d2e7a10'.length,
}

const letterT = 116
const letterF = 102
const int32Digits = 9
const int64Digits = 18

function decimalReader(type: string): FieldReader<ColumnBuffer> | undefined {
  const size = decimalSize(type)
  if (size === null || size.scale === 0 || size.precision > int64Digits) return undefined
  const form: DecimalForm = { scale: size.scale, limit: 10 ** size.precision }
  return size.precision <= int32Digits ? asReader(shortDecimals(form)) : asReader(longDecimals(form))
}

function shortDecimals(form: DecimalForm): FieldReader<Int32Column> {
  return ({ numbers, values }, { bytes, starts, ends }, count) => {
    for (let at = 0; at < count; at++) {
      const value = readDecimal(bytes, starts[at] as number, ends[at] as number, form)
      if (Number.isNaN(value)) return at
      numbers[values + at] = value
    }
    return count
  }
}

function longDecimals(form: DecimalForm): FieldReader<Int64Column> {
  return (column, { bytes, starts, ends }, count) => {
    const { values } = column
    for (let at = 0; at < count; at++) {
      const value = readDecimal(bytes, starts[at] as number, ends[at] as number, form)
      if (Number.isNaN(value)) return at
      column.setNumber(values + at, value)
    }
    return count
  }
}

function momentReader(isZoned: boolean): FieldReader<Int64Column> {
  return (column, { bytes, starts, ends }, count) => {
    const { values } = column
    for (let at = 0; at < count; at++) {
      const value = readMicros(bytes, starts[at] as number, ends[at] as number, isZoned)
      if (Number.isNaN(value)) return at
      column.setNumber(values + at, value)
    }
    return count
  }
}

/** Types of which loads have few columns. */
function cellReader(parse: CellParser): FieldReader<ColumnBuffer> {
  return (column, { bytes, starts, ends }, count) => {
    const { values } = column
    for (let at = 0; at < count; at++) {
      const text = decodeField(bytes.toString('utf8', starts[at], ends[at]))
      const cell = text === null ? undefined : parse(text)
      if (cell === undefined || cell === null) return at
      column.set(values + at, cell)
    }
    return count
  }
}

const backslash = 92
/** A call costs more than a loop over few bytes. */
const shortLength = 32

function readTexts(column: ByteArrayColumn, { bytes, starts, ends }: TextFields, count: number): number {
  if (count === 0) return 0
  const { values } = column
  column.reserveBytes(values, (ends[count - 1] as number) - (starts[0] as number) + lengthBytes * count)
  let escape = -1
  for (let at = 0; at < count; at++) {
    const start = starts[at] as number
    const end = ends[at] as number
    let isCopied: boolean
    if (end - start <= shortLength) isCopied = column.copyShort(values + at, bytes, start, end)
    else {
      if (escape < start) escape = nextEscape(bytes, start)
      isCopied = escape >= end
      if (isCopied) column.copy(values + at, bytes, start, end)
    }
    if (!isCopied) column.set(values + at, decodeField(bytes.toString('utf8', start, end)) ?? '')
  }
  return count
}

function nextEscape(bytes: Buffer, start: number): number {
  const found = bytes.indexOf(backslash, start)
  return found === -1 ? bytes.length : found
}
