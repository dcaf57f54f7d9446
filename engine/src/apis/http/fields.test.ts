import { expect, test } from 'vitest'
import { asMilliseconds } from './canonical-text.ts'
import type { ExactJson } from './exact-json.ts'
import { day, flag, guid, instant, money, text, json } from './fields.ts'
import type { FieldMapping } from './fields.ts'

function read(field: FieldMapping, node: { [key: string]: ExactJson }): string | null {
  return field.read({ document: node, node, section: '', number: 0, ordinal: 1 })
}

test.each([
  [guid('ID'), { ID: '6B1F0C52-0D5A-4C0B-9A51-3F0C6D2E7A10' }, '6b1f0c52-0d5a-4c0b-9a51-3f0c6d2e7a10'],
  [guid('ID'), { ID: '' }, null],
  [money('Total'), { Total: 10.5 }, '10.5'],
  [money('Total'), { Total: 1e-7 }, '0.0000001'],
  [money('Total'), { Total: 1e21 }, '1000000000000000000000'],
  [money('Percent'), { Percent: '15.00' }, '15.00'],
  [money('Percent'), { Percent: ' ' }, null],
  [money('Total'), { Total: 'about ten' }, 'about ten'],
  [flag('IsActive'), { IsActive: true }, 't'],
  [flag('IsActive'), { IsActive: 'False' }, 'f'],
  [flag('MarketingConsent'), { MarketingConsent: 1 }, 't'],
  [day('OrderDate'), { OrderDate: '2018-04-23T00:00:00' }, '2018-04-23'],
  [day('OrderDate'), { OrderDate: '0001-01-01T00:00:00' }, null],
  [instant('Updated'), { Updated: '2018-04-23T06:22:14.39Z' }, '2018-04-23 06:22:14.39+00'],
  [instant('Updated'), { Updated: '2018-04-23T06:22:14' }, '2018-04-23 06:22:14.000+00'],
  [instant('Updated'), { Updated: '2018-04-23T06:22:14+02:00' }, '2018-04-23 04:22:14.000+00'],
  [instant('Updated'), { Updated: '2018-12-31T23:59:59.9999999Z' }, '2018-12-31 23:59:59.999+00'],
  [text('Name'), { Name: 7 }, '7'],
  [text('Bin', { key: true }), { Bin: null }, ''],
  [json('Address'), { Address: { City: 'Wellington' } }, '{"City":"Wellington"}'],
] as const)('%# a value becomes the canonical text of its type', (field, node, canonical) => {
  expect(read(field, node)).toBe(canonical)
})

test('a timestamp without a zone means the same instant in any local time zone', () => {
  const zone = process.env['TZ']
  process.env['TZ'] = 'Pacific/Auckland'
  try {
    expect(asMilliseconds('2018-04-23T06:22:14')).toBe(Date.UTC(2018, 3, 23, 6, 22, 14))
  } finally {
    if (zone === undefined) delete process.env['TZ']
    else process.env['TZ'] = zone
  }
})

test('a key is found in any case, and by its alternative spelling', () => {
  expect(read(text('FulFilmentStatus'), { FulfilmentStatus: 'DONE' })).toBe('DONE')
  expect(read(text('InvoiceNumber', { or: 'InvocieNumber' }), { InvocieNumber: 'A-77' })).toBe('A-77')
  expect(read(text('Order.Status'), { order: { STATUS: 'AUTHORISED' } })).toBe('AUTHORISED')
  expect(read(text('Order.Status'), { Order: null })).toBeNull()
})

test.each([
  [text('COGSAccount'), 'cogs_account'],
  [text('HSCode'), 'hs_code'],
  [money('PriceTier10'), 'price_tier10'],
  [guid('SaleID'), 'sale_id'],
  [money('Order.TotalBeforeTax'), 'order_total_before_tax'],
  [text('DefaultForType'), 'default_for_type'],
])('%# a column is named after its key', (field, name) => {
  expect(field.column.name).toBe(name)
})
