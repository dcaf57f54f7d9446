/** The forms in which versions of OData write pages, ids and literals. */
import { expect, test } from 'vitest'
import type { ExactJson } from '../../http/exact-json.ts'
import type { DescribedApi } from '../calls.ts'
import { keyOfEntityId } from './entity-id.ts'
import type { EdmProperty } from './metadata/edmx.ts'
import { literalOf } from './metadata/literals.ts'
import { readPage } from './page.ts'

const property = (name: string, type = 'Edm.String'): EdmProperty => ({
  name,
  type,
  isList: false,
  maxLength: null,
  precision: null,
  scale: null,
  parts: [],
})

function apiThatReplies(...replies: readonly ExactJson[]): DescribedApi {
  const waiting = [...replies]
  return {
    title: 'Somewhere',
    code: 'somewhere',
    withSettings: (call) => call,
    get: async () => ({ json: waiting.shift() ?? null, serverTime: null, link: null }),
    getXml: async () => '',
    warning: () => null,
    now: () => 0,
    [Symbol.dispose]() {},
  }
}

const row = { Id: 1 }

test.each<[what: string, json: ExactJson, next: string | null, count: number | null]>([
  [
    'version 4',
    { value: [row], '@odata.nextLink': 'https://elsewhere.example/o/A?$skip=1', '@odata.count': 7 },
    '/o/A?$skip=1',
    7,
  ],
  ['version 4.01', { value: [row], '@nextLink': 'A?$skiptoken=x', '@count': 7 }, 'A?$skiptoken=x', 7],
  ['version 3', { value: [row], 'odata.nextLink': 'A?$skip=1', 'odata.count': '7' }, 'A?$skip=1', 7],
  ['version 2', { d: { results: [row], __next: 'A?$skip=1', __count: '7' } }, 'A?$skip=1', 7],
  ['version 1', { d: [row] }, null, null],
  ['a list alone', [row], null, null],
])('[SRC-3] a page of %s has rows, a link and a count', async (_, json, next, count) => {
  expect(await readPage(apiThatReplies(json), 'A')).toMatchObject({ rows: [row], next, count })
})

test('[SRC-3] a reply without rows is asked for again, and never taken as an empty page', async () => {
  expect((await readPage(apiThatReplies({ value: null }, { value: [row] }), 'A')).rows).toEqual([row])
  await expect(readPage(apiThatReplies({ value: null }, null), 'A')).rejects.toMatchObject({
    kind: 'passing',
    code: 'somewhere.unreadable_reply',
  })
})

test.each<[id: string, names: string, key: Record<string, string> | null]>([
  ['https://api.example.com/odata/Orders(5)', 'Id', { Id: '5' }],
  ['Orders(Id=5L)', 'Id', { Id: '5' }],
  ["Orders('O''Brien, (1)')", 'Id', { Id: "O'Brien, (1)" }],
  ["Orders('A%2FB=%C3%A6')", 'Id', { Id: 'A/B=æ' }],
  ["Orders(Company=7,Number='A,1')", 'Company Number', { Company: '7', Number: 'A,1' }],
  ["Orders(guid'0a1b2c3d-0000-0000-0000-000000000001')", 'Id', { Id: '0a1b2c3d-0000-0000-0000-000000000001' }],
  ['Orders(Number=5)', 'Company Number', null],
  ['Orders', 'Id', null],
])('[SRC-5] the id %s of a deleted row has the key %s: %j', (id, names, key) => {
  expect(
    keyOfEntityId(
      id,
      names.split(' ').map((name) => property(name)),
    ),
  ).toEqual(key)
})

test.each<[type: string, value: string, v3: string, v4: string]>([
  ['Edm.String', "O'Brien", "'O''Brien'", "'O''Brien'"],
  ['Edm.Int64', '5', '5', '5'],
  ['Edm.Int64', '9007199254740993', '9007199254740993L', '9007199254740993'],
  ['Edm.Decimal', '1.50', '1.50M', '1.50'],
  [
    'Edm.Guid',
    '0a1b2c3d-0000-0000-0000-000000000001',
    "guid'0a1b2c3d-0000-0000-0000-000000000001'",
    '0a1b2c3d-0000-0000-0000-000000000001',
  ],
  ['Edm.DateTimeOffset', '2026-03-02T09:00:00Z', "datetimeoffset'2026-03-02T09:00:00Z'", '2026-03-02T09:00:00Z'],
])('[SRC-3] a value of %s, %s, is written as %s in version 3 and as %s in version 4', (type, value, v3, v4) => {
  expect([literalOf({ type }, value, 'v3'), literalOf({ type }, value, 'v4')]).toEqual([v3, v4])
})
