/** Names in braces, which stand for a value: `{company}`. There is no other substitution. */

const placeholder = /\{([A-Za-z][A-Za-z0-9_]*)\}/gu

export function placeholdersIn(text: string): readonly string[] {
  return [...text.matchAll(placeholder)].flatMap(([, name]) => name ?? [])
}

/** @param valueOf undefined leaves the placeholder as it is */
export function fillPlaceholders(text: string, valueOf: (name: string) => string | undefined): string {
  return text.replaceAll(placeholder, (whole, name: string) => valueOf(name) ?? whole)
}
