/** Infers the column types of an uploaded file, chunk by chunk, so that a large sheet is not held in memory twice. */
import { ColumnCells } from '@tributary/contract/column-kinds'
import type { ColumnType } from '@tributary/contract/column-types'
import { chunkRowsMax } from '@tributary/contract/limits'
import type { SheetCell } from '@tributary/contract/cells'
import type { LoadKind } from '@tributary/contract/load-columns'
import type { Camel } from '@tributary/contract/wire'
import type { Db } from '../../../kernel/store/store.ts'
import { toLoadKinds } from '../sheet/sheet-columns.ts'

export interface FileSheet {
  readonly fileId: string
  readonly sheet: string
  /** Row of the headings, from 1. */
  readonly firstRow: number
}

export interface FileColumn {
  readonly type: ColumnType | null
  readonly kinds: Camel<LoadKind>[]
}

/** Columns from A to the last one with values below the headings. Empty if the file has no such sheet. */
export async function readFileColumns(
  db: Db,
  organisationId: string,
  { fileId, sheet, firstRow }: FileSheet,
): Promise<FileColumn[]> {
  const columns: ColumnCells[] = []
  for (let number = Math.ceil(firstRow / chunkRowsMax); ; number++) {
    const chunk = await db
      .selectFrom('loadFileChunk')
      .select('rows')
      .where('organisationId', '=', organisationId)
      .where('fileId', '=', fileId)
      .where('sheet', '=', sheet)
      .where('number', '=', number)
      .executeTakeFirst()
    if (chunk === undefined) break
    for (const [index, cells] of (chunk.rows as (readonly SheetCell[])[]).entries()) {
      const row = (number - 1) * chunkRowsMax + index + 1
      if (row <= firstRow) continue
      for (const [at, cell] of cells.entries()) (columns[at] ??= new ColumnCells()).add(cell, row)
    }
  }
  return columns.map(({ type, kinds }, at) => ({ type, kinds: toLoadKinds(kinds, at + 1) }))
}
