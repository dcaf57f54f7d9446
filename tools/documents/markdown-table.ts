/** Renders a Markdown table. Every row has one cell for each column. */
export function markdownTable(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |\n`
  for (const row of rows)
    if (row.length !== columns.length) throw new Error(`A row of ${columns[0]} has ${row.length} cells: ${row[0]}`)
  return line(columns) + `|${'---|'.repeat(columns.length)}\n` + rows.map(line).join('')
}
