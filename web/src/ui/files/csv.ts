/** Comma-separated values (RFC 4180) that a spreadsheet opens as UTF-8 text and never as formulas. */

/** Text, or a decimal number, which may start with a minus. */
export type CsvCell = string | { readonly figure: string }

/** Formats rows as CSV. Starts with a byte order mark, by which spreadsheets recognise UTF-8. */
export function formatCsv(rows: readonly (readonly CsvCell[])[]): string {
  return `\uFEFF${rows.map((row) => `${row.map(formatField).join(',')}\r\n`).join('')}`
}

function formatField(cell: CsvCell): string {
  if (typeof cell !== 'string' && /^-?\d+(?:\.\d+)?$/.test(cell.figure)) return cell.figure
  const value = typeof cell === 'string' ? cell : cell.figure
  const escaped = isFormula(value) ? `'${value}` : value
  return /[",\r\n]|^\s|\s$/u.test(escaped) ? `"${escaped.replaceAll('"', '""')}"` : escaped
}

/** Spreadsheets evaluate a value that starts like this, also after white space (CSV injection). */
function isFormula(value: string): boolean {
  return /^(?:[\t\r\n\0]|\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/u.test(value)
}
