import fc from 'fast-check'
import { expect, test } from 'vitest'
import { asDecimal } from './canonical-text.ts'
import { parseExactJson } from './exact-json.ts'
import type { ExactJson } from './exact-json.ts'

/** JSON text as a server may write it, with the exact digits of every number. */
const space = fc.constantFrom('', ' ', '\n  ')
const digits = (most: number) => fc.string({ unit: fc.constantFrom(...'0123456789'), maxLength: most })
const whole = fc
  .tuple(fc.constantFrom('', '-'), fc.constantFrom(...'123456789'), digits(24))
  .map((parts) => parts.join(''))
const numberText = fc
  .tuple(
    fc.oneof(whole, fc.constantFrom('0', '-0')),
    fc.option(digits(24).map((tail) => `.${tail}7`)),
    fc.option(fc.constantFrom('e3', 'E-7', 'e+12', 'E310', 'e-320')),
  )
  .map(([before, after, exponent]) => before + (after ?? '') + (exponent ?? ''))
const trickyText = fc.oneof(
  fc.string({ maxLength: 20 }),
  fc.constantFrom(
    'a: 12345678901234567890,',
    '[12345678901234567890]',
    '\\", 12345678901234567890',
    'back\\',
    '\\\\',
    '"',
    '{"a": 0.1234567890123456789}',
    ', 1e999 ,',
  ),
)
type JsonSample = { readonly text: string; readonly meant: unknown }
const number = numberText.map((text): JsonSample => ({ text, meant: { number: text } }))
const string = trickyText.map((given): JsonSample => ({ text: JSON.stringify(given), meant: given }))
const plain = fc.constantFrom<JsonSample>({ text: 'true', meant: true }, { text: 'null', meant: null })
const { tree } = fc.letrec<{ tree: JsonSample }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4 },
    number,
    string,
    plain,
    fc.tuple(space, fc.array(tie('tree'), { maxLength: 4 })).map(writeArray),
    fc.tuple(space, fc.array(fc.tuple(trickyText, tie('tree')), { maxLength: 4 })).map(writeObject),
  ),
}))

function writeArray([gap, items]: [string, JsonSample[]]): JsonSample {
  return {
    text: `[${gap}${items.map(({ text }) => text).join(`${gap},${gap}`)}${gap}]`,
    meant: items.map(({ meant }) => meant),
  }
}

function writeObject([gap, members]: [string, [string, JsonSample][]]): JsonSample {
  const named = members.map(([key, value], index) => [`${key}${index}`, value] as const)
  const text = named.map(([key, value]) => `${gap}${JSON.stringify(key)}${gap}:${gap}${value.text}`).join(',')
  return { text: `{${text}${gap}}`, meant: Object.fromEntries(named.map(([key, value]) => [key, value.meant])) }
}

test('[ENG-1] every number in a JSON text keeps all its digits in any position, and every other value is unchanged', () => {
  fc.assert(
    fc.property(tree, ({ text, meant }) => {
      expectSame(parseExactJson(text), meant)
    }),
    { numRuns: 2_000 },
  )
})

test('[ENG-1] an amount of money keeps every digit through parsing and writing', () => {
  fc.assert(
    fc.property(numberText, (text) => {
      const written = asDecimal((parseExactJson(`{"Total":${text}}`) as { Total: ExactJson }).Total) ?? ''
      expect(valueOf(written)).toEqual(valueOf(text))
    }),
    { numRuns: 3_000 },
  )
  const cents = Array.from({ length: 100_000 }, (_, index) => (index / 100).toFixed(2))
  const parsed = parseExactJson(`[${cents.join(',')}]`) as readonly ExactJson[]
  expect(parsed.map((value) => Number(asDecimal(value)).toFixed(2))).toEqual(cents)
})

test('an ordinary document is parsed unchanged, and a malformed one is rejected', () => {
  expect(parseExactJson('{"Price":10.50,"Id":123456789012345}')).toEqual({ Price: 10.5, Id: 123456789012345 })
  expect(parseExactJson('{"AverageCost":33.3333333333333333333}')).toEqual({ AverageCost: '33.3333333333333333333' })
  expect(() => parseExactJson('{"a":1')).toThrow(SyntaxError)
  expect(() => parseExactJson('{"a":12345678901234567890')).toThrow(SyntaxError)
})

function expectSame(found: unknown, meant: unknown): void {
  if (isNumber(meant)) return expect(valueOf(asDecimal(found as ExactJson) ?? '')).toEqual(valueOf(meant.number))
  if (Array.isArray(meant)) {
    expect(found).toHaveLength(meant.length)
    return meant.forEach((item, index) => expectSame((found as unknown[])[index], item))
  }
  if (typeof meant !== 'object' || meant === null) return expect(found).toBe(meant)
  expect(Object.keys(found as object)).toEqual(Object.keys(meant))
  for (const [key, value] of Object.entries(meant)) expectSame((found as Record<string, unknown>)[key], value)
}

function isNumber(meant: unknown): meant is { number: string } {
  return (
    typeof meant === 'object' &&
    meant !== null &&
    !Array.isArray(meant) &&
    typeof (meant as { number?: unknown }).number === 'string' &&
    Object.keys(meant).length === 1
  )
}

/**
 * A decimal as an integer and a power of ten, without trailing zeros: a simple reference implementation with BigInt.
 */
function valueOf(text: string): { digits: bigint; power: number } {
  const [mantissa = '', exponent = '0'] = text.toLowerCase().split('e')
  const [before = '', after = ''] = mantissa.split('.')
  let digits = BigInt((before + after).replace('-', '') || '0') * (before.startsWith('-') ? -1n : 1n)
  let power = Number(exponent) - after.length
  if (digits === 0n) return { digits: 0n, power: 0 }
  for (; digits % 10n === 0n; power += 1) digits /= 10n
  return { digits, power }
}
