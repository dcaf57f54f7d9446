/** Names as MySQL reads them in a statement. */

/** `` `name` ``, with what would end it doubled. */
export function quote(name: string): string {
  return `\`${name.replaceAll('`', '``')}\``
}

/** `'text'`, for statements that people copy. */
export function quoteText(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll(`'`, `''`)}'`
}
