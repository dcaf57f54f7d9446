/** Bounds the rows of a try, because an API may send long values. */
import type { TriedTable as WireTable } from '@tributary/contract/workbench'
import type { Camel } from '@tributary/contract/wire'
import type { TriedTable } from '@tributary/engine/apis/workbench/try/tables-read'

/** In characters. */
const cellMax = 1_000
const rowsMax = 2_000_000

/** Cuts long values. Leaves out rows once the rows before them have two million characters; `rowsRead` counts all. */
export function boundedTables(tables: readonly TriedTable[]): Camel<WireTable>[] {
  let left = rowsMax
  return tables.map(({ name, columns, rows, rowsRead }) => {
    const shown: (string | null)[][] = []
    for (const row of rows) {
      const cells = row.map((cell) => (cell === null ? null : bounded(cell)))
      left -= cells.reduce((sum, cell) => sum + (cell?.length ?? 4), 0)
      if (left < 0) break
      shown.push(cells)
    }
    return { name, columns: columns.map((column) => ({ ...column })), rows: shown, rowsRead }
  })
}

function bounded(cell: string): string {
  return cell.length <= cellMax ? cell : `${cell.slice(0, cellMax).toWellFormed()}…`
}
