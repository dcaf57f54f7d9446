/** The column in which an API says when a record was last changed. */
import type { Table } from '../../ports/model.ts'
import type { Stream } from '../../ports/source.ts'

/** @param field as the API spells it */
export function changedAt(table: Table, field: string): Pick<Stream, 'changedAtColumn'> {
  const column = table.columns.find(({ name, sourceField = name }) => sourceField === field)
  return column === undefined ? {} : { changedAtColumn: column.name }
}
