/** Text and names in the parts of an .xlsx (ECMA-376). */

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/**
 * For elements and attributes. Escapes control characters, which XML forbids, as `_x0007_`, and texts that look like that
 * (ECMA-376 part 1, 22.9.2.19).
 */
export function spreadsheetText(text: string): string {
  return (
    text
      .replaceAll(/_(?=x[0-9A-Fa-f]{4}_)/gu, '_x005F_')
      // oxlint-disable-next-line no-control-regex -- these are the characters that XML forbids
      .replaceAll(/[\u0000-\u0008\u000B\u000C\u000D\u000E-\u001F\uFFFE\uFFFF]/gu, (found) => `_x${hex(found)}_`)
      .replaceAll(/[&<>"]/gu, (found) => entities[found] ?? found)
  )
}

function hex(character: string): string {
  return character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')
}

const sheetNameMax = 31

/** A sheet name that Excel accepts. @param taken in lower case; the name is not added */
export function sheetName(name: string, taken: ReadonlySet<string>): string {
  const allowed = name
    .replaceAll(/[[\]:*?/\\\p{Cc}]/gu, '-')
    .slice(0, sheetNameMax)
    .toWellFormed()
    .replaceAll(/^'|'$/gu, '-')
  const isTaken = (candidate: string) =>
    ['', 'history'].includes(candidate.trim().toLowerCase()) || taken.has(candidate.toLowerCase())
  if (!isTaken(allowed)) return allowed
  const named = `${allowed} data`.trim().slice(0, sheetNameMax)
  for (let number = 1; ; number += 1) {
    const suffix = ` (${number})`
    const candidate = number === 1 ? named : `${allowed.slice(0, sheetNameMax - suffix.length)}${suffix}`.toWellFormed()
    if (!isTaken(candidate)) return candidate
  }
}
