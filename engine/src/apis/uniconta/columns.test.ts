import { expect, test } from 'vitest'
import type { ExactJson } from '../http/exact-json.ts'
import { mappingOf } from './columns.ts'

const property = (type: string, name = 'Value') => ({
  name,
  type,
  isList: false,
  maxLength: null,
  precision: null,
  scale: null,
  parts: [],
})

test.each<[type: string, name: string, value: ExactJson, text: string | null]>([
  ['Edm.Double', 'Amount', 10.5, '10.5'],
  ['Edm.Double', 'Amount', '12345678901234567.25', '12345678901234567.25'],
  ['Edm.Double', 'Amount', '1.250,50', '1250.50'],
  ['Edm.Double', 'Amount', '-1.250.000', '-1250000'],
  ['Edm.Double', 'Amount', '0,5', '0.5'],
  ['Edm.Double', 'Amount', 'about ten', 'about ten'],
  ['Edm.Int32', 'Days', '30,00', '30'],
  ['Edm.Int64', 'Voucher', null, null],
  ['Edm.DateTime', 'Date', '2024-05-01T00:00:00', '2024-05-01'],
  ['Edm.DateTimeOffset', 'DueDate', '2024-05-01T00:00:00+02:00', '2024-05-01'],
  ['Edm.DateTime', 'GraceDate', '0001-01-01T00:00:00', null],
  ['Edm.DateTime', 'Created', '2024-05-01T13:05:07.1234567', '2024-05-01 13:05:07.1234567'],
  ['Edm.DateTimeOffset', 'Created', '2024-05-01T13:05:07+02:00', '2024-05-01 13:05:07'],
  ['Edm.DateTime', 'SendTime', '0001-01-01T00:00:00', null],
  ['Edm.Boolean', 'Blocked', true, 't'],
  ['enum', 'Country', 'Denmark', 'Denmark'],
  ['nested', 'Address', { City: 'København' }, '{"City":"København"}'],
  ['Edm.String', 'Account', '0010', '0010'],
])('a value of type %s in %s, %j, becomes %j', (type, name, value, text) => {
  expect(mappingOf(property(type, name))?.read(value)).toBe(text)
})

test('images and files have no column', () => {
  expect(mappingOf(property('Edm.Binary'))).toBeNull()
})
