/** Reads data files by field ids, one row group at a time, in whatever program has written them. */
import { gunzipSync, zstdDecompressSync } from 'node:zlib'
import { type AsyncBuffer, type FileMetaData, parquetMetadataAsync, parquetRead, type SchemaElement } from 'hyparquet'
import { Fault } from '../../../ports/faults.ts'
import type { ObjectStorage } from '../storage/storage.ts'
import { decodeFixed, formatUuid } from './bounds.ts'
import type { Cell } from './cells.ts'
import { decimalSize } from './column-types.ts'
import type { TableField } from './parquet-schema.ts'
import { positionFields } from './position-fields.ts'

export interface RowGroup {
  /** The position of its first row in the file. */
  readonly start: number
  readonly rows: number
  /** In the order of the fields. */
  readonly columns: readonly (readonly Cell[])[]
  /** For each row its offset to `start`; null if all rows follow each other, because none was deleted. */
  readonly offsets: readonly number[] | null
}

export interface FileToRead {
  readonly path: string
  readonly size: number
  /** A file with the positions of rows that are left out. */
  readonly deletions?: FileToRead
}

/**
 * Rows that are deleted are left out. A field that the file does not have is null in all rows: it was added later.
 *
 * @param isWanted by the position of the first row; default: all row groups
 */
export async function* readRowGroups(
  storage: Pick<ObjectStorage, 'read'>,
  file: FileToRead,
  fields: readonly TableField[],
  isWanted: (start: number) => boolean = () => true,
): AsyncGenerator<RowGroup> {
  const deleted = await readDeletedPositions(storage, file)
  for await (const group of readStoredGroups(storage, file, fields, isWanted))
    yield deleted.size === 0 ? group : withoutRows(group, deleted)
}

/** The positions of the rows of a file that are deleted. */
export async function readDeletedPositions(
  storage: Pick<ObjectStorage, 'read'>,
  { path, deletions }: FileToRead,
): Promise<ReadonlySet<number>> {
  const positions = new Set<number>()
  if (deletions === undefined) return positions
  for await (const group of readStoredGroups(storage, deletions, [positionFields.path, positionFields.position]))
    for (let row = 0; row < group.rows; row++)
      if (group.columns[0]?.[row] === path) positions.add(Number(group.columns[1]?.[row]))
  return positions
}

function withoutRows({ start, rows, columns }: RowGroup, deleted: ReadonlySet<number>): RowGroup {
  const offsets: number[] = []
  for (let at = 0; at < rows; at++) if (!deleted.has(start + at)) offsets.push(at)
  if (offsets.length === rows) return { start, rows, columns, offsets: null }
  const kept = columns.map((cells) => offsets.map((at) => cells[at] ?? null))
  return { start, rows: offsets.length, columns: kept, offsets }
}

async function* readStoredGroups(
  storage: Pick<ObjectStorage, 'read'>,
  file: FileToRead,
  fields: readonly TableField[],
  isWanted: (start: number) => boolean = () => true,
): AsyncGenerator<RowGroup> {
  const buffer = bufferOf(storage, file)
  const metadata = await parquetMetadataAsync(buffer)
  const stored = fields.map(({ id }) => metadata.schema.find(({ field_id }) => field_id === id))
  const raw: FileMetaData = { ...metadata, schema: metadata.schema.map(withoutMeaning) }
  let start = 0
  for (const group of metadata.row_groups) {
    const rows = Number(group.num_rows)
    if (!isWanted(start)) {
      start += rows
      continue
    }
    const columns = await readColumns({ buffer, raw, stored, start, rows })
    yield {
      start,
      rows,
      columns: fields.map(({ name, type }, at) => {
        const element = stored[at]
        const values = element === undefined ? undefined : columns.get(element.name)
        if (element !== undefined && values === undefined) throw unreadable(file.path, name)
        return toCells(type, values, rows)
      }),
      offsets: null,
    }
    start += rows
  }
}

function unreadable(path: string, column: string): Fault {
  return new Fault('data', {
    code: 'iceberg.file_unreadable',
    notice: `The column ‘${column}’ of the file ${path} cannot be read. Load the table again with a full refresh.`,
  })
}

function bufferOf(storage: Pick<ObjectStorage, 'read'>, { path, size }: FileToRead): AsyncBuffer {
  return {
    byteLength: size,
    slice: async (start, end = size) => {
      const offset = start < 0 ? size + start : start
      const bytes = await storage.read(path, { offset, length: end - offset })
      return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer
    },
  }
}

/** The values as they are stored: the reader would turn decimals into doubles and microseconds into milliseconds. */
function withoutMeaning(element: SchemaElement): SchemaElement {
  const { converted_type: converted, logical_type: logical, ...plain } = element
  if (element.type === undefined) return element
  const isText = converted === 'UTF8' || logical?.type === 'STRING'
  return isText ? { ...plain, converted_type: 'UTF8' } : plain
}

interface ColumnsToRead {
  readonly buffer: AsyncBuffer
  readonly raw: FileMetaData
  readonly stored: readonly (SchemaElement | undefined)[]
  readonly start: number
  readonly rows: number
}

type StoredValues = ArrayLike<unknown>

async function readColumns(group: ColumnsToRead): Promise<ReadonlyMap<string, StoredValues>> {
  const { buffer, raw, stored, start, rows } = group
  const chunks = new Map<string, { readonly at: number; readonly values: StoredValues }[]>()
  const names = stored.flatMap((element) => (element === undefined ? [] : [element.name]))
  if (names.length > 0)
    await parquetRead({
      file: buffer,
      metadata: raw,
      columns: names,
      rowStart: start,
      rowEnd: start + rows,
      compressors,
      utf8: false,
      onChunk: ({ columnName, columnData, rowStart }) => {
        const known = chunks.get(columnName) ?? []
        known.push({ at: rowStart - start, values: columnData })
        chunks.set(columnName, known)
      },
    })
  return new Map([...chunks].map(([name, parts]) => [name, joined(parts, rows)]))
}

function joined(parts: readonly { readonly at: number; readonly values: StoredValues }[], rows: number): StoredValues {
  const [first] = parts
  if (parts.length === 1 && first?.values.length === rows) return first.values
  const all = Array.from<unknown>({ length: rows })
  for (const { at, values } of parts) for (let row = 0; row < values.length; row++) all[at + row] = values[row]
  return all
}

const compressors = {
  ZSTD: (input: Uint8Array) => zstdDecompressSync(input),
  GZIP: (input: Uint8Array) => gunzipSync(input),
}

function toCells(type: string, values: StoredValues | undefined, rows: number): Cell[] {
  const cells = Array.from<Cell>({ length: rows }).fill(null)
  if (values === undefined) return cells
  const convert = converterOf(type)
  for (let row = 0; row < rows; row++) {
    const value = values[row]
    if (value !== null && value !== undefined) cells[row] = convert(value)
  }
  return cells
}

const asStored = (value: unknown): Cell => value as Cell

function converterOf(type: string): (value: unknown) => Cell {
  if (decimalSize(type) !== null)
    return (value) => (value instanceof Uint8Array ? decodeFixed(value) : BigInt(value as bigint | number))
  return converters[type] ?? asStored
}

const toBigInt = (value: unknown): Cell => BigInt(value as bigint | number)

const converters: { readonly [type: string]: ((value: unknown) => Cell) | undefined } = {
  int: Number,
  date: Number,
  long: toBigInt,
  time: toBigInt,
  timestamp: toBigInt,
  timestamptz: toBigInt,
  boolean: Boolean,
  uuid: (value) => formatUuid(value as Uint8Array),
  string: (value) => (typeof value === 'string' ? value : Buffer.from(value as Uint8Array).toString()),
}
