/** Reads all rows of a table that a filter matches, in the order of its files. In memory is one row group. */
import { readRowGroups, type RowGroup } from '../format/parquet-reader.ts'
import type { CellRow } from '../table/data-writer.ts'
import { boundsOf } from './file-bounds.ts'
import { type LakeFilter, type PageSource, rowAt } from './read-page.ts'

export interface ScanRequest {
  readonly filter: LakeFilter
  /** The positions of the fields that are read. */
  readonly fields: readonly number[]
}

/** Yields rows in batches. A row has the values of the requested fields at their positions. */
export async function* scanRows(
  { storage, files, fields, signal }: PageSource,
  { filter, fields: wanted }: ScanRequest,
): AsyncGenerator<readonly CellRow[]> {
  const read = [...new Set([...wanted, ...filter.fields])]
  const needed = read.flatMap((at) => fields[at] ?? [])
  for (const file of files) {
    if (!filter.mayMatch((field) => boundsOf(file, fields[field]))) continue
    for await (const group of readRowGroups(storage, file, needed)) {
      signal.throwIfAborted()
      yield matchingRows(group, read, filter)
    }
  }
}

function matchingRows(group: RowGroup, read: readonly number[], filter: LakeFilter): readonly CellRow[] {
  const rows: CellRow[] = []
  for (let at = 0; at < group.rows; at++) {
    const row = rowAt(group, read, at)
    if (filter.matches(row)) rows.push(row)
  }
  return rows
}
