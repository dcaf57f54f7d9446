/** Hostile documents, descriptions and replies in the workbench: each ends with a reason, and no secret leaves the call. */
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { workbench } from '@tributary/contract/workbench'
import { descriptionOfGuide } from '@tributary/testing/engine/described/guide.ts'
import { containsSecret } from '@tributary/testing/server/app/find-secrets.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { proveWorkbenchStream, tryWorkbenchStream } from './call-source.ts'

const guide = descriptionOfGuide()
const key = 'ork_"secret/+&%0123456789'

let app: TestApp
let answer: RequestListener
let address = ''
const calls: string[] = []
const server = createServer((request, reply) => {
  calls.push(request.url ?? '')
  answer(request, reply)
})
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  address = `http://${host}/v1/`
  app = await testApp({ env: { TRIBUTARY_LIMITS: 'off', TRIBUTARY_ALLOW_HOSTS: host } })
})
afterAll(async () => {
  await app[Symbol.asyncDispose]()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

const tried = async (text = guide) =>
  (await app.as.superadmin.call(workbench.try, { body: { text, values: { key, address }, pages: 5 } })).body

const json: (value: unknown) => RequestListener = (value) => (_, reply) => void reply.end(JSON.stringify(value))
const order = { id: 1, amount: 12.5, updatedAt: '2026-11-01T00:00:00Z', lines: [] }

test('[SRC-10] a reply that repeats the secret in its body, headers, values and links is shown without it', async () => {
  answer = (request, reply) => {
    const { authorization = '' } = request.headers
    reply.writeHead(200, { 'x-echo': encodeURIComponent(key), 'x-base64': Buffer.from(key).toString('base64') })
    const row = { ...order, customer: authorization, channel: `https://x.example/?key=${encodeURIComponent(key)}` }
    reply.end(JSON.stringify({ orders: [row, { ...row, id: key }], more: false, key }))
  }
  const result = await tried()
  expect(result.Exchanges.length).toBeGreaterThan(0)
  expect(containsSecret(JSON.stringify(result), key)).toBe(false)
  const body = { text: guide, stream: 'order', kind: 'live', values: { key, address } } as const
  const proofs = await app.as.superadmin.call(workbench.prove, { body })
  expect([proofs.status, containsSecret(JSON.stringify(proofs.body), key)]).toEqual([200, false])
  answer = (_, reply) => void reply.writeHead(403).end(`no access with ${key}`)
  const refused = await tried()
  expect([refused.Problem !== null, containsSecret(JSON.stringify(refused), key)]).toEqual([true, false])
})

test('[SRC-10] a redirect is not followed, and a page of another host is not read', async () => {
  const other = { calls: 0 }
  const elsewhere = createServer((_, reply) => {
    other.calls += 1
    reply.end('{}')
  })
  await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve))
  const target = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/`
  answer = (_, reply) => void reply.writeHead(302, { location: target }).end()
  expect((await tried()).Problem).not.toBeNull()
  expect(other.calls).toBe(0)
  elsewhere.close()
})

test.each<[string, RequestListener]>([
  ['is not JSON', (_, reply) => void reply.end('<html>busy</html>')],
  ['is deeply nested', (_, reply) => void reply.end(`{"orders": ${'['.repeat(200_000)}${']'.repeat(200_000)}}`)],
  ['has no records', json({ rows: [] })],
  ['has records that are no objects', json({ orders: [1, null, 'x'], more: false })],
  ['repeats a page for ever', json({ orders: [order], more: true })],
])('[SRC-10] a reply that %s ends the try with the reason', async (_, listener) => {
  answer = listener
  const { Problem, Misfits } = await tried()
  expect(Problem ?? Misfits[0]?.Wanted ?? '').toMatch(/.{10}/u)
})

test('[SRC-10] long values and bodies are cut', async () => {
  answer = json({ orders: [{ ...order, customer: 'y'.repeat(500_000) }], more: false })
  const result = await tried(guide)
  expect(result.Exchanges[0]).toMatchObject({ Status: 200, Bytes: expect.any(Number) })
  expect(JSON.stringify(result).length).toBeLessThan(100_000)
  expect(result.Exchanges[0]?.Bytes).toBeGreaterThan(500_000)
})

test.each([
  ['aliases that multiply', `a: &a [1,2]\nb: &b [*a,*a]\nc: [*b,*b]\n`],
  ['deep nesting', `streams: ${'['.repeat(20_000)}`],
  ['members of prototypes', '__proto__: { engine: rest }\nconstructor: x\n'],
  ['half a million colons', ':'.repeat(500_000)],
  ['another tag', 'engine: !!js/function "x"\n'],
])('[SRC-10] a description with %s has problems with line and column', async (_, text) => {
  const { status, body } = await app.as.superadmin.call(workbench.check, { body: { text } })
  expect([status, body.Problems.length > 0, body.Problems.every(({ Line, Column }) => Line > 0 && Column > 0)]).toEqual(
    [200, true, true],
  )
})

test.each([
  ['openapi', 'nested maps', `openapi: 3.0.0\npaths: ${'{a: '.repeat(5_000)}`],
  ['openapi', 'a reference to itself', '{"openapi":"3.0.0","paths":{"/a":{"$ref":"#/paths/~1a"}}}'],
  ['openapi', 'nested lists', `{"openapi":"3.0.0","paths":${'['.repeat(100_000)}`],
  ['metadata', 'an entity', '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><edmx:Edmx>&e;</edmx:Edmx>'],
  ['metadata', 'nested elements', '<a>'.repeat(100_000)],
  ['sample', 'nested lists', `${'['.repeat(200_000)}${']'.repeat(200_000)}`],
  ['sample', 'members of prototypes', '[{"__proto__":{"a":1},"constructor":2}]'],
] as const)('[SRC-10] a document of the kind %s with %s is refused with words, or drafted', async (kind, _, text) => {
  const { status, body } = await app.as.superadmin.call(workbench.draft, { body: { kind, text } })
  expect([200, 422]).toContain(status)
  expect(JSON.stringify(body)).not.toContain('root:')
})

test('[SRC-10] more proofs than the server takes at once are refused, and the next one succeeds', async () => {
  const prove = () =>
    app.as.superadmin.call(workbench.prove, { body: { text: guide, stream: 'order', kind: 'simulated' } })
  const replies = await Promise.all([prove(), prove(), prove(), prove()])
  const codes = replies.map(({ status, body }) =>
    status === 200 ? 'proven' : (body as unknown as { code: string }).code,
  )
  expect(codes.toSorted()).toEqual(['proven', 'proven', 'workbenchBusy', 'workbenchBusy'])
  expect((await prove()).status).toBe(200)
})

test('[SRC-10] a try and a proof that take too long end with the reason; checks that did not end are not proven', async () => {
  answer = () => undefined
  const context = {
    actor: { userId: app.idOf('superadmin'), role: 'superadmin' },
    organisationId: null,
    address: '127.0.0.1',
    reference: 'test',
  }
  const caller = { auditContext: context as never, signal: new AbortController().signal }
  const input = { text: guide, values: { key, address } }
  const live = { ...input, stream: 'order', kind: 'live' } as const
  const proofs = await proveWorkbenchStream(app.services, caller, live, 50)
  expect(proofs.map(({ check, verdict }) => `${check} ${verdict}`)).toEqual(
    ['paging', 'types', 'order', 'limits'].map((check) => `${check} notProven`),
  )
  expect(proofs[0]?.why).toMatch(/did not end within/u)
  answer = (_, reply) => void reply.writeHead(200, { 'content-length': '900' }).write('{"orders": [')
  const cut = await tryWorkbenchStream(app.services, caller, { ...input, pages: 1 }, 200)
  expect(cut.problem).toMatch(/^Reading ended after 0\.2 seconds/u)
  expect(cut.exchanges.map(({ status }) => status)).toEqual([null])
})

test('[SRC-10] [SRC-7] no description reaches a metadata service, the store or another port of this computer', async () => {
  const before = calls.length
  const forbidden = [
    'http://169.254.169.254/',
    `http://127.0.0.1:${app.connection.port ?? 5432}/`,
    'http://localhost:1/',
  ]
  for (const base of forbidden) {
    const { hostname } = new URL(base)
    const text = guide.replace(/^hosts:.*$/mu, `hosts: [${hostname}]`)
    const body = { text, values: { key, address: base }, pages: 1 }
    const reply = await app.as.superadmin.call(workbench.try, { body })
    const rows = reply.status === 422 ? 0 : reply.body.Tables.reduce((sum, { RowsRead }) => sum + RowsRead, 0)
    expect([rows, reply.status === 422 || reply.body.Problem !== null]).toEqual([0, true])
  }
  expect(calls).toHaveLength(before)
})
