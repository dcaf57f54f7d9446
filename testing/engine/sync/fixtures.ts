/** Builders of streams and batches, for the conformance suites and the tests of the sync loop. */
import { encodeRows } from '@tributary/engine/encoding/copy-text'
import type { RowBatch, Checkpoint, Column, LogicalType, Table } from '@tributary/engine/ports/model'
import type { Stream } from '@tributary/engine/ports/source'

export type RowFields = readonly (string | null)[]

export function column(name: string, type: LogicalType, nullable = true): Column {
  return { name, type, nullable }
}

export function table(
  name: string,
  columns: readonly Column[],
  key: readonly string[] = [columns[0]?.name ?? ''],
): Table {
  return { name, columns, key }
}

/** A stream of one table that can be read from a checkpoint by default. */
export function stream(main: Table, rest: Partial<Stream> = {}): Stream {
  return { name: main.name, table: main, children: [], reads: 'since', hasDistinctKeys: true, ...rest }
}

export function batch(main: Table, rows: readonly RowFields[], checkpoint?: Checkpoint): RowBatch {
  const plain = { table: main.name, bytes: encodeRows(rows), rows: rows.length }
  return checkpoint === undefined ? plain : { ...plain, checkpoint }
}

/** Batches as a source yields them. */
export async function* yielding(...batches: readonly RowBatch[]): AsyncGenerator<RowBatch> {
  yield* batches
}
