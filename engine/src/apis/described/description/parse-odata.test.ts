import { expect, test } from 'vitest'
import { odataDescription } from '@tributary/testing/engine/described/hostile-odata.ts'
import { unicontaDescription } from '../../uniconta/source.ts'
import { parseDescription } from './parse.ts'

const good = odataDescription({ paging: 'nextLink', changes: 'cursor', companies: [1] })

test('[SRC-1] descriptions of OData services have no problem, that of Uniconta included', () => {
  expect(parseDescription(good).problems).toEqual([])
  expect(Object.keys(unicontaDescription.sets)).toHaveLength(43)
})

test.each([
  ['engine: odata', 'engine: soap', 'engine'],
  ['kind: cursor', 'kind: windows', 'sets.Documents.changes.againDays: is missing'],
  ['property: Modified', 'property: "Modified on"', 'is not the name of an entity set or property of OData'],
  ['kind: nextLink', 'kind: keyset', 'paging.rows: is missing'],
  ["path: 'companies({company})'", 'path: companies', 'companies.path: needs {company}'],
  ['type: bigint', 'type: decimal', 'companies.type: must be text, guid or a whole number'],
  ['type: bigint', 'type: bigint, setting: token', 'there is no setting token of the kind list'],
  ['table: document', 'table: document, bundle: Base', 'there is no bundle Base'],
  ['table: document', 'table: document, deletes: { kind: gone }', 'sets.Documents.deletes'],
  ['sets:\n', 'keys: { areUnique: false }\nsets:\n', 'sets.Documents.changes: needs unique keys'],
  ['sets:\n', 'types: { zone: Mars }\nsets:\n', 'types.zone: is not a time zone'],
  ['sets:\n', 'types: { zone: UTC, moments: local }\nsets:\n', 'is not for moments that are moved as they are written'],
  ['sets:\n', 'others: { read: chosen }\nsets:\n', 'others.read: needs tables'],
  ['sets:\n', 'streams: {}\nsets:\n', 'streams: is not known here'],
  ['sets:\n', 'service: { literals: v2 }\nsets:\n', 'service.literals'],
] as const)(
  '[SRC-1] in a description of a service, ‘%s’ replaced by ‘%s’ is refused with line and reason',
  (text, replacement, message) => {
    expect(good.split(text)).toHaveLength(2)
    const { problems } = parseDescription(good.replace(text, replacement))
    const found = problems.map(({ line, column, message: words }) => `${line}:${column} ${words}`).join('\n')
    expect(found).toContain(message)
    expect(found).toMatch(/^\d+:\d+ /u)
  },
)
