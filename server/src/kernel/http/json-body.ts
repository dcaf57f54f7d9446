/**
 * Parses JSON request bodies strictly. Refuses what JSON.parse accepts but parsers interpret differently: invalid UTF-8 and
 * duplicate keys in an object. Refuses deep nesting, too.
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

/** The keys of an enclosing object, or null for a list. */
type OpenObjectKeys = Set<string> | null

/** Scans strings, brackets and colons in one pass. JSON.parse validates the rest. */
function requirePlainShape(text: string): void {
  const open: OpenObjectKeys[] = []
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

/** The index of the closing quotation mark, or the length of the text without one. */
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

function addKey(keys: OpenObjectKeys | undefined, written: string): void {
  if (keys === undefined || keys === null) return
  const key = unescaped(written)
  // With duplicate keys JSON.parse silently keeps the last value. `__proto__` is never a field.
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
