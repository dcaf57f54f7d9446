/** Parses JSON without losing digits: a number that a double may not represent is returned as a string. */

export type ExactJson = null | boolean | number | string | readonly ExactJson[] | JsonObject
export interface JsonObject {
  readonly [key: string]: ExactJson | undefined
}

/**
 * A double returns any decimal of at most 15 digits unchanged, so only longer numbers and extreme exponents are at
 * risk.
 * A reviver would quadruple the parse time; this search is almost free.
 */
const riskyNumber = /(?:^|[\s,:[])(-?(?:\d[\d.]{15,}(?:[eE][+-]?\d+)?|\d[\d.]*[eE][+-]?\d{3,}))/g

/** Throws a SyntaxError if `JSON.parse` would. */
export function parseExactJson(text: string): ExactJson {
  return JSON.parse(quoteRiskyNumbers(text)) as ExactJson
}

function quoteRiskyNumbers(text: string): string {
  riskyNumber.lastIndex = 0
  let match = riskyNumber.exec(text)
  if (match === null) return text

  const strings = createStringFinder(text)
  let quoted = ''
  let copied = 0
  for (; match !== null; match = riskyNumber.exec(text)) {
    const number = match[1] ?? ''
    const start = riskyNumber.lastIndex - number.length
    if (!followsKey(text, start) && strings.holds(start)) continue
    quoted += `${text.slice(copied, start)}"${number}"`
    copied = riskyNumber.lastIndex
  }
  return quoted + text.slice(copied)
}

/** True directly after a key. Inside a string, the quote before the colon would be escaped by a backslash. */
function followsKey(text: string, position: number): boolean {
  return text[position - 1] === ':' && text[position - 2] === '"' && text[position - 3] !== '\\'
}

/** Reports whether a position lies inside a string. Positions must be queried in ascending order. */
function createStringFinder(text: string): { holds(position: number): boolean } {
  let opens = text.indexOf('"')
  let closes = endOfString(text, opens)
  return {
    holds(position) {
      while (opens !== -1 && closes < position) {
        opens = text.indexOf('"', closes + 1)
        closes = endOfString(text, opens)
      }
      return opens !== -1 && opens < position
    },
  }
}

function endOfString(text: string, opens: number): number {
  if (opens === -1) return text.length
  let end = text.indexOf('"', opens + 1)
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end === -1 ? text.length : end
}

function isEscaped(text: string, position: number): boolean {
  let before = position
  while (text[before - 1] === '\\') before -= 1
  return (position - before) % 2 === 1
}
