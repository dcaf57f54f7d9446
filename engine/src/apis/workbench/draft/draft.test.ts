/** Drafts from the documents that APIs give, and what is refused. Each draft is a description without problems. */
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { requireDescription } from '../../described/description/parse.ts'
import { draftDescription } from './draft.ts'

const order = {
  type: 'object',
  properties: {
    id: { type: 'string', format: 'uuid', description: 'Identifies the order. For ever.' },
    total: { type: 'number', format: 'double' },
    number: { type: 'integer', format: 'int32' },
    createdAt: { type: 'integer', format: 'unix-time' },
    updatedAt: { type: 'string', format: 'date-time' },
    note: { type: 'string', maxLength: 40 },
    customer: { anyOf: [{ type: 'string' }, { $ref: '#/components/schemas/Customer' }] },
    lines: { type: 'array', items: { type: 'object', properties: { sku: { type: 'string' } } } },
  },
}
const openApi = {
  openapi: '3.0.3',
  info: { title: 'Orchard' },
  servers: [{ url: 'https://api.orchard.example/{tenant}/v2', variables: { tenant: { default: 'demo' } } }],
  components: {
    securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } },
    schemas: {
      Order: order,
      Customer: { type: 'object', properties: { id: { type: 'string' } } },
      OrderList: {
        type: 'object',
        properties: {
          data: { type: 'array', items: { $ref: '#/components/schemas/Order' } },
          has_more: { type: 'boolean' },
        },
      },
    },
  },
  paths: {
    '/orders': {
      get: {
        summary: 'Lists orders.',
        parameters: [
          { in: 'query', name: 'starting_after', schema: { type: 'string' } },
          { in: 'query', name: 'limit', schema: { type: 'integer', maximum: 250 } },
          { in: 'query', name: 'updated_since', schema: { type: 'string' } },
        ],
        responses: { 200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/OrderList' } } } } },
      },
      post: {},
    },
    '/orders/{id}': {
      get: {
        responses: { 200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Order' } } } } },
      },
    },
    '/orders/{id}/payments': {
      get: {
        responses: {
          200: {
            content: {
              'application/json': { schema: { type: 'array', items: { $ref: '#/components/schemas/Order' } } },
            },
          },
        },
      },
    },
  },
}

test('[SRC-10] a draft from OpenAPI 3 has lists, exact types, paging, changes and sign-in, and marks what it guessed', () => {
  const drafted = draftDescription(JSON.stringify(openApi), { type: 'orchard' })
  expect(drafted).toMatchObject({ from: 'openapi', problems: [] })
  const description = requireDescription(drafted.yaml, 'rest')
  expect(description).toMatchObject({
    base: 'https://api.orchard.example/{tenant}/v2/',
    hosts: ['api.orchard.example'],
    signIn: { kind: 'apiKey', keys: [{ in: 'header', name: 'X-Key', setting: 'key' }] },
  })
  expect(Object.keys(description.streams)).toEqual(['order'])
  expect(description.streams['order']).toMatchObject({
    path: 'orders',
    records: '/data',
    key: ['id'],
    paging: {
      kind: 'keyset',
      parameter: 'starting_after',
      at: '/id',
      more: '/has_more',
      size: { parameter: 'limit', rows: 250 },
    },
    changes: { kind: 'cursor', column: 'updated_at', from: { parameter: 'updated_since' } },
    deletes: { kind: 'keys' },
    columns: {
      id: { type: 'guid', about: 'Identifies the order.' },
      total: 'decimal',
      number: 'integer',
      created_at: { type: 'instant(0)', at: '/createdAt', format: 'unixSeconds' },
      updated_at: { type: 'instant(3)', at: '/updatedAt' },
      note: 'text(40)',
      customer: 'text',
    },
    children: { order_line: { records: '/lines', columns: { sku: 'text' } } },
  })
  for (const guess of ['paging', 'key', 'changes', 'pace'])
    expect(drafted.yaml).toMatch(new RegExp(`# check: .*\n *${guess}:`, 'u'))
  expect(drafted.notes.join(' ')).toContain('1 lists need the id of another record')
})

test('[SRC-10] OpenAPI in YAML and Swagger 2 are drafted as well, and only the lists that are named', () => {
  const swagger = `swagger: '2.0'
info: { title: Depot }
host: api.depot.example
basePath: /v1
securityDefinitions: { basic: { type: basic } }
paths:
  /parts:
    get:
      parameters: [{ in: query, name: page, type: integer }, { in: query, name: per_page, type: integer, maximum: 50 }]
      responses: { '200': { schema: { type: array, items: { $ref: '#/definitions/Part' } } } }
  /tags:
    get: { responses: { '200': { schema: { type: array, items: { $ref: '#/definitions/Part' } } } } }
definitions: { Part: { type: object, properties: { code: { type: string }, weight: { type: number } } } }
`
  const drafted = draftDescription(swagger, { type: 'depot', only: ['parts'] })
  expect(drafted.problems).toEqual([])
  expect(requireDescription(drafted.yaml, 'rest')).toMatchObject({
    base: 'https://api.depot.example/v1/',
    signIn: { kind: 'basic', user: 'user', password: 'password' },
    streams: {
      part: {
        records: '',
        key: ['code'],
        paging: { kind: 'pageNumber', parameter: 'page', size: { parameter: 'per_page', rows: 50 } },
        columns: { code: 'text', weight: 'decimal' },
      },
    },
  })
  expect(() => draftDescription(swagger, { type: 'depot', only: ['cars'] })).toThrow(/It has parts, tags\./u)
})

test('[SRC-10] a draft from a sample reads types from every value: no amount becomes a double, no moment a text', () => {
  const sample = `{"items": [
    {"no": 7, "amount": 12, "price": 3, "big": 12345678901234567890123, "day": "2026-01-31", "at": "2026-01-31T10:00:00.1234567+01:00",
     "local": "2026-01-31T10:00:00", "old": "/Date(1769864700000)/", "ref": "6b1f0c52-0d5a-4c0b-9a51-3f0c6d2e7a10", "text": "12.50",
     "created": 1769864700, "flag": true, "address": {"city": "Aarhus"}, "tags": ["a"], "empty": null, "lines": [{"qty": 1.0}]},
    {"no": 8, "amount": 12.50, "lines": []}],
    "links": {"next": "https://api.depot.example/v1/parts?cursor=2"}}`
  const drafted = draftDescription(sample, {
    type: 'depot',
    address: 'https://api.depot.example/v1/parts?limit=2&status=open',
  })
  expect(drafted).toMatchObject({ from: 'sample', problems: [] })
  const stream = requireDescription(drafted.yaml, 'rest').streams['part']
  expect(stream).toMatchObject({
    path: 'parts',
    query: { status: 'open' },
    records: '/items',
    key: ['no'],
    paging: { kind: 'nextLink', at: '/links/next', size: { parameter: 'limit', rows: 2 } },
    children: { part_line: { records: '/lines', columns: { qty: 'decimal' } } },
  })
  expect(stream?.columns).toEqual({
    no: 'bigint',
    amount: 'decimal',
    price: 'decimal',
    big: 'decimal',
    day: 'date',
    at: 'instant(7)',
    local: 'timestamp(3)',
    old: { type: 'instant(3)', format: 'msDate' },
    ref: 'guid',
    text: 'decimal',
    created: { type: 'instant(0)', format: 'unixSeconds' },
    flag: 'boolean',
    address_city: { type: 'text', at: '/address/city' },
    tags: 'json',
    empty: 'text',
  })
  for (const guess of ['price', 'local', 'text', 'created', 'empty'])
    expect(drafted.yaml).toMatch(new RegExp(`# check: .*\n *${guess}:`, 'u'))
})

test('[SRC-10] a draft from $metadata names every entity set, its moment of change, and those without a key', () => {
  const metadata = `<?xml version="1.0"?><edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices><Schema Namespace="S">
    <EntityType Name="Order"><Key><PropertyRef Name="id"/></Key><Property Name="id" Type="Edm.Guid"/><Property Name="lastModifiedDateTime" Type="Edm.DateTimeOffset"/></EntityType>
    <EntityType Name="Rate"><Property Name="value" Type="Edm.Decimal"/></EntityType>
    <EntityContainer Name="C"><EntitySet Name="orders" EntityType="S.Order"/><EntitySet Name="rates" EntityType="S.Rate"/></EntityContainer>
    </Schema></edmx:DataServices></edmx:Edmx>`
  const drafted = draftDescription(metadata, { type: 'depot', address: 'https://api.depot.example/odata/$metadata' })
  expect(drafted).toMatchObject({ from: 'metadata', problems: [] })
  expect(requireDescription(drafted.yaml, 'odata')).toMatchObject({
    base: 'https://api.depot.example/odata/',
    service: { literals: 'v4' },
    sets: {
      orders: { changes: { kind: 'cursor', property: 'lastModifiedDateTime' }, deletes: { kind: 'keys' } },
      rates: {},
    },
  })
  expect(drafted.notes.join(' ')).toContain('These sets declare no key: rates.')
})

test('[SRC-10] a large document is drafted whole, up to the number of lists that a person can review', () => {
  const paths = Object.fromEntries(
    Array.from({ length: 400 }, (_, index) => [`/list${index}`, openApi.paths['/orders']]),
  )
  const drafted = draftDescription(JSON.stringify({ ...openApi, paths }), { type: 'orchard' })
  expect(drafted.problems).toEqual([])
  expect(Object.keys(requireDescription(drafted.yaml, 'rest').streams)).toHaveLength(60)
  expect(drafted.notes.join(' ')).toContain('340 more lists were left out')
})

test('[SRC-10] a schema that contains itself, and a reference to nowhere, end the draft of neither', () => {
  const node = {
    type: 'object',
    properties: { id: { type: 'integer' }, parent: { $ref: '#/n' }, gone: { $ref: '#/x' } },
    allOf: [{ $ref: '#/n' }],
  }
  const reply = { 200: { content: { 'application/json': { schema: { type: 'array', items: { $ref: '#/n' } } } } } }
  const document = {
    openapi: '3.1.0',
    info: { title: 'Trees' },
    n: node,
    paths: { '/nodes': { get: { responses: reply } } },
  }
  const drafted = draftDescription(JSON.stringify(document), { type: 'trees', address: 'https://api.trees.example/' })
  expect(drafted.problems).toEqual([])
  expect(parse(drafted.yaml)).toMatchObject({ streams: { node: { key: ['id'] } } })
})

test.each([
  ['', /is empty/u],
  ['{"a": 1}', /no list of records/u],
  ['{"data": [1, 2]}', /no list of records/u],
  ['{"data": [{}]}', /have no values/u],
  ['{"openapi": "3.0.0", "paths": {}}', /no call that lists records/u],
  ['openapi: [', /neither JSON nor YAML/u],
  ['some: yaml', /names no version of OpenAPI/u],
  ['[{"id": 1', /not JSON/u],
  ['<html></html>', /describes no entity set/u],
])('[SRC-10] %j cannot be drafted, and the message says why', (document, sentence) => {
  expect(() => draftDescription(document, { type: 'depot' })).toThrow(sentence)
})

test('[SRC-10] an address that is no web address is refused', () => {
  for (const address of ['ftp://files.example/', 'http://api.example.com/orders', 'orders'])
    expect(() => draftDescription('[{"id": 1}]', { type: 'depot', address })).toThrow(/begins with https/u)
})
