/** Reports whose rows are lists of cells, in the order of columns that the reply names, and whose rows can have rows below them. */
import type { ExactJson, JsonObject } from '../http/exact-json.ts'
import { isObject } from '../http/fields.ts'
import { misfit, type RecordList } from './calls.ts'
import type { GridDescription } from './description/schema.ts'
import { pointerReader } from './pointer.ts'

interface GridReply {
  readonly page: number
  readonly reply: ExactJson
  readonly rows: readonly JsonObject[]
}

/**
 * An object for each row of cells, with the cells by the names of their columns, in the order of the report.
 * @throws Fault `data` if a row has another number of cells than there are columns
 */
export function gridRecords(
  list: Pick<RecordList, 'api' | 'stream'>,
  grid: GridDescription,
  { page, reply, rows }: GridReply,
): readonly JsonObject[] {
  const names = columnNames(list, grid, { page, reply })
  const cellsOf = pointerReader(grid.cells)
  const below = grid.rows === undefined ? () => null : pointerReader(grid.rows)
  const needed = (grid.needs ?? []).map(pointerReader)
  const recordOf = (row: JsonObject): readonly JsonObject[] => {
    const cells = cellsOf(row)
    if (!Array.isArray(cells)) return []
    if (cells.length !== names.length)
      throw misfit(list, { page, pointer: grid.cells, found: row, wanted: `${names.length} cells` })
    const record = Object.fromEntries(names.map((name, at) => [name, (cells as readonly ExactJson[])[at]]))
    return needed.every((find) => hasValue(find(record))) ? [record] : []
  }
  const all = (some: readonly JsonObject[]): readonly JsonObject[] =>
    some.flatMap((row) => [...recordOf(row), ...all(objectsIn(below(row)))])
  return all(rows)
}

function columnNames(
  list: Pick<RecordList, 'api' | 'stream'>,
  { columns, name }: GridDescription,
  { page, reply }: Pick<GridReply, 'page' | 'reply'>,
): readonly string[] {
  const find = pointerReader(name)
  const names = objectsIn(pointerReader(columns)(reply)).map((column) => {
    const found = find(column)
    if (typeof found === 'string') return found
    throw misfit(list, { page, pointer: `${columns}/…${name}`, found, wanted: 'the name of a column' })
  })
  if (new Set(names).size === names.length) return names
  throw misfit(list, { page, pointer: columns, found: names.join(), wanted: 'columns with different names' })
}

function objectsIn(value: ExactJson | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? (value as readonly ExactJson[]).filter(isObject) : []
}

function hasValue(value: ExactJson | undefined): boolean {
  return value !== undefined && value !== null && value !== ''
}
