/** Parses the lines of a bulk dialog. */
import { nameMax } from '@tributary/contract/limits'

export interface BulkLine {
  readonly line: string
  /** Why the line is invalid, or null. */
  readonly error: string | null
}

export const duplicateError = 'is listed twice'

/**
 * Returns one trimmed name per line and skips blank lines. Of text pasted from a spreadsheet it takes the first
 * column.
 */
export function parseNames(text: string): readonly BulkLine[] {
  const seen = new Set<string>()
  const lines: BulkLine[] = []
  for (const row of text.split('\n')) {
    const line = row.trim().split('\t', 1)[0]?.trim() ?? ''
    if (line === '') continue
    lines.push({ line, error: nameError(line, seen) })
    seen.add(line.toLowerCase())
  }
  return lines
}

function nameError(line: string, seen: ReadonlySet<string>): string | null {
  if (line.length > nameMax) return `is longer than ${nameMax} characters`
  return seen.has(line.toLowerCase()) ? duplicateError : null
}

export function formatNameCount(valid: number, invalid: number): string {
  const names = valid === 1 ? '1 name' : `${valid} names`
  return invalid === 0 ? names : `${names}, ${invalid} invalid`
}
