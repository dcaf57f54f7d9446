/** Breaks a valid body in one place. Returns text, because some defects cannot be represented as a JavaScript value. */
import type { Random } from '@tributary/sims/random'

type JsonContainer = Record<string, unknown> | unknown[]

/** Replaced by text that `JSON.stringify` never writes. */
const placeholder = 'put-something-here-instead'

/** @param body is modified. Returns the text to send and a description of the defect. */
export function breakBody(body: unknown, random: Random): { readonly text: string; readonly what: string } {
  const locations = locationsIn(body)
  if (locations.length === 0 || random.next() < 0.1) {
    const [what, text] = random.pick(brokenBodies)
    return { text, what }
  }
  const { holder, key } = random.pick(locations)
  const [what, spoil] = random.pick(fieldBreakers)
  const written = spoil(holder, key, random)
  const text = JSON.stringify(body)
  return {
    text: written === undefined ? text : text.replace(`"${placeholder}"`, () => written),
    what: `${what} at ${key}`,
  }
}

interface JsonLocation {
  readonly holder: JsonContainer
  readonly key: string
}

function locationsIn(value: unknown): readonly JsonLocation[] {
  if (typeof value !== 'object' || value === null) return []
  const holder = value as JsonContainer
  return Object.entries(holder).flatMap(([key, part]) => [{ holder, key }, ...locationsIn(part)])
}

function put(holder: JsonContainer, key: string, value: unknown): void {
  // The key of an array element is its index as text.
  ;(holder as Record<string, unknown>)[key] = value
}

function get(holder: JsonContainer, key: string): unknown {
  return (holder as Record<string, unknown>)[key]
}

type BreakField = (holder: JsonContainer, key: string, random: Random) => string | undefined

function replaceBy(...values: readonly unknown[]): BreakField {
  return (holder, key, random) => {
    put(holder, key, random.pick(values))
    return undefined
  }
}

function write(text: string): BreakField {
  return (holder, key) => {
    put(holder, key, placeholder)
    return text
  }
}

function nested(depth: number, open: string, close: string): string {
  return `${open.repeat(depth)}1${close.repeat(depth)}`
}

const fieldBreakers: readonly (readonly [what: string, spoil: BreakField])[] = [
  ['another type', replaceBy(null, true, 0, -1, 1.5, '', 'text', [], {}, [[]], [null], { a: 1 })],
  [
    'out of bounds',
    replaceBy(-1, 0, 1e9, 2_147_483_648, -2_147_483_649, 9_007_199_254_740_991, 1e308, '9'.repeat(400)),
  ],
  [
    'too long',
    replaceBy(
      'q'.repeat(300),
      'q'.repeat(100_000),
      '🙂'.repeat(5_000),
      Array.from({ length: 2_000 }, () => 'q'),
    ),
  ],
  [
    'no such form',
    replaceBy(
      '00000000-0000-4000-8000-00000000000',
      'NOT-AN-ID',
      '2026-13-45',
      '2026-02-30T25:00:00Z',
      'a@',
      '@b',
      'javascript:x',
    ),
  ],
  ['NUL', replaceBy('a\0b', '\0')],
  ['half a pair', replaceBy('a\uD800b', '\uDC00', '\uDBFF\uDBFF')],
  [
    'odd characters',
    replaceBy('𝔘🙂\u{10FFFF}', '\uFFFF\uFFFE', '\u202Egnp.exe', 'e\u0301'.repeat(50), '\r\nX: y', '\u0085\u2028\u2029'),
  ],
  ['a huge number', write('1e999')],
  ['a long number', write('1'.repeat(500))],
  ['minus nothing', write('-0')],
  ['deep lists', write(nested(4_000, '[', ']'))],
  ['deep objects', write(nested(4_000, '{"a":', '}'))],
  ['very deep lists', write(nested(100_000, '[', ']'))],
  ['a prototype', write('{"__proto__":{"isAdmin":true},"constructor":{"prototype":{}}}')],
  [
    'left out',
    (holder, key) => {
      if (Array.isArray(holder)) holder.splice(Number(key), 1)
      else delete holder[key]
      return undefined
    },
  ],
  [
    'one too many',
    (holder, _key, random) => {
      if (Array.isArray(holder)) holder.push(get(holder, '0'))
      else put(holder, random.pick(['extra', 'organisation_id', 'constructor', 'toString', '', ' ', 'ID', 'Role']), 1)
      return undefined
    },
  ],
  [
    'twice',
    (holder, key) => {
      const value = JSON.stringify(get(holder, key))
      put(holder, key, placeholder)
      return Array.isArray(holder) ? value : `${value},${JSON.stringify(key)}:"the second"`
    },
  ],
  [
    'an own prototype',
    (holder, key) => {
      const value = JSON.stringify(get(holder, key))
      put(holder, key, placeholder)
      return Array.isArray(holder) ? value : `${value},"__proto__":{"${key}":"x"}`
    },
  ],
]

const brokenBodies: readonly (readonly [what: string, text: string])[] = [
  ['no object', 'null'],
  ['no object', '[]'],
  ['no object', '"text"'],
  ['no object', '0'],
  ['no object', 'true'],
  ['an empty object', '{}'],
  ['deep lists', nested(4_000, '[', ']')],
  ['very deep objects', nested(50_000, '{"a":', '}')],
  ['a prototype', '{"__proto__":{}}'],
]
