/** Names and texts as SQL Server reads them in a statement. */

/** `[name]`, with what would end it doubled. */
export function quote(name: string): string {
  return `[${name.replaceAll(']', ']]')}]`
}

/** The name of a table may have a dot; that of its schema ends at the first one. */
export function quoteTable(table: string): string {
  const [first = '', ...rest] = table.split('.')
  return rest.length === 0 ? quote(first) : `${quote(first)}.${quote(rest.join('.'))}`
}

/** As sp_rename reads a name: it parses the text by itself, and needs brackets only where a part is not plain. */
export function renamed(schema: string, name: string): string {
  const plain = /^[A-Za-z_]\w*$/
  return literal([schema, name].map((part) => (plain.test(part) ? part : quote(part))).join('.'))
}

/** `N'text'`. */
export function literal(text: string | null): string {
  return text === null ? 'NULL' : `N'${text.replaceAll(`'`, `''`)}'`
}
