import { quote } from '@tributary/engine/databases/postgres/types'
import { joinSql, sql, type SqlText } from './sql-text.ts'
import type { ColumnModel, TableModel } from './table-model.ts'

/** The rows of a query, before order and page. `from` names them `t`. */
export interface Relation {
  readonly from: SqlText
  readonly columns: readonly ColumnModel[]
  readonly conditions: readonly SqlText[]
  readonly key: readonly string[]
  /** A table without a key, whose rows are identified by their physical place. */
  readonly hasPlace: boolean
}

export function tableName({ schema, name }: Pick<TableModel, 'schema' | 'name'>): string {
  return `${quote(schema)}.${quote(name)}`
}

/** What a query of the table reads from. */
export function rowsOf(table: TableModel): SqlText {
  const { schema, rowsAsOf } = table
  if (rowsAsOf === undefined) return [tableName(table)]
  return sql`${tableName({ schema, name: rowsAsOf.function })}(${{ value: rowsAsOf.moment, type: 'timestamptz' }})`
}

/** Empty without conditions. */
export function whereSql(conditions: readonly SqlText[]): SqlText {
  return conditions.length === 0 ? [] : sql` WHERE ${joinSql(conditions, ' AND ')}`
}
