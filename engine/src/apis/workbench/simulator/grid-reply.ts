/** Records as a report writes them: a list of cells for each, in the order of the columns, with rows below others. */
import { columnPointer } from '../../described/columns.ts'
import type { GridDescription, StreamDescription } from '../../described/description/schema.ts'
import { partsOf, pointerTo } from '../../described/pointer.ts'
import { setAt, type SimulatedJson, valueAt } from './simulated-json.ts'

const rowsBelow = 3

export function gridReply(
  stream: StreamDescription,
  grid: GridDescription,
  records: readonly SimulatedJson[],
): SimulatedJson {
  const names = columnNames(stream, grid)
  const rows = records.map((record) =>
    rowOf(
      grid,
      names.map((name) => valueAt(record, pointerTo(name)) ?? {}),
    ),
  )
  // A row without the needed values, such as a balance carried forward.
  const others =
    grid.needs === undefined
      ? []
      : [
          rowOf(
            grid,
            names.map((): SimulatedJson => ({})),
          ),
        ]
  const columns = names.map((name) => setAt({}, grid.name, name))
  return setAt(setAt({}, grid.columns, columns), stream.records, [...others, ...groups(grid, rows)])
}

/** The first members of the pointers of its columns, and of those that it needs. */
function columnNames({ columns }: StreamDescription, { needs = [] }: GridDescription): readonly string[] {
  const pointers = Object.entries(columns).map(([name, column]) => columnPointer(name, column))
  return [...new Set([...pointers, ...needs].flatMap((pointer) => partsOf(pointer).slice(0, 1)))]
}

function rowOf({ cells }: GridDescription, values: readonly SimulatedJson[]): SimulatedJson {
  return setAt({}, cells, [...values])
}

/** Some rows are below one that has no cells. */
function groups({ rows: below }: GridDescription, rows: readonly SimulatedJson[]): readonly SimulatedJson[] {
  if (below === undefined) return rows
  const found: SimulatedJson[] = []
  for (let from = 0; from < rows.length; from += rowsBelow)
    found.push(setAt({}, below, rows.slice(from, from + rowsBelow)))
  return found
}
