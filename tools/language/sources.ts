/** The tracked files of the repository, and what the checks of its language read in them. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseSync } from 'oxc-parser'

const root = dirname(dirname(import.meta.dirname))

/** A piece of prose and the line it starts at, counted from one. */
export interface Passage {
  readonly file: string
  readonly line: number
  readonly text: string
}

/** Paths below the root, of tracked files that exist, by git's patterns. */
export function listTracked(...patterns: readonly string[]): string[] {
  const out = execFileSync('git', ['ls-files', '--deduplicate', ...patterns], { cwd: root, encoding: 'utf8' })
  const deleted = execFileSync('git', ['ls-files', '--deleted', ...patterns], { cwd: root, encoding: 'utf8' })
  const missing = new Set(deleted.split('\n'))
  return out.split('\n').filter((file) => file !== '' && !missing.has(file))
}

export function readTracked(file: string): string {
  return readFileSync(join(root, file), 'utf8')
}

/** What ships: no tests, no test support, no benchmarks, no simulators, no tools. */
export function isProduct(file: string): boolean {
  return (
    /^(contract|client|engine|server|web|addin)\/.*\.tsx?$/u.test(file) &&
    !/\.(test|spec)\.tsx?$|\/public\//u.test(file)
  )
}

/** Comments of a TypeScript or JavaScript file, without their delimiters. */
export function commentsOf(file: string, source: string): Passage[] {
  return parseSync(file, source).comments.map(({ value, start }) => ({
    file,
    line: source.slice(0, start).split('\n').length,
    text: value.replaceAll(/^[ \t]*\*+ ?/gmu, ' '),
  }))
}

/** Paragraphs of a Markdown file, without code. */
export function paragraphsOf(file: string, source: string): Passage[] {
  const prose = source.replaceAll(/```[\s\S]*?```/gu, (block) => block.replaceAll(/[^\n]/gu, ''))
  let line = 1
  const passages: Passage[] = []
  for (const part of prose.split(/(\n\s*\n)/u)) {
    if (part.trim() !== '') passages.push({ file, line, text: part })
    line += part.split('\n').length - 1
  }
  return passages
}

/** Names of the types and interfaces that a TypeScript file declares at its top. */
export function typeNamesOf(source: string): string[] {
  return [...source.matchAll(/^(?:export )?(?:interface|type) (\w+)/gmu)].map(([, name = '']) => name)
}

const token =
  /[\p{L}_$][\p{L}\p{N}_$]*|\d[\w.]*|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`|=>|\.{3}|[=!]==?|[<>]=?|&&|\|\||\?\?|\?\.|\S/gu

/** Size of code that neither comments, nor white space, nor the length of names, nor the width of lines changes. */
export function countTokens(file: string, source: string): number {
  let code = source
  for (const { start, end } of parseSync(file, source).comments.toReversed())
    code = code.slice(0, start) + code.slice(end)
  // The formatter adds a trailing comma where it breaks a list into lines.
  const unbroken = code.replaceAll(/,(?=\s*[)\]}])/gu, '')
  return unbroken.match(token)?.length ?? 0
}
