/** Reads a source description from YAML. Every problem names its line and column. */
import { type Document, isMap, isNode, isScalar, LineCounter, type Node, type Pair, parseDocument } from 'yaml'
import type { core } from 'zod'
import { checkDescription } from './check.ts'
import type { DescriptionPath } from './check-hosts.ts'
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

/** In characters. The longest descriptions of real sources have some thousand lines. */
const lengthMax = 500_000
const problemsMax = 50

export function parseDescription(yaml: string): ParsedDescription {
  if (yaml.length > lengthMax)
    return refused([{ line: 1, column: 1, message: `is longer than ${lengthMax} characters` }])
  const lines = new LineCounter()
  // Aliases could blow up a small file, and tags could make other types of values.
  const document = parseDocument(yaml, { lineCounter: lines, schema: 'core', uniqueKeys: true, customTags: [] })
  const locate = (offset: number, message: string): DescriptionProblem => {
    const { line, col: column } = lines.linePos(offset)
    return { line: Math.max(line, 1), column: Math.max(column, 1), message }
  }
  const malformed = [...document.errors, ...document.warnings]
  if (malformed.length > 0)
    return refused(malformed.map(({ pos: [offset], message }) => locate(offset, firstLine(message))))
  const at = (path: DescriptionPath, message: string): DescriptionProblem =>
    locate(offsetOf(document, path), path.length === 0 ? message : `${path.join('.')}: ${message}`)

  const read = SourceDescription.safeParse(valueOf(document))
  if (!read.success) return refused(read.error.issues.flatMap(problemsOf).map(({ path, message }) => at(path, message)))
  const contradictions = checkDescription(read.data)
  if (contradictions.length > 0) return refused(contradictions.map(({ path, message }) => at(path, message)))
  return { description: read.data, problems: [] }
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
  return message.split('\n')[0] ?? message
}
