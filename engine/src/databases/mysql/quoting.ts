/** Quotes names and texts for statements of MySQL. */

/** `` `name` ``, with what would end it doubled. */
export function quote(name: string): string {
  return `\`${name.replaceAll('`', '``')}\``
}

export function columnList(names: readonly string[]): string {
  return names.map(quote).join(', ')
}

/** `'text'`, for statements that users copy. */
export function quoteText(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll(`'`, `''`)}'`
}
