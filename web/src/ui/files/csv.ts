/** Comma-separated values (RFC 4180) that a spreadsheet opens as what they are: text in UTF-8, and no formulas. */

/** Text, or what is known to be a decimal number, which may begin with a minus. */
export type Cell = string | { readonly figure: string }

/** Begins with the byte order mark, by which spreadsheets know UTF-8. */
export function csv(rows: readonly (readonly Cell[])[]): string {
  return `\uFEFF${rows.map((row) => `${row.map(field).join(',')}\r\n`).join('')}`
}

function field(cell: Cell): string {
  if (typeof cell !== 'string' && /^-?\d+(?:\.\d+)?$/.test(cell.figure)) return cell.figure
  const value = typeof cell === 'string' ? cell : cell.figure
  const harmless = isFormula(value) ? `'${value}` : value
  return /[",\r\n]|^\s|\s$/u.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

/** A spreadsheet reckons what begins so, blanks before it or not, instead of showing it. */
function isFormula(value: string): boolean {
  return /^(?:[\t\r\n\0]|\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/u.test(value)
}
