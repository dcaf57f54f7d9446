import type { DataSource, DataTableSummary } from '@tributary/contract/data'

export interface FoundTable {
  readonly table: DataTableSummary
  /** The columns that the term finds, unless it finds the table itself. */
  readonly columns: readonly string[]
}

export interface FoundSource {
  readonly source: DataSource
  readonly tables: readonly FoundTable[]
}

const columnsShown = 8

/** All words must occur in the names and descriptions of the table and its source, or of one of its columns. An empty term finds all. */
export function findTables(sources: readonly DataSource[], term: string): readonly FoundSource[] {
  const words = term.toLowerCase().split(/\s+/u).filter(Boolean)
  return sources
    .map((source) => ({ source, tables: source.Tables.flatMap((table) => match(source, table, words)) }))
    .filter(({ tables }) => tables.length > 0)
}

function match(source: DataSource, table: DataTableSummary, words: readonly string[]): readonly FoundTable[] {
  const own = [source.Name, table.Schema, table.Name, table.Description ?? ''].join(' ').toLowerCase()
  const missing = words.filter((word) => !own.includes(word))
  if (missing.length === 0) return [{ table, columns: [] }]
  const columns = table.Columns.filter(({ Name, Description }) => {
    const text = `${Name} ${Description ?? ''}`.toLowerCase()
    return missing.every((word) => text.includes(word))
  })
  return columns.length === 0 ? [] : [{ table, columns: columns.slice(0, columnsShown).map(({ Name }) => Name) }]
}
