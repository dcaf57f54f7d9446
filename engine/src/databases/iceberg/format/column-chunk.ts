/**
 * Writes the values of a column as a column chunk of Parquet: a page with a dictionary where values repeat, and a page of values.
 * https://parquet.apache.org/docs/file-format/data-pages/
 */
import type { ColumnChunk, Encoding } from 'hyparquet'
import type { ByteWriter } from 'hyparquet-writer'
import { type EncodedColumn, type EncodedDictionary, packBits } from './encoded-column.ts'
import { pageCompressors } from './page-compressor.ts'

/** Numbers of the format. */
const pageTypes = { dictionary: 2, data: 3 } as const
const encodings = { PLAIN: 0, RLE_DICTIONARY: 8 } as const

type ColumnMetadata = NonNullable<ColumnChunk['meta_data']>

/** The pages of a column chunk: each a head and what follows it. */
interface CompressedColumn {
  readonly column: EncodedColumn
  readonly dictionary: CompressedPage | null
  readonly data: CompressedPage
}

interface CompressedPage {
  readonly parts: readonly Uint8Array[]
  readonly uncompressed: number
}

/** Rows are read on while the pages are compressed. */
export async function compressColumn(column: EncodedColumn): Promise<CompressedColumn> {
  const { dictionary } = column
  if (dictionary === null) return { column, dictionary, data: await dataPage(column, 'PLAIN', column.plain) }
  const [first, data] = await Promise.all([
    dictionaryPage(dictionary, column.plain),
    dataPage(column, 'RLE_DICTIONARY', packIndexes(dictionary)),
  ])
  return { column, dictionary: first, data }
}

export function writeColumnChunk(writer: ByteWriter, { column, dictionary, data }: CompressedColumn): ColumnChunk {
  const start = writer.offset
  for (const part of dictionary?.parts ?? []) writer.appendBytes(part)
  const dataStart = writer.offset
  for (const part of data.parts) writer.appendBytes(part)
  const { element, isPresent } = column
  return {
    file_offset: BigInt(start),
    meta_data: {
      ...(dictionary === null ? plainPages : { ...dictionaryPages, dictionary_page_offset: BigInt(start) }),
      type: element.type ?? 'BYTE_ARRAY',
      path_in_schema: [element.name],
      codec: 'ZSTD',
      num_values: BigInt(isPresent.length),
      total_compressed_size: BigInt(writer.offset - start),
      total_uncompressed_size: BigInt((dictionary?.uncompressed ?? 0) + data.uncompressed),
      data_page_offset: BigInt(dataStart),
      statistics: statisticsOf(column),
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

function statisticsOf({
  element,
  least,
  greatest,
  nulls,
  nans,
}: EncodedColumn): NonNullable<ColumnMetadata['statistics']> {
  const statistics = {
    null_count: BigInt(nulls),
    ...(least !== undefined && { min_value: least }),
    ...(greatest !== undefined && { max_value: greatest }),
    ...(element.type === 'DOUBLE' && { nan_count: BigInt(nans) }),
  }
  return statistics
}

/** As one run of packed bits, after their number for each index. */
function packIndexes({ size, indexes }: EncodedDictionary): Uint8Array {
  const width = Math.max(1, 32 - Math.clz32(size - 1))
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
function levelsOf({ element, isPresent, nulls }: EncodedColumn): Uint8Array {
  if (element.repetition_type === 'REQUIRED') return new Uint8Array()
  const rows = isPresent.length
  if (nulls === 0 || nulls === rows) return Uint8Array.from([...varint(rows << 1), nulls === 0 ? 1 : 0])
  const bits = packBits(isPresent)
  return Buffer.concat([Uint8Array.from(varint((bits.length << 1) | 1)), bits])
}

async function dictionaryPage({ size }: EncodedDictionary, bytes: Uint8Array): Promise<CompressedPage> {
  const compressed = await pageCompressors.compress(bytes)
  const numbers = [size, encodings.PLAIN]
  const head = pageHead(pageTypes.dictionary, bytes.length, lengthOf(compressed), { field: 7, numbers })
  return { parts: [head, ...compressed], uncompressed: head.length + bytes.length }
}

async function dataPage(
  column: EncodedColumn,
  encoding: Encoding & keyof typeof encodings,
  bytes: Uint8Array,
): Promise<CompressedPage> {
  const levels = levelsOf(column)
  const compressed = await pageCompressors.compress(bytes)
  const rows = column.isPresent.length
  const numbers = [rows, column.nulls, rows, encodings[encoding], levels.length, 0]
  const [whole, stored] = [levels.length + bytes.length, levels.length + lengthOf(compressed)]
  const head = pageHead(pageTypes.data, whole, stored, { field: 8, numbers })
  return { parts: [head, levels, ...compressed], uncompressed: head.length + whole }
}

function lengthOf(parts: readonly Uint8Array[]): number {
  return parts.reduce((sum, part) => sum + part.length, 0)
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
