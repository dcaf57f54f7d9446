import { expect, test } from 'vitest'
import { ColumnSelection } from './column-selection.ts'

const named = (...names: readonly string[]): { readonly name: string }[] => names.map((name) => ({ name }))
const person = { names: ['shop.person', 'person'], columns: named('id', 'name', 'email'), key: ['id'] }

test('a column is left out by its full name or by that of its table alone, and by no other', () => {
  for (const name of ['shop.person.email', 'person.email'])
    expect(new ColumnSelection([name]).select(person)).toEqual(named('id', 'name'))
  for (const name of ['email', 'other.person.email', 'shop.person.Email', 'shop.person'])
    expect(new ColumnSelection([name]).select(person)).toEqual(person.columns)
})

test('a key column, and the last column of a table, are refused with what to do', () => {
  const field = 'source.connectionString.leftOut'
  expect(() => new ColumnSelection(['person.id']).select(person)).toThrow(
    expect.objectContaining({
      kind: 'settings',
      field,
      notice: expect.stringMatching(/shop\.person\.id belongs to the key .* Take it off/u),
    }),
  )
  const log = { names: ['shop.log'], columns: named('said'), key: [] }
  expect(() => new ColumnSelection(['shop.log.said']).select(log)).toThrow(
    expect.objectContaining({
      kind: 'settings',
      field,
      notice: expect.stringContaining('No column of shop.log would be left'),
    }),
  )
})

test('a name that is no column of any table is told once, in one line; one of a table that is not moved is not', () => {
  const choice = new ColumnSelection(['person.email', 'person.phone', 'shop.gone.note'])
  const told: string[] = []
  choice.rememberUnknown([person])
  for (let reads = 0; reads < 2; reads++) choice.reportUnknown((line) => told.push(line))
  expect(told).toEqual([
    'To be left out, but no column of the source: person.phone, shop.gone.note. Take it off the list, or check its spelling.',
  ])
})
