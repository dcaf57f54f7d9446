/** JSON whose numbers keep every digit: one that a double might not hold stays its own text, as a string. */

export type Json = null | boolean | number | string | readonly Json[] | JsonObject
export interface JsonObject {
  readonly [key: string]: Json | undefined
}

/**
 * Any decimal of at most 15 digits comes back from a double unchanged, so only longer ones, and those with an exponent
 * near a double's ends, are at risk. A reviver would cost four times the parse; this search costs next to nothing.
 */
const risky = /(?:^|[\s,:[])(-?(?:\d[\d.]{15,}(?:[eE][+-]?\d+)?|\d[\d.]*[eE][+-]?\d{3,}))/g

/** Throws a SyntaxError where JSON.parse would. */
export function parseExactly(text: string): Json {
  return JSON.parse(quoteRisky(text)) as Json
}

function quoteRisky(text: string): string {
  risky.lastIndex = 0
  let match = risky.exec(text)
  if (match === null) return text

  const strings = stringFinder(text)
  let quoted = ''
  let copied = 0
  for (; match !== null; match = risky.exec(text)) {
    const number = match[1] ?? ''
    const start = risky.lastIndex - number.length
    if (!isNamed(text, start) && strings.holds(start)) continue
    quoted += `${text.slice(copied, start)}"${number}"`
    copied = risky.lastIndex
  }
  return quoted + text.slice(copied)
}

/** Right behind a key: within a string, the quote before the colon would have a backslash before it. */
function isNamed(text: string, place: number): boolean {
  return text[place - 1] === ':' && text[place - 2] === '"' && text[place - 3] !== '\\'
}

/** Tells whether a place lies within a string. Places must be asked in rising order. */
function stringFinder(text: string): { holds(place: number): boolean } {
  let opens = text.indexOf('"')
  let closes = endOfString(text, opens)
  return {
    holds(place) {
      while (opens !== -1 && closes < place) {
        opens = text.indexOf('"', closes + 1)
        closes = endOfString(text, opens)
      }
      return opens !== -1 && opens < place
    },
  }
}

function endOfString(text: string, opens: number): number {
  if (opens === -1) return text.length
  let end = text.indexOf('"', opens + 1)
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end === -1 ? text.length : end
}

function isEscaped(text: string, place: number): boolean {
  let before = place
  while (text[before - 1] === '\\') before -= 1
  return (place - before) % 2 === 1
}
