/** The feed over HTTP, on a real warehouse. */
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fillWarehouse, getFeed, readPages, withOptions } from '@tributary/testing/server/access/odata-feed.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
  await fillWarehouse(
    app,
    `CREATE SCHEMA shop;
     CREATE TABLE shop.invoice (id bigint PRIMARY KEY, "Number" varchar(20), total numeric(16,4), paid boolean, issued date, seen timestamptz,
       "tax %" numeric, customer_id int);
     COMMENT ON TABLE shop.invoice IS 'Sales <invoices> & "more"';
     COMMENT ON COLUMN shop.invoice.total IS 'With tax';
     INSERT INTO shop.invoice SELECT n, 'INV-' || n, n * 1.0001, n % 2 = 0, date '2026-01-01' + n, timestamptz '2026-01-01 00:00:00+00' + n * interval '1 hour',
       nullif(n % 4, 0), n % 3 FROM generate_series(1, 40) AS n;
     INSERT INTO shop.invoice VALUES (9007199254740993, 'It''s', 12345678901.2345, NULL, NULL, NULL, NULL, NULL);
     CREATE TABLE shop.customer (id int PRIMARY KEY, name text);
     INSERT INTO shop.customer VALUES (0, 'Ann'), (1, 'Ben'), (2, 'Cho');
     ALTER TABLE shop.invoice ADD FOREIGN KEY (customer_id) REFERENCES shop.customer;
     CREATE TABLE shop.line (a int, b text); INSERT INTO shop.line SELECT 1, 'x' FROM generate_series(1, 25);
     CREATE VIEW shop.totals AS SELECT paid, sum(total) AS total FROM shop.invoice GROUP BY paid;
     CREATE TABLE shop.pair (x text, y int, z int, PRIMARY KEY (x, y)); INSERT INTO shop.pair VALUES ('O''Neill', 1, 7), ('b', 2, 8);`,
  )
})
afterAll(() => app[Symbol.asyncDispose]())

const get: typeof getFeed extends (app: TestApp, ...rest: infer R) => infer A ? (...rest: R) => A : never = (...rest) =>
  getFeed(app, ...rest)
const rows = async (options: Record<string, string>, set = 'shop_invoice') => {
  const { status, body } = await get(withOptions(`/${set}`, options))
  expect([status, body.error]).toEqual([200, undefined])
  return body.value
}
const ids = async (options: Record<string, string>) => (await rows({ $select: 'id', ...options })).map(({ id }) => id)

test('[SEE-8] the service document lists the sets that the person may read', async () => {
  const { status, body, headers } = await get('/')
  expect(status).toBe(200)
  expect(headers['odata-version']).toBe('4.01')
  expect(headers['content-type']).toBe('application/json;metadata=minimal;streaming=true;charset=utf-8')
  expect(body).toEqual({
    '@odata.context': `http://localhost:3000/odata/${app.harbour.id}/$metadata`,
    value: ['shop_customer', 'shop_invoice', 'shop_line', 'shop_pair', 'shop_totals'].map((name) => ({
      name,
      kind: 'EntitySet',
      url: name,
    })),
  })
  expect((await get('')).body).toEqual(body)
})

test('[SEE-8] a set has its rows with every digit', async () => {
  const { body, text } = await get(withOptions('/shop_invoice', { $filter: "Number eq 'It''s'" }))
  expect(body['@odata.context']).toBe(`http://localhost:3000/odata/${app.harbour.id}/$metadata#shop_invoice`)
  expect(text).toContain(
    '{"id":9007199254740993,"Number":"It\'s","total":12345678901.2345,"paid":null,"issued":null,"seen":null,"tax__":null,"customer_id":null}',
  )
})

test('[SEE-8] with IEEE754Compatible decimals and 64-bit integers are text', async () => {
  const { text, headers } = await get(
    withOptions('/shop_invoice', { $filter: 'id gt 100', $select: 'id,total', $count: 'true' }),
    {
      headers: { accept: 'application/json;IEEE754Compatible=true' },
    },
  )
  expect(text).toContain('{"id":"9007199254740993","total":"12345678901.2345"}')
  expect(text).toContain('"@odata.count":"1"')
  expect(headers['content-type']).toContain('IEEE754Compatible=true')
})

test('[SEE-8] a row has an address with its key', async () => {
  const { body } = await get('/shop_invoice(9007199254740993)')
  expect(body).toMatchObject({ '@odata.context': expect.stringContaining('#shop_invoice/$entity'), Number: "It's" })
  expect((await get("/shop_pair(x='O''Neill',y=1)?$select=z")).body).toMatchObject({ z: 7 })
  expect((await get("/shop_pair(y=2,x='b')")).body).toMatchObject({ z: 8 })
  expect((await get('/shop_invoice(id=7)')).body).toMatchObject({ id: 7 })
  expect((await get('/shop_invoice(12345)')).status).toBe(404)
  for (const path of ['/shop_pair(1)', "/shop_invoice('a')", '/shop_invoice(1', '/shop_line(1)', '/shop_pair(x=1,x=2)'])
    expect([path, (await get(path)).status]).toEqual([path, 400])
})

test.each<[string, Record<string, string>, unknown[]]>([
  ['$top and $skip', { $top: '2', $skip: '3' }, [4, 5]],
  ['$orderby with nulls first ascending', { $orderby: 'tax__,id desc', $top: '2' }, [9_007_199_254_740_992, 40]],
  ['$orderby with nulls last descending', { $orderby: 'tax__ desc', $top: '1' }, [3]],
  ['$filter with a date and arithmetic', { $filter: 'issued lt 2026-01-05 and id mod 2 eq 1' }, [1, 3]],
  ['$filter with in', { $filter: "Number in ('INV-3','INV-5')" }, [3, 5]],
  ['$filter with a function', { $filter: "endswith(Number,'-4') or day(issued) eq 31" }, [4, 30]],
  ['$filter with not and parentheses', { $filter: 'not (id gt 2 or paid eq true)' }, [1]],
  ['$filter with a time stamp in another zone', { $filter: 'seen eq 2026-01-01T03:00:00+02:00' }, [1]],
  ['$filter without a dollar sign', { filter: 'id eq 3' }, [3]],
  ['$filter with capital operators', { $filter: 'id EQ 3 OR id Eq 4' }, [3, 4]],
  ['$search', { $search: 'inv-1 NOT 10', $top: '3' }, [1, 11, 12]],
  ['$search for a phrase', { $search: '"V-39" OR INV-38' }, [38, 39]],
])('[SEE-8] %s', async (_, options, expected) => {
  expect(await ids(options)).toEqual(expected)
})

test('[SEE-8] $count counts before the page, in the reply and as text', async () => {
  const { body } = await get(withOptions('/shop_invoice', { $count: 'true', $top: '1', $filter: 'paid eq true' }))
  expect(body['@odata.count']).toBe(20)
  const { text, headers } = await get(withOptions('/shop_invoice/$count', { $filter: 'paid eq true' }))
  expect([text, headers['content-type']]).toEqual(['20', 'text/plain;charset=utf-8'])
})

test('[SEE-8] $apply filters, groups and aggregates', async () => {
  const apply = 'filter(id le 40)/groupby((paid),aggregate(total with sum as Sum,$count as Rows,id with max as Last))'
  const { text, body } = await get(withOptions('/shop_invoice', { $apply: apply, $orderby: 'Sum desc' }))
  expect(body['@odata.context']).toContain('#shop_invoice(paid,Sum,Rows,Last)')
  expect(text).toContain(
    '{"paid":true,"Sum@odata.type":"#Decimal","Sum":420.0420,"Rows@odata.type":"#Int64","Rows":20,"Last@odata.type":"#Int64","Last":40},\n{"paid":false,',
  )
  const none = { $format: 'application/json;odata.metadata=none' }
  expect(await rows({ $apply: 'aggregate(customer_id with countdistinct as N)', ...none })).toEqual([{ N: 3 }])
  expect(await rows({ $apply: 'groupby((customer_id))', $filter: 'customer_id gt 0' })).toEqual([
    { customer_id: 1 },
    { customer_id: 2 },
  ])
})

test('[SEE-8] pages continue by the key with every option, and say so', async () => {
  const headers = { prefer: 'odata.maxpagesize=7' }
  const first = await get('/shop_invoice', { headers })
  expect(first.body.value).toHaveLength(7)
  expect(first.headers['preference-applied']).toBe('maxpagesize=7')
  // The size of the pages is part of the link: clients do not repeat the preference.
  const all = await readPages(app, '/shop_invoice?$orderby=paid,tax__%20desc&$select=id', { headers })
  expect(all).toEqual((await get('/shop_invoice?$orderby=paid,tax__%20desc&$select=id')).body.value)
  expect(all).toHaveLength(41)
  const top = await readPages(app, '/shop_invoice?$top=17&$skip=3&$count=true', { headers })
  expect(top.map(({ id }) => id)).toEqual(Array.from({ length: 17 }, (_, at) => at + 4))
  expect(await readPages(app, '/shop_line', { headers })).toHaveLength(25)
  expect(
    await readPages(app, '/shop_invoice?$apply=groupby((customer_id,paid))', { headers: { prefer: 'maxpagesize=2' } }),
  ).toHaveLength(7)
})

test('[SEE-8] a table without a key stops with advice if it was refreshed between two pages', async () => {
  await fillWarehouse(app, 'CREATE TABLE shop.moved AS SELECT n FROM generate_series(1, 9) AS n')
  const { body } = await get('/shop_moved', { headers: { prefer: 'maxpagesize=5' } })
  await fillWarehouse(
    app,
    'CREATE TABLE shop.fresh AS TABLE shop.moved; DROP TABLE shop.moved; ALTER TABLE shop.fresh RENAME TO moved',
  )
  const next = await get(body['@odata.nextLink'] ?? '')
  expect([next.status, next.body.error]).toEqual([
    410,
    { code: 'pageLost', message: expect.stringContaining('Start again with its first page.') },
  ])
  await fillWarehouse(app, 'DROP TABLE shop.moved')
})

test('[SEE-8] an unchanged page is not sent again', async () => {
  const { headers } = await get('/shop_invoice?$top=3')
  const etag = String(headers['etag'])
  const again = await get('/shop_invoice?$top=3', { headers: { 'if-none-match': etag } })
  expect([again.status, again.text]).toEqual([304, ''])
  expect((await get('/shop_invoice?$top=4', { headers: { 'if-none-match': etag } })).status).toBe(200)
})

test('[SEE-8] replies are compressed with gzip', async () => {
  const session = await app.as.admin.session()
  const reply = await app.http.inject({
    url: `/odata/${app.harbour.id}/shop_invoice`,
    headers: { host: 'localhost:3000', 'accept-encoding': 'gzip, br', authorization: `Bearer ${session?.accessToken}` },
  })
  expect(reply.headers['content-encoding']).toBe('gzip')
  expect((JSON.parse(gunzipSync(reply.rawPayload).toString()) as { value: unknown[] }).value).toHaveLength(41)
})

test('[SEE-8] a client of OData 4.0 gets 4.0, and every other one 4.01', async () => {
  const versions = ['4.0', '4.00', '4.01', '4.1', '5.0', undefined]
  const replies = await Promise.all(
    versions.map((version) => get('/', { headers: version === undefined ? {} : { 'odata-maxversion': version } })),
  )
  expect(replies.map(({ headers }) => headers['odata-version'])).toEqual(['4.0', '4.0', '4.01', '4.01', '4.01', '4.01'])
  expect(replies[0]?.headers['content-type']).toBe(
    'application/json;odata.metadata=minimal;odata.streaming=true;charset=utf-8',
  )
  expect((await get('/$metadata', { headers: { 'odata-maxversion': '4.0' } })).text).toContain(
    '<edmx:Edmx Version="4.0"',
  )
  for (const version of ['3.0', 'x', '4'])
    expect((await get('/', { headers: { 'odata-maxversion': version } })).status).toBe(400)
})

test('[SEE-8] the metadata level decides what stands next to the values', async () => {
  const of = async (level: string) =>
    (
      await get(
        withOptions('/shop_invoice', {
          $top: '1',
          $select: 'id,Number',
          $format: `application/json;odata.metadata=${level}`,
        }),
      )
    ).body
  expect(await of('none')).toEqual({ value: [{ id: 1, Number: 'INV-1' }] })
  expect(Object.keys(await of('minimal'))).toEqual(['@odata.context', 'value'])
  expect((await of('full')).value).toEqual([
    { '@odata.type': '#Tributary.shop_invoice', 'id@odata.type': '#Int64', id: 1, Number: 'INV-1' },
  ])
})

test('[SEE-8] the metadata describes types, keys, descriptions and relations, as XML and as JSON', async () => {
  const { text, headers } = await get('/$metadata')
  expect(headers['content-type']).toBe('application/xml;charset=utf-8')
  for (const part of [
    '<EntityType Name="shop_invoice"><Key><PropertyRef Name="id"/></Key><Property Name="id" Type="Edm.Int64" Nullable="false"/>',
    '<Property Name="Number" Type="Edm.String" MaxLength="20"/>',
    '<Property Name="total" Type="Edm.Decimal" Precision="16" Scale="4"><Annotation Term="Core.Description" String="With tax"/></Property>',
    '<Property Name="tax__" Type="Edm.Decimal" Scale="variable"/>',
    '<Annotation Term="Tributary.Relation" String="shop_customer/id"/>',
    'String="Sales &#60;invoices&#62; &#38; &#34;more&#34;"',
    '<EntityType Name="shop_line"><Key><PropertyRef Name="_row"/></Key>',
    '<EntitySet Name="shop_totals" EntityType="Tributary.shop_totals"/>',
  ])
    expect(text).toContain(part)
  const { body } = await get('/$metadata', { headers: { accept: 'application/json' } })
  expect(body).toMatchObject({
    $Version: '4.01',
    Tributary: {
      shop_invoice: {
        $Kind: 'EntityType',
        $Key: ['id'],
        total: { $Type: 'Edm.Decimal', $Nullable: true, $Precision: 16, $Scale: 4, '@Core.Description': 'With tax' },
        customer_id: { '@Tributary.Relation': 'shop_customer/id' },
      },
      Data: { shop_pair: { $Collection: true, $Type: 'Tributary.shop_pair' } },
    },
  })
})

test('[SEE-8] rows without a key are identified by _row, which is not a column', async () => {
  const { body } = await get('/shop_line?$top=2')
  expect(body.value).toEqual([
    { a: 1, b: 'x', _row: '(0,1)' },
    { a: 1, b: 'x', _row: '(0,2)' },
  ])
  expect((await get('/shop_line?$top=1&$select=_row')).body.value).toEqual([{ _row: '(0,1)' }])
  expect((await get('/shop_line?$top=1&$select=a')).body.value).toEqual([{ a: 1 }])
  const view = await get('/shop_totals', { headers: { prefer: 'maxpagesize=1' } })
  expect(view.body.value).toHaveLength(3)
  expect(view.headers['preference-applied']).toBeUndefined()
  expect(new Set(view.body.value.map(({ _row }) => _row)).size).toBe(3)
  expect((await get("/shop_line?$filter=_row eq 'x'".replaceAll(' ', '%20'))).status).toBe(400)
})
