import { ColumnCells, fits, kindOf } from '@tributary/contract/column-kinds'
import type { SheetCell } from '@tributary/contract/cells'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { widenValue, type OwnColumn, parseTargetValue, type ColumnValue, parseCell } from './column-values.ts'
import { isRounded, plainNumber, sumOf } from './exact-decimals.ts'
import { findDifferences } from './cell-differences.ts'
import { hashSeenSlices, computeSliceId } from '../slices.ts'

const decimal = fc
  .tuple(fc.bigInt({ min: 0n, max: 10n ** 18n - 1n }), fc.bigInt({ min: 0n, max: 10n ** 20n - 1n }), fc.boolean())
  .map(([whole, fraction, isNegative]) => `${isNegative ? '-' : ''}${whole}.${fraction.toString().padStart(20, '0')}`)

/** In units of the last digit that a column stores. */
function units(number: string): bigint {
  const [whole = '0', fraction = ''] = number.replace('-', '').split('.')
  const value = BigInt(`${whole}${fraction.padEnd(20, '0')}`)
  return number.startsWith('-') ? -value : value
}

test('[ENG-5] a number in range keeps every digit in any notation, and a number out of range is refused', () => {
  fc.assert(
    fc.property(decimal, fc.integer({ min: -30, max: 30 }), (written, shift) => {
      const plain = plainNumber(written) ?? 'none'
      expect(units(plain)).toBe(units(written))
      expect(plainNumber(plain)).toBe(plain)
      const [whole = '', fraction = ''] = written.split('.')
      const moved = plainNumber(`${whole}.${fraction}e${shift}`)
      if (moved !== undefined && !isRounded(`${whole}.${fraction}e${shift}`))
        expect(plainNumber(`${moved}e${-shift}`)).toBe(plain)
    }),
  )
  expect(['1e18', '1e400', '1e999999999'].map(plainNumber)).toEqual(Array(3).fill(undefined))
  expect(['-0', '0e999999999', '000.50', '1E-20'].map(plainNumber)).toEqual(['0', '0', '0.5', '0.00000000000000000001'])
})

test('[ENG-5] digits beyond the twentieth fraction digit are rounded, and only numbers that lose digits are counted', () => {
  const written = [
    '2.7755575615628914E-17',
    '-5.551115123125783E-17',
    '1e-21',
    '-1e-999999999',
    '0.000000000000000000005',
    '9.999999999999999999995',
  ]
  expect(written.map(plainNumber)).toEqual([
    '0.00000000000000002776',
    '-0.00000000000000005551',
    '0',
    '0',
    '0.00000000000000000001',
    '10',
  ])
  expect(written.map(isRounded)).toEqual(Array(6).fill(true))
  expect(['1E-20', '1.50', '123', '0e-999', '10e-21', '1e18'].map(isRounded)).toEqual(Array(6).fill(false))
})

test('[ENG-5] totals are exact', () => {
  fc.assert(
    fc.property(fc.array(decimal, { maxLength: 50 }), (numbers) => {
      expect(units(sumOf(numbers))).toBe(numbers.reduce((sum, number) => sum + units(number), 0n))
    }),
  )
})

const cell = fc.oneof(
  fc.constant(null),
  fc.boolean(),
  fc.string(),
  decimal.map((written) => ({ n: written })),
  fc
    .date({ min: new Date('1000-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
    .map((at) => ({ d: at.toISOString().slice(0, 10) })),
  fc
    .date({ min: new Date('1000-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
    .map((at) => ({ d: at.toISOString().slice(0, 23) })),
) as fc.Arbitrary<SheetCell>

function cellsOf(cells: readonly SheetCell[]): ColumnCells {
  const column = new ColumnCells()
  for (const [at, each] of cells.entries()) column.add(each, at + 1)
  return column
}

test('[ENG-5] [ISSUE 20 C14] a new column has the type of the majority of its cells, whatever their order, and every cell of a kind that fits it has a value', () => {
  fc.assert(
    fc.property(fc.array(cell, { maxLength: 20 }), (cells) => {
      const { type, kinds } = cellsOf(cells)
      expect(cellsOf(cells.toReversed()).type).toBe(type)
      const filled = cells.filter((each) => kindOf(each) !== null)
      expect(kinds.reduce((sum, each) => sum + each.cells, 0)).toBe(filled.length)
      if (type === null) {
        expect(filled).toEqual([])
        return
      }
      const fitting = filled.filter((each) => fits(kindOf(each) ?? 'error', type))
      expect(fitting.length * 2).toBeGreaterThan(filled.length)
      for (const each of fitting) expect(parseCell(each, type)).toHaveProperty('value')
      for (const each of filled) if (!fitting.includes(each)) expect(parseCell(each, type)).toHaveProperty('fault')
    }),
  )
})

const [one, point5, word, day, at8, yes, ref] = [
  { n: '1' },
  { n: '0.5' },
  'n/a',
  { d: '2026-01-31' },
  { d: '2026-01-31T08:00:00' },
  true,
  { e: '#REF!' },
]
test.each<[what: string, type: string | null, cells: readonly SheetCell[]]>([
  ['whole numbers and decimals are numbers', 'number', [one, point5, one]],
  ['one text among numbers changes nothing', 'number', [one, point5, word]],
  ['text wins a tie', 'text', [one, word]],
  ['text holds what has no majority', 'text', [one, word, day, one]],
  ['dates and moments are moments', 'moment', [day, day, at8]],
  ['dates and moments vote together', 'moment', [day, at8, one]],
  ['one text among dates changes nothing', 'date', [day, day, word]],
  ['true and false', 'truth', [yes, false, word]],
  ['errors of the sheet do not vote', 'number', [one, ref, ref, ref]],
  ['errors alone are text', 'text', [ref]],
  ['empty cells do not vote', 'number', [null, '', null, one]],
  ['no filled cell, no type', null, [null, '']],
  [
    'codes with leading zeros are text, though most of them look like numbers',
    'text',
    ['0100', { n: '1000' }, { n: '2000' }, { n: '3000' }],
  ],
  ['codes of more digits than a number keeps are text', 'text', ['12345678901234567890', { n: '1' }, { n: '2' }]],
  ['a code among amounts is a cell that does not fit', 'number', ['007', { n: '12.50' }, { n: '3' }]],
])('[ENG-5] [ISSUE 20 C14] %s', (_, type, cells) => {
  expect(cellsOf(cells).type).toBe(type)
})

test('a value that does not fit its column gets a readable message', () => {
  const parsed = ([{ d: '2026-01-31' }, { d: '2026-01-31T13:05:00' }, true, 'x'] as SheetCell[]).map((each) =>
    parseCell(each, 'number'),
  )
  const what = ['a date', 'a date with a time', 'TRUE or FALSE', 'text']
  const sentence = (is: string) =>
    `The column holds numbers, and this is ${is}. Correct the cell, or name the column differently.`
  expect(parsed).toEqual(what.map((is) => ({ fault: sentence(is) })))
  const [byMajority, byChoice] = (['majority', 'choice'] as const).map((origin) => parseCell('x', 'date', origin))
  const end = ' dates, and this is text. Correct the cell, or choose Text for the column.'
  const chosen = `You chose dates for this new column, and this is text. Correct the cell, or choose Text for the column.`
  expect([byMajority, byChoice]).toEqual([{ fault: `Most cells of this new column hold${end}` }, { fault: chosen }])
})

test('[ENG-5] a value is read back from its column as it was sent', () => {
  fc.assert(
    fc.property(cell, (each) => {
      const type = cellsOf([each]).type ?? 'text'
      const parsed = parseCell(each, type)
      const value = 'value' in parsed ? parsed.value : null
      expect(parseTargetValue(value, type)).toBe(value)
      if (type === 'date') expect(parseCell(each, 'moment')).toEqual({ value: widenValue(value, 'moment') })
    }),
  )
})

test('[ENG-5] a slice id depends on the record and on all four names', () => {
  const names = fc.record({ entity: fc.string(), area: fc.string(), subarea: fc.string(), milestone: fc.string() })
  fc.assert(
    fc.property(fc.uuid(), names, names, (record, one, other) => {
      const isSame = JSON.stringify(one) === JSON.stringify(other)
      expect(computeSliceId(record, one) === computeSliceId(record, other)).toBe(isSame)
      expect(computeSliceId(record, one)).toMatch(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/u)
      const [first, second] = [
        { sliceId: 'a', loadId: null },
        { sliceId: 'b', loadId: record },
      ]
      expect(hashSeenSlices([first, second])).toBe(hashSeenSlices([second, first]))
      expect(hashSeenSlices([first, second])).not.toBe(hashSeenSlices([first, { sliceId: 'b', loadId: null }]))
    }),
  )
})

test('[ENG-5] the former rows with the differences applied equal the new rows, and each changed cell counts once', () => {
  const columns: OwnColumn[] = [
    { name: 'Line', type: 'text' },
    { name: 'Amount', type: 'number' },
  ]
  const row = fc.tuple(fc.constantFrom('a', 'b', 'c', null), fc.constantFrom('1', '2', '3', null))
  fc.assert(
    fc.property(fc.array(row, { maxLength: 12 }), fc.array(row, { maxLength: 12 }), (former, coming) => {
      const found = findDifferences({ columns, former, now: coming.map((values, row) => ({ values, row })) })
      const bag = new Map<string, number>()
      const count = (values: readonly ColumnValue[], by: number) => {
        const key = JSON.stringify(values)
        bag.set(key, (bag.get(key) ?? 0) + by)
      }
      for (const values of former) count(values, 1)
      for (const each of found) {
        if (each.kind === 'added') count(each.values, 1)
        else if (each.kind === 'removed') count(each.values, -1)
        else {
          const line = coming[each.row ?? -1]?.[0] ?? null
          expect(each.old).not.toBe(each.new)
          count([line, each.old], -1)
          count([line, each.new], 1)
        }
      }
      for (const values of coming) count(values, -1)
      expect([...bag.values()].filter((left) => left !== 0)).toEqual([])
      expect(
        findDifferences({ columns, former: coming, now: coming.map((values, at) => ({ values, row: at })) }),
      ).toEqual([])
    }),
  )
})
