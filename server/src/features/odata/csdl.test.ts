/** Replies fit the metadata, for every type of column and its extreme values. */
import { fillWarehouse, getFeed, withOptions } from '@tributary/testing/server/access/odata-feed.ts'
import { findViolations } from '@tributary/testing/server/access/check-feed-reply.ts'
import { readCsdlJson, readCsdlXml } from '@tributary/testing/server/access/feed-csdl.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
  await fillWarehouse(
    app,
    `CREATE SCHEMA shop;
     CREATE TABLE shop.value (id int PRIMARY KEY, short smallint, long bigint, exact numeric(12,4), free numeric, whole numeric(5), rate float8, small real,
       yes boolean, word varchar(3), text text, fixed char(4), day date, at time, moment timestamp, instant timestamptz(3), ref uuid, doc jsonb, raw bytea, tags text[]);
     INSERT INTO shop.value VALUES
       (1, -32768, -9223372036854775808, -99999999.9999, 0.1, 99999, 1.5e300, 1e-30, true, 'añ💰', E'\\t"\\\\', 'ab', '0001-01-01', '00:00', '0001-01-01', '1999-12-31 23:59:59.999+14', gen_random_uuid(), '{"a":[1]}', '\\x00ff10', '{a,b}'),
       (2, 32767, 9223372036854775807, 'NaN', 'Infinity', 0, 'NaN', 'Infinity', false, '', '', '', 'infinity', '24:00', '-infinity', 'infinity', gen_random_uuid(), 'null', '', '{}'),
       (3, 0, 0, 0, '123456789012345678901234567890.123456789012345678901234567890', -1, '-Infinity', -0.0, NULL, NULL, NULL, NULL, '2026-02-28', '12:34:56.789012', '2026-02-28 12:34:56.789012', '0044-03-15 BC', NULL, NULL, NULL, NULL);
     INSERT INTO shop.value (id) VALUES (4);
     CREATE TABLE shop.free (a int, b numeric(3,1)); INSERT INTO shop.free VALUES (1, 1.5), (1, NULL);
     CREATE VIEW shop.seen AS SELECT id, exact, at FROM shop.value`,
  )
})
afterAll(() => app[Symbol.asyncDispose]())

const formats = ['minimal', 'full', 'none'].flatMap((level) =>
  ['', ';IEEE754Compatible=true'].map((exact) => `application/json;odata.metadata=${level}${exact}`),
)

test.each(formats)('[SEE-9] every type of column fits the metadata, with its extreme values, as %s', async (accept) => {
  const paths = [
    '/',
    '/shop_value?$count=true',
    '/shop_value(1)',
    '/shop_value(3)?$select=free,at',
    '/shop_free',
    '/shop_seen?$select=_row,at',
    withOptions('/shop_value', {
      $apply:
        'groupby((yes,fixed,tags),aggregate(exact with sum as S,rate with max as M,day with min as D,at with max as T,long with average as A,$count as N))',
    }),
  ]
  for (const path of paths) {
    const { status, body } = await getFeed(app, path, { headers: { accept } })
    expect([path, status, body.error]).toEqual([path, 200, undefined])
  }
})

test('[SEE-8] what is empty stays empty, whatever its type', async () => {
  const { body } = await getFeed(app, '/shop_value(4)?$format=application/json;odata.metadata=none')
  expect(new Set(Object.values({ ...body, id: null }))).toEqual(new Set([null]))
})

test('[SEE-9] a reply to a client of OData 4.0, a page and an error fit, too', async () => {
  const headers = { 'odata-maxversion': '4.0', prefer: 'odata.maxpagesize=2' }
  const { body } = await getFeed(app, '/shop_value?$orderby=free%20desc', { headers })
  expect((await getFeed(app, body['@odata.nextLink'] ?? '', { headers })).body.value).toHaveLength(2)
  expect((await getFeed(app, '/shop_value?$top=x', { headers })).status).toBe(400)
})

test('[SEE-9] metadata as XML and as JSON declare the same', async () => {
  const { text } = await getFeed(app, '/$metadata', { headers: { accept: 'application/json' } })
  const csdl = readCsdlXml((await getFeed(app, '/$metadata')).text)
  expect(readCsdlJson(text)).toEqual(csdl)
  expect(csdl.get('shop_value')?.properties.get('exact')).toEqual({
    type: 'Edm.Decimal',
    isNullable: true,
    maxLength: null,
    precision: 12,
    scale: 4,
  })
})

/** A reply that is right, and what is planted in it. */
test.each<[planted: string, from: string, to: string]>([
  ['an integer as text', '"id":1', '"id":"1"'],
  ['a key that is null', '"id":1', '"id":null'],
  ['an integer that is too long for its type', '"short":-32768', '"short":-32769'],
  ['a 64-bit integer that a double has rounded', '"long":-9223372036854775808', '"long":-9223372036854776000'],
  ['a decimal as text', '"exact":-99999999.9999', '"exact":"-99999999.9999"'],
  ['a decimal with too many digits after the point', '"exact":-99999999.9999', '"exact":-9999999.99991'],
  ['a decimal with too many digits before the point', '"exact":-99999999.9999', '"exact":-199999999.9999'],
  ['a decimal with an exponent', '"free":0.1', '"free":1e-1'],
  ['a double as text', '"small":1e-30', '"small":"1e-30"'],
  ['a boolean as text', '"yes":true', '"yes":"true"'],
  ['a text that is too long', '"word":"añ', '"word":"abañ'],
  ['a date with a time', '"day":"0001-01-01"', '"day":"0001-01-01T00:00:00"'],
  ['a date that does not exist', '"day":"0001-01-01"', '"day":"2026-02-30"'],
  ['a time after the end of the day', '"at":"00:00:00"', '"at":"24:00:00"'],
  ['a moment without a zone', '"moment":"0001-01-01T00:00:00+00:00"', '"moment":"0001-01-01T00:00:00"'],
  ['base64 instead of base64url', '"raw":"AP8Q"', '"raw":"AP+/"'],
  ['a property that is missing', '"yes":true,', ''],
  ['a property that is not declared', '"yes":true,', '"yes":true,"no":false,'],
  ['a member of the collection that OData does not have', '"value":[', '"rows":2,"value":['],
  ['a set that is not declared', '#shop_value', '#shop_values'],
])('[SEE-9] the check finds %s', async (_, from, to) => {
  const csdl = readCsdlXml((await getFeed(app, '/$metadata')).text)
  const reply = await getFeed(app, '/shop_value?$top=1')
  expect(findViolations(csdl, reply)).toEqual([])
  expect(reply.text).toContain(from)
  expect(findViolations(csdl, { ...reply, text: reply.text.replace(from, to) })).not.toEqual([])
})
