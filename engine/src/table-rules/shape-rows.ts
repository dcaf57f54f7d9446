/** Applies the rules of a stream to its batches: rows that do not match become deletions, or are left out, and values are masked. */
import { assertNoCut, decodeField, escapeField, joinRows, type RowJoiner } from '../encoding/copy-text.ts'
import type { RowBatch, Table } from '../ports/model.ts'
import type { MaskValue } from './masks.ts'
import type { ShapedStream } from './shaped-stream.ts'

export interface ShapeRequest {
  /** Whether rows that do not match are yielded as deletions, because the target may have them. */
  readonly deletes: boolean
}

/** @param batches text batches of the original stream */
export async function* shapeRows(
  shaped: ShapedStream,
  batches: AsyncIterable<RowBatch> | Iterable<RowBatch>,
  request: ShapeRequest,
): AsyncGenerator<RowBatch> {
  const shaper = new RowShaper(shaped, request)
  for await (const batch of batches) yield* shaper.shape(batch)
  shaper.assertWhole()
}

interface TableShape {
  readonly table: Table
  readonly joiner: RowJoiner
  /** Where the masked columns are. */
  readonly masks: readonly { readonly at: number; readonly mask: MaskValue }[]
  /** Where the columns are that identify the row of the main table. */
  readonly document: readonly number[]
}

class RowShaper {
  readonly #shaped: ShapedStream
  readonly #request: ShapeRequest
  readonly #tables: ReadonlyMap<string, TableShape>
  readonly #filterPlaces: readonly number[]
  /** Whether the row was kept when it was last read, by key; only where a later batch can depend on it. */
  readonly #wasKept: Map<string, boolean> | null

  constructor(shaped: ShapedStream, request: ShapeRequest) {
    const { original, filter, masks } = shaped
    this.#shaped = shaped
    this.#request = request
    this.#tables = new Map(
      [original.table, ...original.children].map((table) => [table.name, shapeOf(table, masks.get(table.name))]),
    )
    this.#filterPlaces = placesOf(
      original.table,
      (filter?.columns ?? []).map(({ name }) => name),
    )
    const isTracked = filter !== null && (!original.hasDistinctKeys || original.children.length > 0)
    this.#wasKept = isTracked ? new Map() : null
  }

  *shape(batch: RowBatch): Generator<RowBatch> {
    const shape = this.#tables.get(batch.table)
    if (shape === undefined || batch.deletes === true) return yield batch
    const { release, checkpoint, ...rest } = batch
    // A copy, because a batch is released while the beginning of a row may still wait for its end.
    const rows = splitRows(shape.joiner.push(Buffer.from(batch.bytes)))
    release?.()
    const isMain = shape.table === this.#shaped.original.table
    const kept = isMain
      ? yield* this.#keepMatching(shape, rows)
      : rows.filter((fields) => this.#wasKept?.get(idOf(shape, fields)) !== false)
    yield {
      ...rest,
      bytes: joinFields(kept.map((fields) => maskFields(shape, fields))),
      rows: kept.length,
      ...(checkpoint !== undefined && { checkpoint }),
    }
  }

  assertWhole(): void {
    for (const { joiner } of this.#tables.values()) assertNoCut(joiner.waiting)
  }

  /** Yields deletions, and returns the rows that match. A row that was read twice counts as it was read last. */
  *#keepMatching(shape: TableShape, rows: readonly Fields[]): Generator<RowBatch, readonly Fields[]> {
    const { filter } = this.#shaped
    if (filter === null) return rows
    const keeps = rows.map((fields) => filter.keeps(this.#filterPlaces.map((at) => decodeText(fields[at] ?? ''))))
    const wasKept = this.#wasKept
    if (wasKept === null) {
      const left = rows.filter((_, at) => keeps[at] === false)
      if (this.#request.deletes)
        yield* deletionsOf(
          shape,
          left.map((fields) => idOf(shape, fields)),
        )
      return rows.filter((_, at) => keeps[at])
    }
    const ids = rows.map((fields) => idOf(shape, fields))
    const last = new Map(ids.map((id, at) => [id, keeps[at] === true]))
    const left = [...last].flatMap(([id, isKept]) => (isKept ? [] : [id]))
    const { superseding = [], plain = [] } = Object.groupBy(left, (id) =>
      wasKept.get(id) === true ? 'superseding' : 'plain',
    )
    for (const [id, isKept] of last) wasKept.set(id, isKept)
    yield* deletionsOf(shape, superseding, true)
    if (this.#request.deletes) yield* deletionsOf(shape, plain)
    return rows.filter((_, at) => last.get(ids[at] ?? '') === true && keeps[at])
  }
}

/** The values of a row as they stand between tabs, with the bytes of UTF-8 as characters. */
type Fields = readonly string[]

function shapeOf(table: Table, masks: ReadonlyMap<string, MaskValue> = new Map()): TableShape {
  return {
    table,
    joiner: joinRows(),
    masks: [...masks].map(([name, mask]) => ({ at: table.columns.findIndex((column) => column.name === name), mask })),
    document: placesOf(table, table.parentKey ?? table.key),
  }
}

function placesOf({ columns }: Table, names: readonly string[]): readonly number[] {
  return names.map((name) => columns.findIndex((column) => column.name === name))
}

/** In COPY text, tabs and newlines occur only as separators. */
function splitRows(bytes: Uint8Array): readonly Fields[] {
  const lines = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1').split('\n')
  lines.pop()
  return lines.map((line) => line.split('\t'))
}

function joinFields(rows: readonly Fields[]): Uint8Array {
  return Buffer.from(rows.map((fields) => `${fields.join('\t')}\n`).join(''), 'latin1')
}

/** The key of a row of the main table, encoded. */
function idOf({ document }: TableShape, fields: Fields): string {
  return document.map((at) => fields[at] ?? '').join('\t')
}

function decodeText(field: string): string | null {
  return decodeField(Buffer.from(field, 'latin1').toString('utf8'))
}

function maskFields({ masks }: TableShape, fields: Fields): Fields {
  if (masks.length === 0) return fields
  const masked = [...fields]
  for (const { at, mask } of masks) {
    const value = mask(decodeText(fields[at] ?? ''))
    masked[at] = value === null ? '\\N' : Buffer.from(escapeField(value), 'utf8').toString('latin1')
  }
  return masked
}

/** Rows without a key are always read whole, so none has to be deleted. */
function* deletionsOf({ table }: TableShape, ids: readonly string[], supersedes = false): Generator<RowBatch> {
  if (ids.length === 0 || table.key.length === 0) return
  const bytes = Buffer.from(ids.map((id) => `${id}\n`).join(''), 'latin1')
  yield { table: table.name, bytes, rows: ids.length, deletes: true, ...(supersedes && { supersedes }) }
}
