/**
 * The JSON of a call. What JSON.parse would take without a word is refused here: bytes that are no UTF-8 (two readers would understand two
 * different texts), a key that comes twice in one object (they would understand two different values), and deep nesting.
 */
import { isUtf8 } from 'node:buffer'
import { jsonDepthMax } from '@tributary/contract/limits'
import { ApiFault } from './api-fault.ts'

/** Throws `malformed`. */
export function parseJsonBody(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw new ApiFault('malformed')
  const text = bytes.toString('utf8')
  requirePlainShape(text)
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new ApiFault('malformed', { cause })
  }
}

/** The keys of an object that is open, or null for a list. */
type Open = Set<string> | null

/** One pass over the text that understands strings, brackets and colons; whether the rest is JSON is for JSON.parse to say. */
function requirePlainShape(text: string): void {
  const open: Open[] = []
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at]
    if (character === '{' || character === '[') {
      if (open.length === jsonDepthMax) throw new ApiFault('tooDeep', { values: { limit: jsonDepthMax } })
      open.push(character === '{' ? new Set() : null)
    } else if (character === '}' || character === ']') open.pop()
    else if (character === '"') {
      const end = endOfString(text, at)
      if (isKey(text, end)) addKey(open.at(-1), text.slice(at, end + 1))
      at = end
    }
  }
}

/** The place of the closing quotation mark; the end of the text where there is none. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1
    else if (text[at] === '"') return at
  }
  return text.length
}

function isKey(text: string, end: number): boolean {
  let at = end + 1
  while (text[at] === ' ' || text[at] === '\n' || text[at] === '\r' || text[at] === '\t') at += 1
  return text[at] === ':'
}

function addKey(keys: Open | undefined, written: string): void {
  if (keys === undefined || keys === null) return
  const key = unescaped(written)
  // The second would silently win, and the name of the prototype is never a field.
  if (keys.has(key) || key === '__proto__') throw new ApiFault('malformed')
  keys.add(key)
}

/** `"\u0061"` is the key `a`. */
function unescaped(written: string): string {
  if (!written.includes('\\')) return written.slice(1, -1)
  try {
    return String(JSON.parse(written))
  } catch (cause) {
    throw new ApiFault('malformed', { cause })
  }
}
