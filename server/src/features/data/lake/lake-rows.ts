/** Reads pages of a table of a lake, forwards and backwards by its key, as the explorer reads those of the warehouse. */
import type { DataCell, DataRows } from '@tributary/contract/data'
import { dataLimits } from '@tributary/contract/limits'
import type { Camel } from '@tributary/contract/wire'
import type { OrderTerm } from '@tributary/engine/databases/iceberg/reading/best-rows'
import type { Cell } from '@tributary/engine/databases/iceberg/format/cells'
import type { TableField } from '@tributary/engine/databases/iceberg/format/parquet-schema'
import type { RowPosition } from '../../../access/query/row-position.ts'
import type { TableModel } from '../../../access/query/table-model.ts'
import { badField } from '../../../kernel/http/api-fault.ts'
import { foreignPosition } from '../statement-faults.ts'
import { type FilterClock, toExpression } from '../table-filters.ts'
import type { PageRequest } from '../table-rows.ts'
import { compileLakeFilter } from './lake-filter.ts'
import { fromPosition, toDataCell, toPosition } from './lake-values.ts'
import type { OpenedLakeTable } from './open-lake.ts'

export async function readLakePage(
  { model, reader }: OpenedLakeTable,
  request: PageRequest,
  clock: FilterClock,
): Promise<Camel<DataRows>> {
  const { before, after, filters = [], descending = false } = request
  const hasKey = model.key.length > 0
  const position = before ?? after
  if (position !== undefined && !hasKey) throw badField('after', 'or before needs a table with a key')
  const isBackward = before !== undefined
  const { fields } = reader
  const order = orderOf(model, fields, { sort: request.sort, descending: isBackward ? !descending : descending })
  const { rows, hasMore } = await reader.readPage({
    filter: compileLakeFilter(fields, toExpression(model, filters, clock)),
    order,
    after: position === undefined ? null : readPosition(fields, order, position),
    limit: hasKey ? dataLimits.pageRows : dataLimits.viewRows,
  })
  const shown = isBackward ? rows.toReversed() : rows
  const positionOf = (row: readonly Cell[] | undefined) =>
    row === undefined || !hasKey
      ? null
      : JSON.stringify(order.map(({ at }) => toPosition(typeOf(fields, at), row[at] ?? null)))
  const toCells = cellsOf(model, fields)
  return {
    rows: shown.map(toCells),
    first: positionOf(shown[0]),
    last: positionOf(shown.at(-1)),
    hasMore,
    sql: null,
  }
}

/** Turns a row of the reader into the cells of the model's columns. */
export function cellsOf({ columns }: TableModel, fields: readonly TableField[]): (row: readonly Cell[]) => DataCell[] {
  const places = columns.map(({ name }) => fields.findIndex((field) => field.name === name))
  return (row) => places.map((at) => toDataCell(typeOf(fields, at), row[at] ?? null))
}

function typeOf(fields: readonly TableField[], at: number): string {
  return fields[at]?.type ?? 'string'
}

interface RequestedOrder {
  readonly sort: string | undefined
  readonly descending: boolean
}

/** The key follows the sorted column in the same direction. */
export function orderOf(
  { columns, key }: TableModel,
  fields: readonly TableField[],
  { sort, descending }: RequestedOrder,
): readonly OrderTerm[] {
  if (sort !== undefined && !columns.some(({ name }) => name === sort))
    throw badField('sort', 'must be a column of the table')
  const names = new Set([...(sort === undefined ? [] : [sort]), ...key])
  const positions = [...names].map((name) => fields.findIndex((field) => field.name === name))
  return positions.filter((at) => at !== -1).map((at) => ({ at, descending }))
}

function readPosition(
  fields: readonly TableField[],
  order: readonly OrderTerm[],
  position: RowPosition,
): readonly Cell[] {
  if (position.length !== order.length) throw foreignPosition()
  return order.map(({ at }, term) => {
    const cell = fromPosition(typeOf(fields, at), position[term] ?? null)
    if (cell === undefined) throw foreignPosition()
    return cell
  })
}
