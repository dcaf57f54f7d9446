/** What the rules over the syntax tree of every source share. */
import { readFileSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect } from 'vitest'
import { parseAst } from 'vitest/node'

export const root = dirname(import.meta.dirname)
const packages = ['contract', 'client', 'engine', 'server', 'web', 'addin', 'sims']
const sources = packages
  .flatMap((name) =>
    readdirSync(join(root, name, 'src'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1)),
  )
  .filter((file) => !/\.test\.tsx?$/.test(file))

export interface SyntaxNode {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [part: string]: unknown
}

export type SourceRule = (file: string, text: string) => string[]

/** Returns the source text of every node that breaks the rule. */
export function findNodes(file: string, text: string, isWrong: (node: SyntaxNode) => boolean): string[] {
  const found: string[] = []
  const visit = (part: unknown) => {
    if (Array.isArray(part)) for (const one of part) visit(one)
    if (!isNode(part)) return
    if (isWrong(part)) found.push(sourceOf(part, text))
    for (const inner of Object.values(part)) visit(inner)
  }
  visit(parseTree(file, text))
  return found
}

const trees = new Map<string, unknown>()
function parseTree(file: string, text: string): unknown {
  const tree = trees.get(text) ?? parseAst(text, { lang: file.endsWith('x') ? 'tsx' : 'ts' })
  trees.set(text, tree)
  return tree
}

export function isNode(part: unknown): part is SyntaxNode {
  return typeof part === 'object' && part !== null && 'type' in part
}
export function sourceOf({ start, end }: SyntaxNode, text: string): string {
  return text.slice(start, end).replaceAll(/\s+/g, ' ')
}
export function readName(part: unknown): string {
  if (!isNode(part)) return ''
  if (part.type === 'Identifier') return String(part['name'])
  return part.type === 'MemberExpression' ? readName(part['property']) : ''
}

/**
 * The allowed places of each file. The test fails for a place that no longer exists, so that the list stays minimal.
 */
export type AllowedPlaces = Readonly<Record<string, readonly string[]>>

export function expectOnly(rule: SourceRule, among: (file: string) => boolean, allowed: AllowedPlaces): void {
  const files = sources.filter((file) => among(file))
  expect(files.length).toBeGreaterThan(20)
  const found = files.map((file) => [file, [...new Set(rule(file, readFileSync(join(root, file), 'utf8')))]] as const)
  expect(Object.fromEntries(found.filter(([, places]) => places.length > 0))).toEqual(allowed)
}
