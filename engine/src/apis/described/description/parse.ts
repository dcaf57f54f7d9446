/** Reads a source description from YAML. Every problem names its line and column. */
import { type Document, isMap, isNode, isScalar, LineCounter, type Node, type Pair, parseDocument, visit } from 'yaml'
import type { core } from 'zod'
import { checkDescription } from './check.ts'
import type { DescriptionPath, Report } from './check-hosts.ts'
import { SourceDescription } from './source-description.ts'

export interface DescriptionProblem {
  /** From 1. */
  readonly line: number
  /** From 1. */
  readonly column: number
  /** `streams.invoice.key: is empty` */
  readonly message: string
}

export type ParsedDescription =
  | { readonly description: SourceDescription; readonly problems: readonly [] }
  | { readonly description: null; readonly problems: readonly DescriptionProblem[] }

/** What else applies to a description, such as one that a customer has written. */
export interface DescriptionRules {
  /** In characters. */
  readonly lengthMax: number
  /** Members that the description must not have, with the reason. */
  readonly refused: Readonly<Record<string, string>>
  /** Members that it may leave out. */
  readonly defaults: Readonly<Record<string, unknown>>
  /** Members in place of those that are refused. */
  readonly fixed: Readonly<Record<string, unknown>>
  check(description: SourceDescription, report: Report): void
}

/** The longest descriptions of real sources have some thousand lines. */
const productRules: DescriptionRules = { lengthMax: 500_000, refused: {}, defaults: {}, fixed: {}, check: () => {} }
const problemsMax = 50

export function parseDescription(yaml: string, rules: DescriptionRules = productRules): ParsedDescription {
  if (yaml.length > rules.lengthMax)
    return refused([{ line: 1, column: 1, message: `is longer than ${rules.lengthMax} characters` }])
  const lines = new LineCounter()
  // Aliases could blow up a small file, and tags could make other types of values. The parser compares each key with each other.
  const document = parseDocument(yaml, {
    lineCounter: lines,
    schema: 'core',
    uniqueKeys: false,
    prettyErrors: false,
    customTags: [],
  })
  const locate = (offset: number, message: string): DescriptionProblem => {
    const { line, col: column } = lines.linePos(offset)
    return { line: Math.max(line, 1), column: Math.max(column, 1), message }
  }
  const malformed = [...document.errors, ...document.warnings].slice(0, problemsMax)
  if (malformed.length > 0)
    return refused(malformed.map(({ pos: [offset], message }) => locate(offset, firstLine(message))))
  const repeated = repeatedKeys(document)
  if (repeated.length > 0) return refused(repeated.map((offset) => locate(offset, 'Map keys must be unique')))
  const at = (path: DescriptionPath, message: string): DescriptionProblem =>
    locate(offsetOf(document, path), path.length === 0 ? message : `${path.join('.')}: ${message}`)

  const value = valueOf(document)
  const notAllowed = Object.entries(rules.refused).filter(([name]) => isMap(document.contents) && document.has(name))
  const read = SourceDescription.safeParse(withRules(value, rules))
  const found: LocatedMessage[] = notAllowed.map(([name, message]) => ({ path: [name], message }))
  if (!read.success) found.push(...read.error.issues.slice(0, problemsMax).flatMap(problemsOf))
  else {
    found.push(...checkDescription(withoutPrototypes(read.data)))
    rules.check(read.data, (path, message) => void found.push({ path, message }))
  }
  if (read.success && found.length === 0) return { description: read.data, problems: [] }
  return refused(found.slice(0, problemsMax * 2).map(({ path, message }) => at(path, message)))
}

function withRules(value: unknown, { defaults, fixed }: DescriptionRules): unknown {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? { ...defaults, ...value, ...fixed }
    : value
}

/** Names of a description must not find the members that every object has. */
function withoutPrototypes<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(withoutPrototypes) as T
  const entries = Object.entries(value).map(([name, member]) => [name, withoutPrototypes(member as unknown)] as const)
  return Object.setPrototypeOf(Object.fromEntries(entries), null) as T
}

/** Where keys are that their map has already. */
function repeatedKeys(document: Document): readonly number[] {
  const repeated: number[] = []
  visit(document, {
    Map(_, { items }) {
      const seen = new Set<unknown>()
      for (const { key } of items) {
        const name = isScalar(key) ? key.value : key
        if (seen.has(name) && repeated.length < problemsMax) repeated.push(startOf(key) ?? 0)
        seen.add(name)
      }
    },
  })
  return repeated
}

/**
 * A description that is a part of the product.
 * @throws Error with every problem
 */
export function requireDescription<Engine extends SourceDescription['engine']>(
  yaml: string,
  engine: Engine,
): SourceDescription & { readonly engine: Engine } {
  const { description, problems } = parseDescription(yaml)
  if (description?.engine === engine) return description as SourceDescription & { readonly engine: Engine }
  const lines = problems.map(({ line, column, message }) => `${line}:${column} ${message}`)
  throw new Error(`The description has problems:\n${lines.join('\n')}`)
}

function valueOf(document: Document): unknown {
  try {
    return document.toJS({ maxAliasCount: 0 })
  } catch {
    return null
  }
}

function refused(problems: readonly DescriptionProblem[]): ParsedDescription {
  const sorted = problems.toSorted((one, other) => one.line - other.line || one.column - other.column)
  return { description: null, problems: sorted.slice(0, problemsMax) }
}

interface LocatedMessage {
  readonly path: DescriptionPath
  readonly message: string
}

function problemsOf(issue: core.$ZodIssue): readonly LocatedMessage[] {
  const path = issue.path.map((part) => (typeof part === 'symbol' ? String(part) : part))
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => ({ path: [...path, key], message: 'is not known here' }))
    case 'invalid_union': {
      // Of several forms, the one that got furthest is probably meant.
      const [closest] = issue.errors.toSorted((one, other) => depthOf(other) - depthOf(one))
      if (closest === undefined || closest.length === 0) return [{ path, message: issue.message }]
      return closest.flatMap((inner) => problemsOf({ ...inner, path: [...issue.path, ...inner.path] }))
    }
    case 'invalid_key':
      return issue.issues.map(({ message }) => ({ path, message }))
    case 'invalid_type':
      return [{ path, message: issue.input === undefined ? 'is missing' : `must be ${wordsOf(issue.expected)}` }]
    default:
      return [{ path, message: issue.message }]
  }
}

function depthOf(issues: readonly core.$ZodIssue[]): number {
  return Math.max(0, ...issues.map(({ path }) => path.length))
}

function wordsOf(expected: string): string {
  const words: { readonly [type: string]: string | undefined } = {
    string: 'a text',
    number: 'a number',
    int: 'a whole number',
    boolean: 'true or false',
    array: 'a list',
    object: 'a map of names and values',
    record: 'a map of names and values',
  }
  return words[expected] ?? expected
}

/** Where the value at a path begins; for a member that is missing, where its nearest parent begins. */
function offsetOf(document: Document, path: DescriptionPath): number {
  let node: unknown = document.contents
  let offset = startOf(node) ?? 0
  for (const part of path) {
    const pair: Pair | undefined = isMap(node)
      ? node.items.find(({ key }) => isScalar(key) && String(key.value) === String(part))
      : undefined
    const inner: unknown = pair === undefined ? childOf(node, part) : pair.value
    const start = startOf(pair?.key) ?? startOf(inner)
    if (start === undefined) return offset
    offset = start
    node = inner
  }
  return offset
}

function childOf(node: unknown, part: string | number): unknown {
  const { items } = (node ?? {}) as { readonly items?: readonly unknown[] }
  return typeof part === 'number' ? items?.[part] : undefined
}

function startOf(node: unknown): number | undefined {
  return isNode(node) ? (node as Node).range?.[0] : undefined
}

function firstLine(message: string): string {
  return message.startsWith('Maximum call stack') ? 'is nested too deeply' : (message.split('\n')[0] ?? message)
}
