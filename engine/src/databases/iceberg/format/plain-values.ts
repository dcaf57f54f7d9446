/**
 * The values of a column in Parquet's plain encoding, with the least and the greatest of them, in one pass.
 * https://parquet.apache.org/docs/file-format/data-pages/encodings/
 */
import type { ParquetType, SchemaElement } from 'hyparquet'
import { encodeFixed } from './bounds.ts'
import { type Cell, compareCells } from './cells.ts'

export type Value = Exclude<Cell, null>

export interface PlainValues {
  readonly bytes: Uint8Array
  /** Undefined if no value can be compared. */
  readonly least: Value | undefined
  readonly greatest: Value | undefined
  readonly nans: number
}

/** @param values in the form that `Cell` describes for the column's type */
export function encodePlain(element: SchemaElement, values: readonly Value[]): PlainValues {
  const encode = element.type === undefined ? undefined : encoders[element.type]
  if (encode === undefined) throw new Error(`Values of the Parquet type ${element.type} are not written.`)
  return encode(values, element.type_length ?? 0)
}

type Encoder = (values: readonly Value[], length: number) => PlainValues

const encoders: { readonly [type in ParquetType]?: Encoder } = {
  BOOLEAN: encodeBooleans,
  INT32: encodeInt32,
  INT64: encodeInt64,
  DOUBLE: encodeDoubles,
  BYTE_ARRAY: encodeByteArrays,
  FIXED_LEN_BYTE_ARRAY: (values, length) => {
    const bytes = Buffer.allocUnsafe(values.length * length)
    for (const [at, value] of values.entries()) bytes.set(fixedBytes(value, length), at * length)
    return { bytes, ...boundsOf(values), nans: 0 }
  },
}

function encodeBooleans(values: readonly Value[]): PlainValues {
  const bytes = packBits(values, (value) => value === true)
  const least = values.length === 0 ? undefined : !values.includes(false)
  const greatest = values.length === 0 ? undefined : values.includes(true)
  return { bytes, least, greatest, nans: 0 }
}

/** One bit for each item, the first in the lowest bit of a byte. */
export function packBits<Item>(items: readonly Item[], isSet: (item: Item) => boolean): Uint8Array {
  const bytes = new Uint8Array(Math.ceil(items.length / 8))
  for (let at = 0; at < items.length; at++)
    if (isSet(items[at] as Item)) bytes[at >> 3] = (bytes[at >> 3] ?? 0) | (1 << (at & 7))
  return bytes
}

/** Numbers, or decimals of few digits, which are bigint. */
function encodeInt32(values: readonly Value[]): PlainValues {
  const numbers = new Int32Array(values.length)
  let least = Number.POSITIVE_INFINITY
  let greatest = Number.NEGATIVE_INFINITY
  for (let at = 0; at < values.length; at++) {
    const number = Number(values[at])
    numbers[at] = number
    if (number < least) least = number
    if (number > greatest) greatest = number
  }
  const toValue = (number: number): Value => (typeof values[0] === 'bigint' ? BigInt(number) : number)
  const isEmpty = values.length === 0
  return {
    bytes: bytesOf(numbers),
    least: isEmpty ? undefined : toValue(least),
    greatest: isEmpty ? undefined : toValue(greatest),
    nans: 0,
  }
}

function encodeInt64(values: readonly Value[]): PlainValues {
  const numbers = new BigInt64Array(values.length)
  let least = values[0] as bigint | undefined
  let greatest = least
  for (let at = 0; at < values.length; at++) {
    const number = values[at] as bigint
    numbers[at] = number
    if (least === undefined || number < least) least = number
    else if (greatest === undefined || number > greatest) greatest = number
  }
  return { bytes: bytesOf(numbers), least, greatest, nans: 0 }
}

/** NaN has no order. Zero is written as a bound with the sign that includes both zeros. */
function encodeDoubles(values: readonly Value[]): PlainValues {
  const numbers = Float64Array.from(values as readonly number[])
  let least = Number.POSITIVE_INFINITY
  let greatest = Number.NEGATIVE_INFINITY
  let nans = 0
  for (const number of numbers) {
    if (Number.isNaN(number)) nans++
    if (number < least) least = number
    if (number > greatest) greatest = number
  }
  const isEmpty = nans === numbers.length
  return {
    bytes: bytesOf(numbers),
    least: isEmpty ? undefined : least === 0 ? -0 : least,
    greatest: isEmpty ? undefined : greatest === 0 ? 0 : greatest,
    nans,
  }
}

function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength)
}

/** Text or bytes, each after its length. */
function encodeByteArrays(values: readonly Value[]): PlainValues {
  const texts = encodeTexts(values)
  const { bytes, ends } = texts
  const encoded = Buffer.allocUnsafe(bytes.length + 4 * values.length)
  let start = 0
  let at = 0
  for (const end of ends) {
    encoded.writeUInt32LE(end - start, at)
    at += 4
    if (end - start > shortLength) {
      encoded.set(bytes.subarray(start, end), at)
      at += end - start
    } else for (let from = start; from < end; from++) encoded[at++] = bytes[from] as number
    start = end
  }
  return { bytes: encoded, ...extremesOf(values, texts), nans: 0 }
}

/** A call costs more than a loop over few bytes. */
const shortLength = 64

interface JoinedBytes {
  readonly bytes: Uint8Array
  /** Where each value ends. */
  readonly ends: Uint32Array
}

/** All text at once, because a call for each value costs more than what it does. */
function encodeTexts(values: readonly Value[]): JoinedBytes {
  const joined = typeof values[0] === 'string' ? values.join('') : null
  const bytes = joined === null ? null : Buffer.from(joined)
  const isAscii = bytes !== null && bytes.length === joined?.length
  const parts = isAscii
    ? []
    : values.map((value) => (typeof value === 'string' ? Buffer.from(value) : (value as Uint8Array)))
  const ends = new Uint32Array(values.length)
  let end = 0
  for (let at = 0; at < values.length; at++) {
    end += isAscii ? (values[at] as string).length : (parts[at]?.length ?? 0)
    ends[at] = end
  }
  return { bytes: isAscii ? bytes : Buffer.concat(parts), ends }
}

/** Bytes of UTF-8 have the order of the characters. */
function extremesOf(values: readonly Value[], { bytes, ends }: JoinedBytes): Pick<PlainValues, 'least' | 'greatest'> {
  let least = 0
  let greatest = 0
  const compare = (left: number, right: number): number => {
    const [leftEnd, rightEnd] = [ends[left] ?? 0, ends[right] ?? 0]
    let at = left === 0 ? 0 : (ends[left - 1] ?? 0)
    let other = right === 0 ? 0 : (ends[right - 1] ?? 0)
    while (at < leftEnd && other < rightEnd) {
      const difference = (bytes[at++] ?? 0) - (bytes[other++] ?? 0)
      if (difference !== 0) return difference
    }
    return leftEnd - at - (rightEnd - other)
  }
  for (let at = 1; at < values.length; at++) {
    if (compare(at, least) < 0) least = at
    else if (compare(at, greatest) > 0) greatest = at
  }
  return { least: values[least], greatest: values[greatest] }
}

function boundsOf(values: readonly Value[]): Pick<PlainValues, 'least' | 'greatest'> {
  const [first] = values
  if (first === undefined) return { least: undefined, greatest: undefined }
  let least = first
  let greatest = first
  for (const value of values) {
    if (compareCells(value, least) < 0) least = value
    else if (compareCells(value, greatest) > 0) greatest = value
  }
  return { least, greatest }
}

function fixedBytes(value: Value, length: number): Uint8Array {
  if (typeof value === 'bigint') return encodeFixed(value, length)
  return typeof value === 'string' ? Buffer.from(value.replaceAll('-', ''), 'hex') : (value as Uint8Array)
}
