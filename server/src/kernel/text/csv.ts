/** Comma-separated values (RFC 4180) that a spreadsheet opens as what they are: text in UTF-8, and no formulas. */

/** The byte order mark, by which spreadsheets know UTF-8. */
export const csvStart = '\uFEFF'

export function csvLine(values: readonly string[]): string {
  return `${values.map(field).join(',')}\r\n`
}

function field(value: string): string {
  const harmless = isFormula(value) ? `'${value}` : value
  return /[",\r\n]|^\s|\s$/u.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

/** A spreadsheet reckons what begins so, blanks before it or not, instead of showing it. */
function isFormula(value: string): boolean {
  return /^(?:[\t\r\n\0]|\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/u.test(value)
}
