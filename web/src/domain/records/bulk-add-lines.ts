/** The lines of a box that holds many at once. */
import { nameMax } from '@tributary/contract/limits'

export interface BulkLine {
  readonly line: string
  /** What is wrong with it, or null. */
  readonly flaw: string | null
}

export const twice = 'stands here twice'

/** A name a line, trimmed; blank lines are none. Of what comes from a sheet the first column counts. */
export function parseNames(text: string): readonly BulkLine[] {
  const seen = new Set<string>()
  const lines: BulkLine[] = []
  for (const row of text.split('\n')) {
    const line = row.trim().split('\t', 1)[0]?.trim() ?? ''
    if (line === '') continue
    lines.push({ line, flaw: flawOf(line, seen) })
    seen.add(line.toLowerCase())
  }
  return lines
}

function flawOf(line: string, seen: ReadonlySet<string>): string | null {
  if (line.length > nameMax) return `is longer than ${nameMax} characters`
  return seen.has(line.toLowerCase()) ? twice : null
}

export function countNames(good: number, bad: number): string {
  const names = good === 1 ? '1 name' : `${good} names`
  return bad === 0 ? names : `${names}, ${bad} not right`
}
