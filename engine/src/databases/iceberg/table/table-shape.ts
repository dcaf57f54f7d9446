/** Where the values of a table's rows are: the fields of its schema, and the positions of its columns, key and owner among them. */
import type { TargetTable } from '../../sql-target/table-layout.ts'
import type { LoadedTable } from '../catalog/catalog.ts'
import { type Cell, formatterOf } from '../format/cells.ts'
import { primitiveFields, type TableField } from '../format/parquet-schema.ts'
import type { CellRow } from './data-writer.ts'
import { schemaOf } from './snapshot-writer.ts'

export interface TableShape {
  /** All of the table, in the order of a row's cells. The source may not have some of them any more. */
  readonly fields: readonly TableField[]
  /** For each column of the source the position of its field. */
  readonly columns: readonly number[]
  readonly key: readonly number[]
  /** Of a child the columns that hold the key of its parent, otherwise the key. */
  readonly owner: readonly number[]
  readonly formatters: readonly ((value: Exclude<Cell, null>) => string)[]
}

export function shapeOfTable({ metadata }: Pick<LoadedTable, 'metadata'>, target: TargetTable): TableShape {
  const fields = primitiveFields(schemaOf(metadata).fields)
  const positionOf = (name: string): number => {
    const at = fields.findIndex((field) => field.name === name)
    if (at === -1) throw new Error(`The table ‘${target.name}’ has lost its column ‘${name}’.`)
    return at
  }
  const key = target.key.map(positionOf)
  return {
    fields,
    columns: target.columns.map(({ name }) => positionOf(name)),
    key,
    owner: target.table.parentKey === undefined ? key : target.parentKey.map(positionOf),
    formatters: fields.map(({ type }) => formatterOf(type)),
  }
}

/** Identifies the values at these positions: equal values give equal texts. */
export function textAt(
  { formatters }: Pick<TableShape, 'formatters'>,
  row: CellRow,
  positions: readonly number[],
): string {
  const [first = -1] = positions
  if (positions.length === 1) return textOf(formatters[first], row[first] ?? null)
  let text = ''
  for (const position of positions) {
    const part = textOf(formatters[position], row[position] ?? null)
    text += `${part.length}:${part}`
  }
  return text
}

/** No text has U+0000. */
function textOf(format: TableShape['formatters'][number] | undefined, cell: Cell): string {
  return cell === null ? '\u0000' : (format?.(cell) ?? '')
}
