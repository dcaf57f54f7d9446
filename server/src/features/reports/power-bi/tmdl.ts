/** Text in TMDL: https://learn.microsoft.com/analysis-services/tmdl/tmdl-overview */

export interface TmdlObject {
  /** `table`, `column`, `measure` … */
  readonly kind: string
  readonly name: string
  readonly description?: string | null
  /** The value after the equals sign. */
  readonly value?: TmdlValue
  readonly properties?: readonly TmdlProperty[]
  readonly children?: readonly TmdlObject[]
}

/** An expression keeps its line breaks. A word is written as it is. */
type TmdlValue = { readonly expression: string } | { readonly word: string }

/** `true` writes the name alone. A reference is a name that is already quoted. Undefined is left out. */
type TmdlProperty = readonly [
  name: string,
  value: string | number | true | undefined | { readonly expression: string } | { readonly reference: string },
]

/** A document of objects without a parent. */
export function tmdlDocument(objects: readonly TmdlObject[]): string {
  return objects.map((object) => objectLines(object, 0).join('\n')).join('\n\n') + '\n'
}

function objectLines(object: TmdlObject, level: number): string[] {
  const { kind, name, description, value, properties = [], children = [] } = object
  const indent = '\t'.repeat(level)
  const head = `${indent}${kind} ${tmdlName(name)}`
  return [
    ...descriptionLines(description).map((line) => `${indent}/// ${line}`),
    ...(value === undefined
      ? [head]
      : 'word' in value
        ? [`${head} = ${value.word}`]
        : assigned(head, value.expression, level)),
    ...properties.flatMap((property) => propertyLines(property, level + 1)),
    ...children.flatMap((child) => ['', ...objectLines(child, level + 1)]),
  ]
}

function propertyLines([name, value]: TmdlProperty, level: number): string[] {
  const head = `${'\t'.repeat(level)}${name}`
  if (value === undefined) return []
  if (value === true) return [head]
  if (typeof value === 'number') return [`${head}: ${value}`]
  if (typeof value === 'string') return [`${head}: ${tmdlText(value)}`]
  return 'expression' in value ? assigned(head, value.expression, level) : [`${head}: ${value.reference}`]
}

/** An expression of several lines is indented deeper than the properties of its object. */
function assigned(head: string, expression: string, level: number): string[] {
  if (!expression.includes('\n')) return [`${head} = ${expression}`]
  const indent = '\t'.repeat(level + 2)
  return [`${head} =`, ...expression.split('\n').map((line) => (line === '' ? '' : indent + line))]
}

function descriptionLines(description: string | null | undefined): readonly string[] {
  const text = description?.replace(/[^\P{Cc}\r\n\t]/gu, ' ').trim() ?? ''
  return text === ''
    ? []
    : text.split(/\r\n|[\n\r\u2028\u2029\u0085]/u).map((line) => line.replaceAll('\t', ' ').trim())
}

export function tmdlName(name: string): string {
  return /^[A-Za-z_][A-Za-z0-9_]*$/u.test(name) || isUuid.test(name) ? name : `'${name.replaceAll("'", "''")}'`
}

const isUuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/u

export function tmdlColumn(table: string, column: string): string {
  return `${tmdlName(table)}.${tmdlName(column)}`
}

/** Quotes are optional, and needed where the text begins with one or with backticks, or ends with a space. */
function tmdlText(value: string): string {
  return value === '' || /^[\s"`]|\s$/u.test(value) ? `"${value.replaceAll('"', '""')}"` : value
}
