/** Comma-separated values (RFC 4180) in UTF-8, without formula injection in spreadsheets. */

/** The byte order mark, by which spreadsheets recognise UTF-8. */
export const csvStart = '\uFEFF'

/** @param isNumber whether the column has numbers, which may begin with a sign; default: all are text */
export function csvLine(values: readonly string[], isNumber?: (column: number) => boolean): string {
  return `${values.map((value, column) => (isNumber?.(column) === true && isDecimal(value) ? value : field(value))).join(',')}\r\n`
}

function isDecimal(value: string): boolean {
  return /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/u.test(value)
}

function field(value: string): string {
  const harmless = isFormula(value) ? `'${value}` : value
  return /[",\r\n]|^\s|\s$/u.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

/** A spreadsheet evaluates text that starts with one of these characters, with or without leading spaces. */
function isFormula(value: string): boolean {
  return /^(?:[\t\r\n\0]|\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/u.test(value)
}
