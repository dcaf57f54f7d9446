/** How answers read on a terminal. */

/** Names and notices come from people and foreign systems; none of them may move the cursor or recolour the screen. */
export function printable(text: string): string {
  return text.replaceAll(/[^\P{Cc}\n\t]|[\u202A-\u202E\u2066-\u2069]/gu, '\uFFFD')
}

/** Columns in line, two spaces between. Without rows, the sentence that says so. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[], whenEmpty: string): string {
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

/** Each fact on a line, its name in front. */
export function facts(named: Readonly<Record<string, string>>): string {
  const width = Math.max(...Object.keys(named).map((name) => name.length))
  return Object.entries(named)
    .map(([name, fact]) => `${name.padEnd(width)}  ${fact}`.trimEnd())
    .join('\n')
}

/** `2026-11-20 20:06` in UTC, or a dash. */
export function minute(time: string | null): string {
  return time === null ? '-' : time.slice(0, 16).replace('T', ' ')
}
