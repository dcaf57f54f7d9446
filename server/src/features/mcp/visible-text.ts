/** Text of people and sources as assistants get it: nothing in it is invisible, reverses its direction, or closes a frame. */

/** Controls except tab and line breaks, format characters such as direction marks and tags, and variation selectors, which can hide text. */
const invisible =
  /[^\P{Cc}\t\n\r]|[\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Variation_Selector}\u{115F}\u{1160}\u{3164}\u{FFA0}]/gu

/** Writes characters that are not visible as `\u{202E}`. */
export function makeVisible(text: string): string {
  return text.toWellFormed().replaceAll(invisible, (character) => {
    const code = character.codePointAt(0) ?? 0
    return `\\u{${code.toString(16).toUpperCase()}}`
  })
}

/** All texts of a value. Keys are constants. */
export function makeAllVisible(value: unknown): unknown {
  if (typeof value === 'string') return makeVisible(value)
  if (Array.isArray(value)) return value.map(makeAllVisible)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, makeAllVisible(one)]))
}

/** For names, descriptions and messages. */
export function shorten(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max - 1)}…`
}

/** JSON in which no text can look like a tag, an entity or a fence of Markdown. It parses to the same value. */
export function toFramedJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    /[<>&`]/gu,
    (character) => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
  )
}
