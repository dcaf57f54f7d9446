/** The literals of OData's expressions. */
import { type Literal, parseLiteral } from '../../../access/query/expression.ts'
import type { Cursor } from './cursor.ts'

type LiteralKind = Literal['kind']
type LiteralForm = readonly [
  kind: LiteralKind,
  words: string,
  expression: RegExp,
  toText: (found: RegExpExecArray) => string,
]

const whole = ([text]: RegExpExecArray): string => text
/** Not within a longer name or number. */
const end = String.raw`(?![\p{L}\p{N}_])`

/** In the order in which they are tried: a date is the start of a time stamp, and a number the start of a date. */
const forms: readonly LiteralForm[] = [
  ['text', 'text', /'((?:[^']|'')*)'/uy, ([, text = '']) => text.replaceAll("''", "'")],
  ['guid', 'a GUID', new RegExp(String.raw`[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}${end}`, 'iuy'), whole],
  [
    'instant',
    'a time stamp',
    // A plus sign that was not encoded in the address arrives as a space.
    new RegExp(String.raw`-?\d{4,6}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+ -]\d\d:\d\d)${end}`, 'iuy'),
    ([text]) => text.replace(' ', '+'),
  ],
  ['date', 'a date', new RegExp(String.raw`-?\d{4,6}-\d\d-\d\d${end}`, 'uy'), whole],
  ['time', 'a time of day', new RegExp(String.raw`\d\d:\d\d(?::\d\d(?:\.\d+)?)?${end}`, 'uy'), whole],
  [
    'double',
    'a number',
    new RegExp(String.raw`(-?)INF${end}|NaN${end}`, 'uy'),
    ([text, sign]) => (text === 'NaN' ? text : `${sign}Infinity`),
  ],
  ['decimal', 'a number', new RegExp(String.raw`[+-]?\d+(?:\.\d+(?:e[+-]?\d+)?|e[+-]?\d+)${end}`, 'iuy'), whole],
  ['integer', 'a number', new RegExp(String.raw`[+-]?\d+${end}`, 'uy'), whole],
  [
    'boolean',
    'true or false',
    new RegExp(String.raw`(?:true|false)${end}(?!\s*[(/])`, 'iuy'),
    ([text]) => text.toLowerCase(),
  ],
  [
    'bytes',
    'binary data',
    /binary'((?:[\w-]{4})*(?:[\w-]{2}[AEIMQUYcgkosw048]=?|[\w-][AQgw](?:==)?)?)'/iuy,
    ([, text = '']) => `\\x${Buffer.from(text, 'base64url').toString('hex')}`,
  ],
]

/** The literal at the cursor, or null if there is not one. */
export function readLiteral(cursor: Cursor): (Literal & { readonly at: number }) | null {
  const { at } = cursor
  for (const [kind, words, expression, toText] of forms) {
    const found = cursor.take(expression)
    if (found === null) continue
    const literal = parseLiteral(kind, toText(found))
    if (literal === null) throw cursor.error(`${found[0].slice(0, 60)} is not ${words} that exists.`, at)
    return { ...literal, at }
  }
  return null
}
