/** Reads the rows of files one after the other. */
import type { DataFile } from '../format/manifest.ts'
import { readRowGroups, type RowGroup } from '../format/parquet-reader.ts'
import type { TableField } from '../format/parquet-schema.ts'
import type { ObjectStorage } from '../storage/storage.ts'
import type { CellRow } from '../table/data-writer.ts'

export interface RowsToVisit {
  readonly storage: ObjectStorage
  readonly files: readonly DataFile[]
  readonly fields: readonly TableField[]
}

/** @param visit resolves when it can take the next row; undefined: at once */
export async function visitRows(
  { storage, files, fields }: RowsToVisit,
  visit: (row: CellRow) => Promise<void> | undefined,
): Promise<void> {
  for (const file of files)
    for await (const group of readRowGroups(storage, file, fields)) await visitGroup(group, visit)
}

async function visitGroup(group: RowGroup, visit: (row: CellRow) => Promise<void> | undefined): Promise<void> {
  for (const row of rowsOf(group)) {
    const pause = visit(row)
    if (pause !== undefined) await pause
  }
}

export function* rowsOf({ rows, columns }: RowGroup): Generator<CellRow> {
  for (let at = 0; at < rows; at++) yield columns.map((cells) => cells[at] ?? null)
}
