/** Quotes names and texts for statements of SQL Server. */
import { clauses } from '../sql-target/clauses.ts'

/** `[name]`, with what would end it doubled. */
export function quote(name: string): string {
  return `[${name.replaceAll(']', ']]')}]`
}

export const { columnList, tableDefinition } = clauses(quote)

/** The schema ends at the first dot; the name of the table may contain more. */
export function quoteTable(table: string): string {
  const [first = '', ...rest] = table.split('.')
  return rest.length === 0 ? quote(first) : `${quote(first)}.${quote(rest.join('.'))}`
}

/** A name for sp_rename, which parses the text itself and needs brackets only where a part is not plain. */
export function procedureName(schema: string, name: string): string {
  const plain = /^[A-Za-z_]\w*$/
  return literal([schema, name].map((part) => (plain.test(part) ? part : quote(part))).join('.'))
}

/** `N'text'`. */
export function literal(text: string | null): string {
  return text === null ? 'NULL' : `N'${text.replaceAll(`'`, `''`)}'`
}
