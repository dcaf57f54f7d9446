/** Quotes names and texts for statements of MySQL. */
import { clauses } from '../sql-target/clauses.ts'

/** `` `name` ``, with what would end it doubled. */
export function quote(name: string): string {
  return `\`${name.replaceAll('`', '``')}\``
}

export const { columnList, columnsEqual, tableDefinition } = clauses(quote)

/** `'text'`, for statements that users copy. */
export function quoteText(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll(`'`, `''`)}'`
}
