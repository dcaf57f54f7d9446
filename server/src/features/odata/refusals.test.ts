/** What the feed refuses, and how it says so. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fillWarehouse, getFeed, withOptions } from '@tributary/testing/server/access/odata-feed.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
  await fillWarehouse(
    app,
    `CREATE SCHEMA shop; CREATE TABLE shop.item (id int PRIMARY KEY, name text, price numeric, sold date);
     INSERT INTO shop.item SELECT n, 'Item ' || n, n, '2026-01-01' FROM generate_series(0, 20) AS n`,
  )
})
afterAll(() => app[Symbol.asyncDispose]())

const get = (path: string) => getFeed(app, path)

describe('[SEE-8] a wrong option answers 400 with the option, the place and what to do', () => {
  test.each<[string, Record<string, string>, number, string]>([
    ['$filter', { $filter: 'nam eq 1' }, 1, 'There is no property “nam” here.'],
    ['$filter', { $filter: "id eq 1 and Name eq 'a'" }, 13, 'There is no property “Name” here. Did you mean “name”?'],
    ['$filter', { $filter: "id eq 'one'" }, 7, 'a whole number cannot be compared with text.'],
    ['$filter', { $filter: 'id eq' }, 4, '“eq” is unexpected. Expected is the end.'],
    ['$filter', { $filter: 'id eq ' }, 7, 'The text ends where a property, a value or a function is expected.'],
    ['$filter', { $filter: '(id eq 1' }, 9, 'The text ends where “)” is expected.'],
    ['$filter', { $filter: "name eq 'a" }, 9, "“'” is unexpected. Expected is a property, a value or a function."],
    [
      '$filter',
      { $filter: "name eq 'a' or 1 eq 1; DROP TABLE shop.item" },
      22,
      '“;” is unexpected. Expected is the end.',
    ],
    ['$filter', { $filter: 'sold eq 2026-02-30' }, 9, '2026-02-30 is not a date that exists.'],
    ['$filter', { $filter: 'length(id) eq 1' }, 8, 'This must be text, and is a whole number.'],
    ['$filter', { $filter: 'id' }, 1, 'A condition is needed here, such as a comparison; this is a whole number.'],
    ['$orderby', { $orderby: 'id,nowhere desc' }, 4, 'There is no property “nowhere” here.'],
    ['$orderby', { $orderby: 'id down' }, 4, '“down” is unexpected. Expected is the end.'],
    ['$select', { $select: 'id,nowhere' }, 4, 'There is no property “nowhere” here.'],
    [
      '$apply',
      { $apply: 'aggregate(name with sum as S)' },
      11,
      'sum needs numbers. Use min, max or countdistinct for other columns.',
    ],
    [
      '$apply',
      { $apply: 'groupby((id),aggregate(price with sum as id))' },
      24,
      '“id” is a property of the set. Give the result another name.',
    ],
    [
      '$apply',
      { $apply: 'aggregate(price with sum as S,price with max as S)' },
      31,
      '“S” is there twice. Give each result another name.',
    ],
    ['$search', { $search: '"open' }, 1, '“"” is unexpected. Expected is a word or a phrase in double quotes.'],
  ])('%s %j', async (target, options, position, message) => {
    const { status, body, headers } = await get(withOptions('/shop_item', options))
    expect(status).toBe(400)
    expect(headers['content-type']).toBe('application/json;charset=utf-8')
    expect(headers['odata-version']).toBe('4.01')
    expect(body.error).toEqual({
      code: 'badRequest',
      message: `At character ${position}: ${message}`,
      target,
      innererror: { position },
    })
  })

  test.each<[string, string]>([
    ['/shop_item?$top=-1', '$top'],
    ['/shop_item?$top=1.5', '$top'],
    ['/shop_item?$top=1&$top=2', '$top'],
    ['/shop_item?$count=yes', '$count'],
    ['/shop_item?$skiptoken=WyJhIl0', '$skiptoken'],
    ['/shop_item?$skiptoken=%00', '$skiptoken'],
    ['/shop_item?$wrong=1', '$wrong'],
  ])('%s', async (path, target) => {
    const { status, body } = await get(path)
    expect([status, body.error?.target]).toEqual([400, target])
  })

  test('a position that was made up', async () => {
    for (const position of [
      [5, 'x'],
      [5, '1', '2'],
      [5, null],
      [5, "1'; DROP TABLE shop.item; --"],
    ]) {
      const token = Buffer.from(JSON.stringify(position)).toString('base64url')
      const { status } = await get(`/shop_item?$skiptoken=${token}`)
      expect([position, [200, 400].includes(status)]).toEqual([position, true])
    }
  })
})

test('[SEE-8] skipping far answers 400 with the advice to filter', async () => {
  expect((await get('/shop_item?$skip=10000')).body.value).toEqual([])
  const { status, body } = await get('/shop_item?$skip=10001')
  expect([status, body.error]).toEqual([
    400,
    { code: 'skipTooFar', target: '$skip', message: expect.stringContaining('Filter by the key instead') },
  ])
})

describe('[SEE-8] an option that the feed does not support answers 501 and names it', () => {
  test.each<[string, string]>([
    ['/shop_item?$expand=lines', '$expand'],
    ['/shop_item?$compute=id%20add%201%20as%20x', '$compute'],
    ['/shop_item?$apply=topcount(5,price)', 'topcount'],
    ['/shop_item?$apply=groupby((rollup(name,sold)))', 'rollup'],
    ["/shop_item?$filter=cast(id,Edm.String)%20eq%20'1'", 'cast'],
    ['/shop_item?$filter=lines/any(l:l/id%20eq%201)', 'paths'],
    ['/shop_item?$filter=id%20eq%20@p&@p=1', 'parameter aliases'],
    ['/shop_item?$select=lines/id', 'paths'],
    ['/shop_item/name', 'paths below'],
    ['/shop_item(1)/$value', 'paths below'],
    ['/$entity?$id=x', '$entity'],
    ['/$all', '$all'],
    ['/shop_item(1)?$filter=id%20eq%201', '$filter'],
  ])('%s', async (path, named) => {
    const { status, body } = await get(path)
    expect([status, body.error?.code]).toEqual([501, 'notImplemented'])
    expect(body.error?.message).toContain(named)
  })

  test('$batch', async () => {
    const { status, body } = await getFeed(app, '/$batch', {
      method: 'POST',
      headers: { 'content-type': 'multipart/mixed' },
    })
    expect([status, body.error?.target]).toEqual([501, '$batch'])
  })
})

test.each(['POST', 'PUT', 'PATCH', 'DELETE'] as const)('[SEE-8] the feed is read-only: %s', async (method) => {
  const { status, headers, body } = await getFeed(app, '/shop_item(1)', {
    method,
    headers: { 'content-type': 'application/json' },
  })
  expect([status, headers['allow'], body.error?.code]).toEqual([405, 'GET', 'methodNotAllowed'])
})

test('[SEE-8] an unknown set answers 404 with a hint, and an unknown format 406', async () => {
  expect((await get('/Shop_Item')).body.error?.message).toContain('Did you mean shop_item?')
  expect((await get('/pg_authid')).status).toBe(404)
  expect((await get('/shop_item?$format=atom')).status).toBe(406)
  expect((await getFeed(app, '/shop_item', { headers: { accept: 'application/atom+xml' } })).status).toBe(406)
})

test('an expression that fails for a row says so without a value of the row', async () => {
  const { status, body, text } = await get(withOptions('/shop_item', { $filter: '1 div id eq 1' }))
  expect([status, body.error?.code]).toEqual([400, 'badRequest'])
  expect(text).toContain('divides by zero')
})

test('limits are named: depth, length of the address, size of a list', async () => {
  const deep = `${'('.repeat(60)}id eq 1${')'.repeat(60)}`
  expect((await get(withOptions('/shop_item', { $filter: deep }))).body.error?.message).toContain('more than 50 levels')
  const negated = `${'not '.repeat(60)}(id eq 1)`
  expect((await get(withOptions('/shop_item', { $filter: negated }))).status).toBe(400)
  const long = withOptions('/shop_item', { $filter: `id in (${'1,'.repeat(10_000)}1)` })
  const { status, body } = await get(long)
  expect([status, body.error?.code]).toEqual([414, 'addressTooLong'])
  const list = withOptions('/shop_item', {
    $filter: `id in (${Array.from({ length: 2_000 }, (_, at) => at % 10).join(',')})`,
  })
  expect((await get(list.replaceAll('%2C', ','))).body.value).toHaveLength(10)
  const chain = Array.from({ length: 400 }, () => 'id eq 1').join(' or ')
  expect((await get(withOptions('/shop_item', { $filter: chain }).replaceAll('%20', '+'))).body.value).toHaveLength(1)
})

describe('[SEE-9] hostile input', () => {
  const hostile = [
    "'",
    "''",
    '\\',
    '\0',
    '%00',
    "'; DROP TABLE shop.item; --",
    '$$',
    '/*',
    'é',
    '\u202E',
    '\uFFFF',
    '💰',
    '"',
    '`',
    '${1}',
    '\n',
    '\t',
  ]
  const places: readonly ((text: string) => string)[] = [
    (text) => withOptions('/shop_item', { $filter: `name eq '${text.replaceAll("'", "''")}'` }),
    (text) => withOptions('/shop_item', { $filter: `name eq ${text}` }),
    (text) => withOptions('/shop_item', { $filter: `contains(name,'${text}')` }),
    (text) => withOptions('/shop_item', { $filter: `name in ('${text.replaceAll("'", "''")}','x')` }),
    (text) => withOptions('/shop_item', { $orderby: text }),
    (text) => withOptions('/shop_item', { $select: text }),
    (text) => withOptions('/shop_item', { $search: text }),
    (text) => withOptions('/shop_item', { $apply: `aggregate(id with sum as ${text})` }),
    (text) => withOptions('/shop_item', { $top: text }),
    (text) => withOptions('/shop_item', { $format: text }),
    (text) => withOptions('/shop_item', { $skiptoken: text }),
    (text) => withOptions('/shop_item', { [`$${text}`]: '1' }),
    (text) => `/${encodeURIComponent(text)}`,
    (text) => `/shop_item(${encodeURIComponent(text)})`,
    (text) => `/shop_item('${encodeURIComponent(text)}')`,
    (text) => `/shop_item?$filter=name%20eq%20%2527${encodeURIComponent(encodeURIComponent(text))}%2527`,
  ]

  test('in every place answers 200, 400, 404, 406 or 501, and changes nothing', async () => {
    for (const text of hostile)
      for (const place of places) {
        const path = place(text)
        const { status } = await get(path)
        expect([path, [200, 400, 404, 406, 501].includes(status)]).toEqual([path, true])
      }
    expect((await get('/shop_item/$count')).text).toBe('21')
  })

  test('bytes that are not UTF-8 are refused', async () => {
    for (const path of ['/shop_item?$filter=%ff', '/shop_item?%ff=1', '/shop_item?$filter=%'])
      expect([path, [400, 404].includes((await get(path)).status)]).toEqual([path, true])
    // Such an address belongs to no route, so that the reply is not the feed’s.
    const { statusCode } = await app.http.inject({ url: `/odata/${app.harbour.id}/%ff` })
    expect(statusCode).toBe(404)
  })

  test('a text arrives as it was sent, and encoding twice is not decoded twice', async () => {
    await fillWarehouse(
      app,
      `CREATE TABLE shop.odd (id int PRIMARY KEY, text text); INSERT INTO shop.odd VALUES (1, 'a%27b'), (2, 'a''b'), (3, 'a+b')`,
    )
    const of = async (encoded: string) =>
      (await get(`/shop_odd?$select=id&$filter=text%20eq%20'${encoded}'`)).body.value
    expect(await of('a%2527b')).toEqual([{ id: 1 }])
    expect(await of('a%27%27b')).toEqual([{ id: 2 }])
    expect(await of('a%2Bb')).toEqual([{ id: 3 }])
  })
})
