/** Groups the columns that a login may read by table, for the completion of the SQL editor. */
import { readDescription } from '../../ports/model.ts'
import type { ReadableTable } from '../../ports/target-reader.ts'

/** A catalogue with more columns is cut, so that neither the server nor the editor has to hold all of it. */
export const readableColumnsMax = 50_000

export interface CatalogueRow {
  readonly schema: string
  readonly name: string
  readonly comment: string | null
  readonly columnName: string
  readonly columnComment: string | null
}

/** @param rows by schema, table, and position of the column */
export function groupReadableColumns(rows: readonly CatalogueRow[]): readonly ReadableTable[] {
  const tables = Map.groupBy(rows, ({ schema, name }) => JSON.stringify([schema, name]))
  return [...tables.values()].flatMap((columns) => {
    const [first] = columns
    if (first === undefined) return []
    const { schema, name, comment } = first
    return {
      schema,
      name,
      description: readDescription(comment) ?? null,
      columns: columns.map(({ columnName, columnComment }) => ({
        name: columnName,
        description: readDescription(columnComment) ?? null,
      })),
    }
  })
}
