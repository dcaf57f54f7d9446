/**
 * Writes the cells of a column as a column chunk of Parquet: a page with a dictionary where values repeat, and a page of values.
 * https://parquet.apache.org/docs/file-format/data-pages/
 */
import { constants, zstdCompressSync } from 'node:zlib'
import type { ColumnChunk, Encoding, SchemaElement } from 'hyparquet'
import type { ByteWriter } from 'hyparquet-writer'
import type { Cell } from './cells.ts'
import { encodePlain, packBits, type PlainValues, type Value } from './plain-values.ts'

/** Numbers of the format. */
const pageTypes = { dictionary: 2, data: 3 } as const
const encodings = { PLAIN: 0, RLE_DICTIONARY: 8 } as const

type ColumnMetadata = NonNullable<ColumnChunk['meta_data']>

/** @param element of a leaf of the root, required or optional */
export function writeColumnChunk(writer: ByteWriter, element: SchemaElement, cells: readonly Cell[]): ColumnChunk {
  const start = writer.offset
  const values = valuesOf(cells)
  const nulls = cells.length - values.length
  const levels = element.repetition_type === 'REQUIRED' ? new Uint8Array() : levelsOf(cells, nulls)
  const dictionary = element.converted_type === 'UTF8' ? dictionaryOf(values) : null
  const plain = encodePlain(element, dictionary?.values ?? values)
  const page = { levels, rows: cells.length, nulls }
  let dataStart = start
  let uncompressed = 0
  if (dictionary === null) uncompressed += writeData(writer, { ...page, encoding: 'PLAIN', bytes: plain.bytes })
  else {
    uncompressed += writeDictionary(writer, dictionary, plain)
    dataStart = writer.offset
    uncompressed += writeData(writer, { ...page, encoding: 'RLE_DICTIONARY', bytes: packIndexes(dictionary) })
  }
  return {
    file_offset: BigInt(start),
    meta_data: {
      ...(dictionary === null ? plainPages : { ...dictionaryPages, dictionary_page_offset: BigInt(start) }),
      type: element.type ?? 'BYTE_ARRAY',
      path_in_schema: [element.name],
      codec: 'ZSTD',
      num_values: BigInt(cells.length),
      total_compressed_size: BigInt(writer.offset - start),
      total_uncompressed_size: BigInt(uncompressed),
      data_page_offset: BigInt(dataStart),
      statistics: statisticsOf(element, plain, nulls),
    },
  }
}

type Pages = Pick<ColumnMetadata, 'encodings' | 'encoding_stats'>

const plainPages: Pages = {
  encodings: ['PLAIN'],
  encoding_stats: [{ page_type: 'DATA_PAGE_V2', encoding: 'PLAIN', count: 1 }],
}

const dictionaryPages: Pages = {
  encodings: ['PLAIN', 'RLE_DICTIONARY'],
  encoding_stats: [
    { page_type: 'DICTIONARY_PAGE', encoding: 'PLAIN', count: 1 },
    { page_type: 'DATA_PAGE_V2', encoding: 'RLE_DICTIONARY', count: 1 },
  ],
}

function valuesOf(cells: readonly Cell[]): readonly Value[] {
  return cells.includes(null) ? cells.filter((cell) => cell !== null) : (cells as readonly Value[])
}

function statisticsOf(
  element: SchemaElement,
  { least, greatest, nans }: PlainValues,
  nulls: number,
): NonNullable<ColumnMetadata['statistics']> {
  const statistics = {
    null_count: BigInt(nulls),
    ...(least !== undefined && { min_value: least }),
    ...(greatest !== undefined && { max_value: greatest }),
    ...(element.type === 'DOUBLE' && { nan_count: BigInt(nans) }),
  }
  return statistics
}

interface Dictionary {
  readonly values: readonly Value[]
  /** For each value its position in the dictionary. */
  readonly indexes: Uint32Array
}

const sampleSize = 1_000

/** Null unless each value occurs at least twice on average, first in a sample, so that other columns cost next to nothing. */
function dictionaryOf(values: readonly Value[]): Dictionary | null {
  const step = Math.max(1, Math.floor(values.length / sampleSize))
  const sample = values.filter((_, at) => at % step === 0)
  if (values.length === 0 || new Set(sample).size * 2 > sample.length) return null
  const positions = new Map<Value, number>()
  const indexes = new Uint32Array(values.length)
  for (let at = 0; at < values.length; at++) {
    const value = values[at] as Value
    let position = positions.get(value)
    if (position === undefined) positions.set(value, (position = positions.size))
    indexes[at] = position
  }
  return positions.size * 2 > values.length ? null : { values: [...positions.keys()], indexes }
}

/** As one run of packed bits, after their number for each index. */
function packIndexes({ values, indexes }: Dictionary): Uint8Array {
  const width = Math.max(1, 32 - Math.clz32(values.length - 1))
  const groups = Math.ceil(indexes.length / 8)
  const head = [width, ...varint((groups << 1) | 1)]
  const bytes = new Uint8Array(head.length + groups * width)
  bytes.set(head)
  let end = head.length
  let waiting = 0
  let bits = 0
  for (const index of indexes) {
    waiting |= index << bits
    bits += width
    for (; bits >= 8; bits -= 8) {
      bytes[end++] = waiting
      waiting >>>= 8
    }
  }
  if (bits > 0) bytes[end] = waiting
  return bytes
}

/** Which rows have a value: a run of the same level, or packed bits. */
function levelsOf(cells: readonly Cell[], nulls: number): Uint8Array {
  if (nulls === 0 || nulls === cells.length) return Uint8Array.from([...varint(cells.length << 1), nulls === 0 ? 1 : 0])
  const bits = packBits(cells, (cell) => cell !== null)
  return Buffer.concat([Uint8Array.from(varint((bits.length << 1) | 1)), bits])
}

/** Returns the bytes of the page without compression. */
function writeDictionary(writer: ByteWriter, { values }: Dictionary, { bytes }: PlainValues): number {
  const compressed = compress(bytes)
  const numbers = [values.length, encodings.PLAIN]
  const head = pageHead(pageTypes.dictionary, bytes.length, compressed.length, { field: 7, numbers })
  for (const part of [head, compressed]) writer.appendBytes(part)
  return head.length + bytes.length
}

interface DataPage {
  readonly encoding: Encoding & keyof typeof encodings
  readonly bytes: Uint8Array
  readonly levels: Uint8Array
  readonly rows: number
  readonly nulls: number
}

function writeData(writer: ByteWriter, { encoding, bytes, levels, rows, nulls }: DataPage): number {
  const compressed = compress(bytes)
  const numbers = [rows, nulls, rows, encodings[encoding], levels.length, 0]
  const [whole, stored] = [levels.length + bytes.length, levels.length + compressed.length]
  const head = pageHead(pageTypes.data, whole, stored, { field: 8, numbers })
  for (const part of [head, levels, compressed]) writer.appendBytes(part)
  return head.length + whole
}

function compress(bytes: Uint8Array): Uint8Array {
  return zstdCompressSync(bytes, { params: { [constants.ZSTD_c_compressionLevel]: 1 } })
}

/** A struct of Thrift's compact protocol: type and sizes, and a struct that describes the page, all of them numbers of 32 bits. */
function pageHead(
  type: number,
  uncompressed: number,
  compressed: number,
  { field, numbers }: { readonly field: number; readonly numbers: readonly number[] },
): Uint8Array {
  const structAfterThird = ((field - 3) << 4) | 12
  return Uint8Array.from([
    ...thriftNumbers([type, uncompressed, compressed]),
    structAfterThird,
    ...thriftNumbers(numbers),
    0,
    0,
  ])
}

/** Fields from the first on: each the one after the last, of 32 bits, in zigzag form. */
function thriftNumbers(numbers: readonly number[]): number[] {
  return numbers.flatMap((number) => [0x15, ...varint(number * 2)])
}

/** @param number not negative */
function varint(number: number): number[] {
  const bytes: number[] = []
  let rest = number
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest & 127) | 128)
  bytes.push(rest)
  return bytes
}
