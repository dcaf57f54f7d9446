/**
 * Reads TMDL by the rules of its documentation, independently of the code that writes it: strict indentation, known
 * kinds of objects and properties, quoting of names. https://learn.microsoft.com/analysis-services/tmdl/tmdl-overview
 */

export interface ParsedObject {
  readonly kind: string
  readonly name: string
  readonly description: string
  /** The value after the equals sign. */
  readonly value: string | null
  readonly properties: Record<string, string>
  readonly children: ParsedObject[]
}

/** Kinds of objects, the objects that they may contain, and their properties. */
const grammar: Readonly<
  Record<string, { readonly children: readonly string[]; readonly properties: readonly string[] }>
> = {
  database: { children: [], properties: ['compatibilityLevel'] },
  model: { children: [], properties: ['culture', 'defaultPowerBIDataSourceVersion', 'sourceQueryCulture'] },
  expression: { children: ['annotation'], properties: ['lineageTag'] },
  relationship: { children: [], properties: ['isActive', 'fromColumn', 'toColumn'] },
  culture: { children: ['linguisticMetadata'], properties: [] },
  linguisticMetadata: { children: [], properties: ['contentType'] },
  role: { children: ['tablePermission'], properties: ['modelPermission'] },
  tablePermission: { children: [], properties: [] },
  table: {
    children: ['measure', 'column', 'hierarchy', 'partition'],
    properties: ['isHidden', 'lineageTag', 'dataCategory'],
  },
  measure: { children: [], properties: ['formatString', 'displayFolder', 'lineageTag'] },
  column: {
    children: ['annotation'],
    properties: [
      'dataType',
      'isKey',
      'isHidden',
      'formatString',
      'displayFolder',
      'lineageTag',
      'summarizeBy',
      'sourceColumn',
      'sortByColumn',
    ],
  },
  hierarchy: { children: ['level'], properties: ['lineageTag'] },
  level: { children: [], properties: ['lineageTag', 'column'] },
  partition: { children: [], properties: ['mode', 'source'] },
  annotation: { children: [], properties: [] },
}

/** Throws with the line that breaks a rule. References (`ref table …`) are objects of the kind `ref`. */
export function readTmdl(text: string): readonly ParsedObject[] {
  const lines = text.split('\n')
  if (lines.pop() !== '') throw new Error('The last line does not end.')
  return new TmdlReader(lines).read()
}

class TmdlReader {
  readonly #lines: readonly string[]
  readonly #roots: ParsedObject[] = []
  /** The objects that contain the current line, outermost first. */
  readonly #open: ParsedObject[] = []
  #description: string[] = []
  #at = 0

  constructor(lines: readonly string[]) {
    this.#lines = lines
  }

  read(): readonly ParsedObject[] {
    for (; this.#at < this.#lines.length; this.#at += 1) {
      const line = this.#lines[this.#at] ?? ''
      if (line !== '') this.#readLine(line)
      else if (this.#description.length > 0) this.#fail('a description without an object')
    }
    return this.#roots
  }

  #fail(reason: string): never {
    throw new Error(`Line ${this.#at + 1}: ${reason}: ${JSON.stringify(this.#lines[this.#at])}`)
  }

  #readLine(line: string): void {
    const level = /^\t*/u.exec(line)?.[0].length ?? 0
    const content = line.slice(level)
    if (content.startsWith(' ')) this.#fail('indented by spaces')
    if (level > this.#open.length) this.#fail('indented too far')
    if (content.startsWith('///')) {
      this.#description.push(content.slice(4))
      return
    }
    const parent = this.#open[level - 1]
    const declared = declaration(content)
    if (declared !== undefined && (parent === undefined || allows(parent, 'children', declared.kind)))
      this.#readObject(declared, { parent, level })
    else this.#readProperty(content, { parent, level })
  }

  #readObject({ kind, name: found, rest }: Declaration, { parent, level }: Position): void {
    const assigned = /^ = ?(?<value>.*)$/u.exec(rest)?.groups?.['value']
    if (rest !== '' && assigned === undefined) this.#fail('text after the name')
    const description = this.#description.join('\n')
    this.#description = []
    const value = assigned === '' ? this.#readExpression(level) : (assigned ?? null)
    const object: ParsedObject = { kind, name: found, description, value, properties: {}, children: [] }
    const siblings = parent?.children ?? this.#roots
    siblings.push(object)
    this.#open.splice(level, this.#open.length, object)
  }

  #readProperty(content: string, { parent, level }: Position): void {
    if (this.#description.length > 0) this.#fail('a description before a property')
    const property = propertyOf(content)
    if (property === undefined || parent === undefined || !allows(parent, 'properties', property.name))
      return this.#fail('not an object or a property that belongs here')
    if (property.name in parent.properties) this.#fail('a property twice')
    parent.properties[property.name] = /^[a-zA-Z]+ =$/u.test(content) ? this.#readExpression(level) : property.value
  }

  /** The lines that are indented two levels deeper. */
  #readExpression(level: number): string {
    const indent = '\t'.repeat(level + 2)
    const expression: string[] = []
    for (let next = this.#lines[this.#at + 1]; next === '' || next?.startsWith(indent) === true;) {
      expression.push(next.slice(indent.length))
      this.#at += 1
      next = this.#lines[this.#at + 1]
    }
    return expression.join('\n').trimEnd() || this.#fail('no expression')
  }
}

interface Position {
  readonly parent: ParsedObject | undefined
  readonly level: number
}

function allows({ kind }: ParsedObject, what: 'children' | 'properties', found: string): boolean {
  return grammar[kind]?.[what].includes(found) === true
}

const name = `(?:'(?:[^']|'')*'|[^\\s'.=:]+)`
const declarationPattern = new RegExp(`^([a-zA-Z]+) ((?:table |culture |role )?${name})(.*)$`, 'u')

interface Declaration {
  readonly kind: string
  readonly name: string
  readonly rest: string
}

function declaration(line: string): Declaration | undefined {
  const unnamed = unnamedPattern.exec(line)
  if (unnamed !== null) return { kind: unnamed[1] ?? '', name: '', rest: unnamed[2] ?? '' }
  const [, kind = '', found = '', rest = ''] = declarationPattern.exec(line) ?? []
  if (kind === 'ref') return { kind, name: found, rest }
  const isKnown = kind in grammar && !/^(?:table|culture|role) /u.test(found)
  return isKnown ? { kind, name: unquoted(found), rest } : undefined
}

const unnamedPattern = /^(database|linguisticMetadata)( =)?$/u

function propertyOf(line: string): { readonly name: string; readonly value: string } | undefined {
  const { name: found, value } =
    /^(?<name>[a-zA-Z]+)(?:: (?<value>.+)| =(?: (?<expression>.*))?)?$/u.exec(line)?.groups ?? {}
  if (found === undefined) return undefined
  if (line === found) return { name: found, value: 'true' }
  return { name: found, value: value === undefined ? '' : textOf(value) }
}

function textOf(value: string): string {
  if (!value.startsWith('"')) return value
  if (!/^"(?:[^"]|"")*"$/u.test(value)) throw new Error(`Quotes do not match: ${value}`)
  return value.slice(1, -1).replaceAll('""', '"')
}

function unquoted(quoted: string): string {
  return quoted.startsWith("'") ? quoted.slice(1, -1).replaceAll("''", "'") : quoted
}

/** `Table.'A column'` as its two names. */
export function splitReference(reference: string): readonly string[] {
  return [...reference.matchAll(new RegExp(`${name}(?=\\.|$)`, 'gu'))].map(([part]) => unquoted(part))
}
