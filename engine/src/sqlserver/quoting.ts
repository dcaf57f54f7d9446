/** Names and texts as SQL Server reads them in a statement. */

/** `[name]`, with what would end it doubled. */
export function quote(name: string): string {
  return `[${name.replaceAll(']', ']]')}]`
}

/** `N'text'`. */
export function literal(text: string | null): string {
  return text === null ? 'NULL' : `N'${text.replaceAll(`'`, `''`)}'`
}
