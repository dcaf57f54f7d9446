/** What the columns of a kept file hold, chunk by chunk: a whole sheet may be larger than it is worth to hold in memory twice. */
import { ColumnCells } from '@tributary/contract/column-kinds'
import type { ColumnType } from '@tributary/contract/column-types'
import { chunkRowsMax } from '@tributary/contract/limits'
import type { SheetCell } from '@tributary/contract/cells'
import type { LoadKind } from '@tributary/contract/load-columns'
import type { Camel } from '@tributary/contract/wire'
import type { Db } from '../../../kernel/store/store.ts'
import { shownKinds } from '../sheet/sheet-columns.ts'

export interface SheetOfFile {
  readonly fileId: string
  readonly sheet: string
  /** Where the headings are, from 1. */
  readonly firstRow: number
}

export interface FileColumn {
  readonly type: ColumnType | null
  readonly kinds: Camel<LoadKind>[]
}

/** From column A to the last one that is filled below the headings. A sheet that the file does not have is empty. */
export async function readFileColumns(
  db: Db,
  organisationId: string,
  { fileId, sheet, firstRow }: SheetOfFile,
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
  return columns.map(({ type, kinds }, at) => ({ type, kinds: shownKinds(kinds, at + 1) }))
}
