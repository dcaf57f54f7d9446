/** Formats results for a terminal. */

/**
 * Replaces control and bidirectional characters: names and notices from outside must not move the cursor or recolour
 * the screen.
 */
export function toPrintable(text: string): string {
  return text.replaceAll(/[^\P{Cc}\n\t]|[\u202A-\u202E\u2066-\u2069]/gu, '\uFFFD')
}

/** Aligned columns, two spaces apart; `whenEmpty` if there are no rows. */
export function formatTable(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  whenEmpty: string,
): string {
  if (rows.length === 0) return whenEmpty
  const lines = [headings, ...rows.map((row) => row.map((cell) => cell.replaceAll(/\s+/gu, ' ')))]
  const widths = headings.map((_, at) => Math.max(...lines.map((line) => line[at]?.length ?? 0)))
  return lines
    .map((line) =>
      line
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** One line per fact: its name, then its value. */
export function formatFacts(named: Readonly<Record<string, string>>): string {
  const width = Math.max(...Object.keys(named).map((name) => name.length))
  return Object.entries(named)
    .map(([name, fact]) => `${name.padEnd(width)}  ${fact}`.trimEnd())
    .join('\n')
}

/** `2026-11-20 20:06` in UTC, or a dash. */
export function formatMinute(time: string | null): string {
  return time === null ? '-' : time.slice(0, 16).replace('T', ' ')
}
