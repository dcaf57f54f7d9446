/** Reads rows of a table page by page, forwards and backwards, by the key and not by counting rows. */
import type { DataFilter, DataRows } from '@tributary/contract/data'
import { dataLimits } from '@tributary/contract/limits'
import type { Camel } from '@tributary/contract/wire'
import type { PoolClient } from 'pg'
import { type Expression, parseLiteral } from '../../access/query/expression.ts'
import { readRows } from '../../access/query/read-rows.ts'
import type { RowPosition } from '../../access/query/row-position.ts'
import { withLiterals } from '../../access/query/sql-text.ts'
import type { ColumnModel, TableModel } from '../../access/query/table-model.ts'
import { type OrderTerm, readableSql, type TableQuery } from '../../access/query/table-query.ts'
import { badField } from '../../kernel/http/api-fault.ts'
import { foreignPosition } from './statement-faults.ts'
import { type FilterClock, toExpression } from './table-filters.ts'

export interface RowsRequest {
  readonly filters?: readonly DataFilter[] | undefined
  readonly sort?: string | undefined
  readonly descending?: boolean | undefined
}

export interface PageRequest extends RowsRequest {
  readonly after?: RowPosition | undefined
  readonly before?: RowPosition | undefined
}

/** The query of all rows that the person wants to see, in their order. */
export function toTableQuery(
  table: TableModel,
  request: RowsRequest,
  clock: FilterClock,
): TableQuery & { readonly orderBy: readonly OrderTerm[] } {
  const column = sortColumn(table, request)
  return {
    table,
    filter: toExpression(table, request.filters ?? [], clock),
    orderBy: orderBy(table, column, request.descending ?? false),
  }
}

function sortColumn({ columns }: TableModel, { sort }: RowsRequest): ColumnModel | undefined {
  const column = columns.find(({ name }) => name === sort)
  if (sort !== undefined && column === undefined) throw badField('sort', 'must be a column of the table')
  return column
}

/** Nulls are where an index has them: last, and first in descending order. The key follows in the same direction. */
function orderBy({ key }: TableModel, column: ColumnModel | undefined, descending: boolean): readonly OrderTerm[] {
  const names = [...new Set([...(column === undefined ? [] : [column.name]), ...key])]
  return names.map((name) => ({
    expression: { type: 'column', name },
    descending,
    nulls: descending ? 'first' : 'last',
  }))
}

export function canPage({ kind, key }: TableModel): boolean {
  return kind === 'table' || key.length > 0
}

/** Throws the errors of `readRows`. */
export async function readPage(
  client: PoolClient,
  table: TableModel,
  request: PageRequest,
  clock: FilterClock,
): Promise<Camel<DataRows>> {
  const { before, after } = request
  if (before !== undefined && table.key.length === 0)
    throw badField('before', 'needs a table with a key; start again at the first row')
  const isBackward = before !== undefined
  const position = before ?? after
  const query = toTableQuery(table, request, clock)
  const read = isBackward ? toTableQuery(table, reversed(request), clock) : query
  if (position !== undefined && position.length !== positionLength(query)) throw foreignPosition()
  const limit = canPage(table) ? dataLimits.pageRows : dataLimits.viewRows
  const { json, positions, hasMore } = await readRegions(client, read, { position, limit })
  const rows = json.map(toCells)
  const shown = isBackward ? { rows: rows.toReversed(), positions: positions.toReversed() } : { rows, positions }
  return {
    rows: shown.rows,
    first: table.key.length === 0 ? null : toText(shown.positions[0]),
    last: canPage(table) ? toText(shown.positions.at(-1)) : null,
    hasMore,
    sql: withLiterals(readableSql(query)),
  }
}

/** Without a key a row is found by its place and the transaction that wrote it there. */
function positionLength({ table, orderBy: { length } }: ReturnType<typeof toTableQuery>): number {
  return table.key.length === 0 ? length + 2 : length
}

function reversed({ descending = false, ...request }: PageRequest): PageRequest {
  return { ...request, descending: !descending }
}

function toText(position: RowPosition | undefined): string | null {
  return position === undefined ? null : JSON.stringify(position)
}

interface PageLimits {
  readonly position: RowPosition | undefined
  readonly limit: number
}

async function readRegions(
  client: PoolClient,
  query: ReturnType<typeof toTableQuery>,
  { position, limit }: PageLimits,
): Promise<{ json: string[]; positions: RowPosition[]; hasMore: boolean }> {
  const json: string[] = []
  const positions: RowPosition[] = []
  let hasMore = false
  for (const { filter, after } of regionsAfter(query, position)) {
    const all = and(query.filter, filter)
    const page = await readRows(client, { ...query, filter: all, after, limit: limit - json.length }, exactCells)
    json.push(...page.json)
    positions.push(...page.positions)
    ;({ hasMore } = page)
    if (hasMore) break
  }
  return { json, positions, hasMore }
}

const exactCells = {
  exactNumbers: 'text',
  properties: (columns: readonly ColumnModel[]) => columns.map((column, at) => ({ name: `c${at}`, column })),
} as const

/** The properties of a row are in the order of the columns. */
function toCells(json: string): Camel<DataRows>['rows'][number] {
  return Object.values(JSON.parse(json) as Readonly<Record<string, string | number | boolean | null>>)
}

function and(one: Expression | undefined, other: Expression | undefined): Expression | undefined {
  return one === undefined || other === undefined ? (one ?? other) : { type: 'and', operands: [one, other] }
}

interface Region {
  readonly filter?: Expression
  readonly after?: RowPosition | undefined
}

/**
 * The rows after a position, in parts that are read one after the other. With a nullable column in front, PostgreSQL would not use its index for
 * “greater or null”, so rows with and without null are read separately.
 */
function regionsAfter(
  { table, orderBy: [first] }: ReturnType<typeof toTableQuery>,
  after: RowPosition | undefined,
): readonly Region[] {
  const column = first?.expression.type === 'column' ? findColumn(table, first.expression.name) : undefined
  if (after === undefined || first === undefined || column?.nullable !== true) return [{ after }]
  const left: Expression = { type: 'column', name: column.name }
  const isNull: Expression = { type: 'compare', operator: 'eq', left, right: { type: 'null' } }
  const notNull: Expression = { type: 'compare', operator: 'ne', left, right: { type: 'null' } }
  const value = after[0] ?? null
  const nullsFirst = first.nulls === 'first'
  if (value === null) return [{ filter: isNull, after }, ...(nullsFirst ? [{ filter: notNull }] : [])]
  const bound = boundOf(column, value, nullsFirst) ?? notNull
  return [{ filter: bound, after }, ...(nullsFirst ? [] : [{ filter: isNull }])]
}

function findColumn({ columns }: TableModel, name: string): ColumnModel | undefined {
  return columns.find((column) => column.name === name)
}

/** Undefined for kinds that cannot be compared. The comparison with the whole position follows; this one lets the index begin there. */
function boundOf({ name, kind }: ColumnModel, value: string, descending: boolean): Expression | undefined {
  if (kind === 'json' || kind === 'other' || kind === 'boolean') return undefined
  if (kind === 'integer' && parseLiteral(kind, value) === null) throw foreignPosition()
  return {
    type: 'compare',
    operator: descending ? 'le' : 'ge',
    left: { type: 'column', name },
    right: { type: 'literal', kind, value },
  }
}
