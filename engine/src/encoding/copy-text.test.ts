import fc from 'fast-check'
import { expect, test } from 'vitest'
import { countRows, decodeRows, encodeRow, encodeRows, joinRows } from './copy-text.ts'

const field = fc.oneof(
  { weight: 1, arbitrary: fc.constant(null) },
  { weight: 3, arbitrary: fc.string({ unit: 'binary' }) },
  {
    weight: 3,
    arbitrary: fc.string({
      unit: fc.constantFrom('\\', '\t', '\n', '\r', 'N', '\b', '\f', '\v', 'x', '.', '🦀', '\0'),
    }),
  },
)
const rows = fc
  .integer({ min: 1, max: 5 })
  .chain((width) => fc.array(fc.array(field, { minLength: width, maxLength: width })))
const withoutNul = (value: string | null): string | null => value?.replaceAll('\0', '').toWellFormed() ?? null

test('any rows come back as they went in, but for U+0000 which no target can store', () => {
  fc.assert(
    fc.property(rows, (table) => {
      expect(decodeRows(encodeRows(table))).toEqual(table.map((row) => row.map(withoutNul)))
      expect(countRows(encodeRows(table))).toBe(table.length)
    }),
  )
})

test('rows that were cut anywhere are put together again, whole rows at a time', () => {
  fc.assert(
    fc.property(rows, fc.array(fc.nat()), (table, cuts) => {
      const bytes = encodeRows(table)
      const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length]
      const joiner = joinRows()
      const whole = places.slice(1).map((end, at) => joiner.push(bytes.subarray(places[at], end)))
      for (const piece of whole) expect(piece.length === 0 || piece.at(-1) === 10).toBe(true)
      expect(joiner.waiting).toBe(0)
      expect(Buffer.concat(whole)).toEqual(bytes)
    }),
  )
})

test('null, the empty string and the two letters that stand for null are three different things', () => {
  expect(encodeRow([null, '', '\\N'])).toBe('\\N\t\t\\\\N\n')
  expect(decodeRows(encodeRows([[null, '', '\\N']]))).toEqual([[null, '', '\\N']])
})

test('what PostgreSQL writes for backspace, form feed and vertical tab is understood', () => {
  expect(decodeRows(Buffer.from('\\b\\f\\v\t\\\\x00ff\n'))).toEqual([['\b\f\v', '\\x00ff']])
})
