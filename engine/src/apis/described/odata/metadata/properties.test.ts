import { expect, test } from 'vitest'
import type { ExactJson } from '../../../http/exact-json.ts'
import { mappingOf, type TypeRules } from './properties.ts'

const property = (type: string, name = 'Value') => ({
  name,
  type,
  isList: false,
  maxLength: null,
  precision: null,
  scale: null,
  parts: [],
})

const danish: TypeRules = { days: ['Date', 'DueDate', 'GraceDate'], numbers: 'grouped', moments: 'local' }
const plain: TypeRules = { numbers: 'plain', moments: 'declared' }

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
  expect(mappingOf(property(type, name), danish)?.read(value)).toBe(text)
})

test('images and files have no column', () => {
  expect(mappingOf(property('Edm.Binary'), danish)).toBeNull()
})

test.each<[type: string, value: ExactJson, text: string | null]>([
  ['Edm.Double', '1.250,50', '1.250,50'],
  ['Edm.Decimal', '12345678901234567890.0625', '12345678901234567890.0625'],
  ['Edm.DateTimeOffset', '2024-05-01T13:05:07.25+02:00', '2024-05-01 11:05:07.25+00'],
  ['Edm.DateTimeOffset', '0001-01-01T00:00:00Z', null],
  ['Edm.DateTimeOffset', 'soon', 'soon'],
  ['Edm.DateTime', '2024-05-01T13:05:07', '2024-05-01 13:05:07'],
  ['Edm.DateTime', '/Date(1714568707000)/', '2024-05-01 13:05:07.000'],
  ['Edm.Date', '2024-05-01', '2024-05-01'],
  ['Edm.GeographyPoint', { type: 'Point', coordinates: [1, 2] }, '{"type":"Point","coordinates":[1,2]}'],
])('[SRC-4] by the rules of OData a value of type %s, %j, becomes %j', (type, value, text) => {
  expect(mappingOf(property(type), plain)?.read(value)).toBe(text)
})

test('[SRC-4] a moment without an offset is an instant in the zone of the description', () => {
  const rules: TypeRules = { ...plain, zone: 'Europe/Copenhagen' }
  expect(mappingOf(property('Edm.DateTime'), rules)?.type).toEqual({ kind: 'instant', digits: 7 })
  expect(mappingOf(property('Edm.DateTime'), rules)?.read('2024-05-01T13:05:07')).toBe('2024-05-01 11:05:07+00')
})
