import * as z from 'zod'
import { expect, test } from 'vitest'
import { wireEncoder } from './wire-encoder.ts'

const Inner = z.object({ Id: z.string() })
const Outer = z.object({
  CompanyName: z.string(),
  accessToken: z.string(),
  Log: Inner.nullable(),
  Note: z.string().optional(),
  Items: z.array(Inner),
  Lists: z.array(z.array(Inner)),
  Value: z.unknown(),
  Open: z.record(z.string(), z.unknown()),
})
const value = {
  companyName: 'A',
  accessToken: 't',
  log: null,
  items: [{ id: '1', secret: 'x' }],
  lists: [[{ id: '2' }], []],
  value: { 'data source': 1, camelCase: 2 },
  open: { 'initial catalog': 'x' },
  passwordHash: 'never',
}

test('declared names get wire casing at every depth, open values keep theirs, and undeclared fields are dropped', () => {
  expect(JSON.parse(JSON.stringify(wireEncoder(Outer)(value)))).toEqual({
    CompanyName: 'A',
    accessToken: 't',
    Log: null,
    Items: [{ Id: '1' }],
    Lists: [[{ Id: '2' }], []],
    Value: { 'data source': 1, camelCase: 2 },
    Open: { 'initial catalog': 'x' },
  })
})

test('a name that is not a JavaScript identifier works, too', () => {
  const odd = z.object({ "It's\n`${x}`": z.string(), __proto__x: z.string(), constructor: z.string() })
  expect(wireEncoder(odd)({ "it's\n`${x}`": 'a', __proto__x: 'b', constructor: 'c' })).toEqual({
    "It's\n`${x}`": 'a',
    __proto__x: 'b',
    constructor: 'c',
  })
})

test('for a union, the option whose fields are present determines the names', () => {
  const Either = z.union([
    z.object({ Found: Inner, Extra: z.string().optional() }),
    z.object({ IsMissing: z.literal(true) }),
    z.null(),
  ])
  const encode = wireEncoder(z.object({ Result: Either }))
  expect(encode({ result: { found: { id: '1', secret: 'x' }, secret: 'x' } })).toEqual({
    Result: { Found: { Id: '1' }, Extra: undefined },
  })
  expect(encode({ result: { isMissing: true, secret: 'x' } })).toEqual({ Result: { IsMissing: true } })
  expect(encode({ result: null })).toEqual({ Result: null })
})
