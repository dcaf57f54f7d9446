import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hostileDescription } from '@tributary/testing/engine/described/hostile-connector.ts'
import { parseDescription } from './parse.ts'
import { descriptionSchema } from './source-description.ts'

const good = hostileDescription({ paging: 'pageNumber', changes: 'cursor', documents: 0, pageSize: 10, seed: 1 })

/** The line of the first problem, and its message, after the only occurrence of a text was replaced. */
function problemAfter(text: string, replacement: string): string {
  expect(good.split(text)).toHaveLength(2)
  const { problems } = parseDescription(good.replace(text, replacement))
  return problems.map(({ line, column, message }) => `${line}:${column} ${message}`).join('\n')
}

function lineOf(text: string): number {
  return good.slice(0, good.indexOf(text)).split('\n').length
}

test('[SRC-1] a description that fits has no problem', () => {
  expect(parseDescription(good).problems).toEqual([])
})

test.each([
  ['      name: text', '      name: txt', 'streams.document.columns.name: is not a type: write text'],
  ['    records: /data', '    records: data', 'streams.document.records: is not a JSON Pointer'],
  ['    key: [id]', '    key: [number]', 'streams.document.key.0: there is no column number'],
  ['    key: [id]', '    keys: [id]', 'streams.document.keys: is not known here'],
  ['column: changed', 'column: amount', 'streams.document.changes.column: the column amount must be a date'],
  ['total: /total', 'totals: /total', 'streams.document.paging.totals: is not known here'],
  [', size: { parameter: size, rows: 100 }', '', 'streams.document.paging: needs size'],
  ['signIn: { kind: bearer, token: token }', 'signIn: { kind: bearer, token: key }', 'there is no setting key'],
  ['signIn: { kind: bearer, token: token }', 'signIn: { kind: magic }', 'signIn'],
  [
    'base: https://api.hostile.example/v1/',
    'base: https://elsewhere.example/v1/',
    'its host elsewhere.example is not one of hosts',
  ],
  ['base: https://api.hostile.example/v1/', 'base: http://api.hostile.example/v1/', 'must begin with https://'],
  ['hosts: [api.hostile.example]', 'hosts: ["*.example"]', 'is not the name of a host'],
  ['hosts: [api.hostile.example]', 'hosts: ["*.hostile.example"]', 'would allow every host below a public ending'],
  ['    path: documents\n', '    path: https://elsewhere.example/\n', 'is a path relative to the base address'],
  ['    path: documents\n', '    path: a/../../b\n', 'must not lead upwards'],
  [
    '  token: { label: Token, kind: secret }',
    '  token: { label: Token }',
    'the setting token must have the kind secret',
  ],
  ['    deletes: { kind: keys }\n', '', 'needs deletes'],
  ['    key: [id]\n', '    key: [id]\n    follow: [/parts]\n', 'is not possible with follow'],
  ['title: Hostile API', 'title: [', 'Flow sequence'],
  ['title: Hostile API', 'title: Hostile API\ntitle: Again', 'Map keys must be unique'],
  ['title: Hostile API', 'title: !!js/function "x"', ''],
] as const)('[SRC-1] replacing ‘%s’ by ‘%s’ is refused with line, column and reason', (text, replacement, message) => {
  const found = problemAfter(text, replacement)
  expect(found).toContain(message)
  expect(found).toMatch(/^\d+:\d+ /u)
})

test('[SRC-1] a problem names the line of the value that must change', () => {
  expect(problemAfter('      name: text', '      name: txt')).toMatch(
    new RegExp(`^${lineOf('      name: text')}:7 `, 'u'),
  )
})

test('[SRC-7] aliases cannot blow up a small description, and no text crashes the parser', () => {
  const bomb = `a: &a [x,x,x,x]\nb: &b [*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b]\n`
  expect(parseDescription(bomb).description).toBeNull()
  fc.assert(
    fc.property(fc.integer({ min: 0, max: good.length }), fc.string(), (at, text) => {
      const { description, problems } = parseDescription(good.slice(0, at) + text + good.slice(at))
      expect(description === null).toBe(problems.length > 0)
    }),
    { numRuns: 300 },
  )
})

test('[SRC-1] the published JSON Schema is the one that the product checks with', () => {
  const published: unknown = JSON.parse(readFileSync('docs/extending/source-description.schema.json', 'utf8'))
  expect(published).toEqual(JSON.parse(JSON.stringify(descriptionSchema())))
})
