/** Reads the references of a DAX expression: https://learn.microsoft.com/dax/dax-syntax-reference */

export interface DaxReference {
  /** Undefined for a measure. */
  readonly table: string | undefined
  /** Undefined for a table. */
  readonly name: string | undefined
}

const token =
  /\s+|(?<text>"(?:[^"]|"")*")|(?<table>'(?:[^']|'')+')?(?<name>\[(?:[^\]]|\]\])+\])|(?<only>'(?:[^']|'')+')|(?<word>[A-Za-z]+)|(?<number>\d+)|(?<sign>[(),*/&=-])/uy

/** Throws if something is neither a token nor in balance. */
export function readDax(expression: string): readonly DaxReference[] {
  const references: DaxReference[] = []
  let depth = 0
  token.lastIndex = 0
  while (token.lastIndex < expression.length) {
    const at = token.lastIndex
    const found = token.exec(expression)?.groups
    if (found === undefined) throw new Error(`DAX does not continue like this at ${at}: ${expression}`)
    const { table, name, only, sign } = found
    if (sign === '(') depth += 1
    if (sign === ')') depth -= 1
    if (depth < 0) throw new Error(`A parenthesis too many: ${expression}`)
    if (name !== undefined) references.push({ table: table && unquoted(table, "'"), name: unquoted(name, ']') })
    if (only !== undefined) references.push({ table: unquoted(only, "'"), name: undefined })
  }
  if (depth !== 0) throw new Error(`A parenthesis is missing: ${expression}`)
  return references
}

function unquoted(quoted: string, end: string): string {
  return quoted.slice(1, -1).replaceAll(end + end, end)
}
