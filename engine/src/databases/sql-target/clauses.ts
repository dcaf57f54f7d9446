/** Parts of statements that differ between databases only in how names are quoted. */
import type { TargetTable } from './table-layout.ts'

interface Clauses {
  /** `x, y`, or `a.x, a.y` with an alias. */
  columnList(names: readonly string[], alias?: string): string
  /** `a.x = b.y AND …`: columns of the same place in both lists are equal. */
  columnsEqual(left: AliasedColumns, right: AliasedColumns): string
  /**
   * The columns of a new table and its primary key, in brackets. Columns are nullable except those of the key: a source that drops a column,
   * or makes it nullable, then changes nothing here.
   */
  tableDefinition(table: TargetTable): string
}

type AliasedColumns = readonly [alias: string, columns: readonly string[]]

export function clauses(quote: (name: string) => string): Clauses {
  const columnOf = (name: string, alias?: string): string =>
    alias === undefined ? quote(name) : `${alias}.${quote(name)}`
  const columnList: Clauses['columnList'] = (names, alias) => names.map((name) => columnOf(name, alias)).join(', ')
  return {
    columnList,
    columnsEqual: ([leftAlias, left], [rightAlias, right]) =>
      left.map((name, at) => `${columnOf(name, leftAlias)} = ${columnOf(right[at] ?? name, rightAlias)}`).join(' AND '),
    tableDefinition({ columns, key }) {
      const defined = columns.map(({ name, type, isKey }) => `${quote(name)} ${type}${isKey ? ' NOT NULL' : ' NULL'}`)
      const primaryKey = key.length === 0 ? [] : [`PRIMARY KEY (${columnList(key)})`]
      return `(${[...defined, ...primaryKey].join(', ')})`
    },
  }
}
