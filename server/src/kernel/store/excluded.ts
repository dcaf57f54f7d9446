import { type RawBuilder, sql } from 'kysely'

/** For `doUpdateSet`: each column takes the value of the row that could not be inserted. */
export function excluded<Column extends string>(columns: readonly Column[]): Record<Column, RawBuilder<never>> {
  const values = columns.map((column) => [column, sql<never>`${sql.ref(`excluded.${column}`)}`])
  return Object.fromEntries(values) as Record<Column, RawBuilder<never>>
}
