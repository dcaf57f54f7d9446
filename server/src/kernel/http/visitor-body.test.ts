/** Limits for request bodies of callers without an account: size, nesting and rate. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { FaultReply } from '@tributary/contract/faults'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'

let app: TestApp
let port: number

beforeAll(async () => {
  app = await testApp({ env: { TRIBUTARY_LIMITS: 'on', TRIBUTARY_RATE_VISITOR: '40' } })
  await app.http.listen({ port: 0, host: '127.0.0.1' })
  ;({ port } = app.http.server.address() as { port: number })
})
afterAll(() => app[Symbol.asyncDispose]())

async function post(path: string, body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) {
  const reply = await fetch(`http://127.0.0.1:${port}/api${path}`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', ...headers },
  })
  const text = await reply.text()
  return { status: reply.status, length: text.length, body: JSON.parse(text) as FaultReply }
}

test('a visitor’s body is read up to 32 KiB and no further', async () => {
  expect(await post('/auth/signin', `"${'x'.repeat(33_000)}"`)).toMatchObject({
    status: 413,
    body: { code: 'tooLarge', message: 'The request is larger than 32 KiB. Send less at once.' },
  })
})

test.each([
  ['33 lists within each other', `${'['.repeat(33)}${']'.repeat(33)}`, 'tooDeep'],
  ['33 objects within each other', `${'{"a":'.repeat(33)}1${'}'.repeat(33)}`, 'tooDeep'],
  ['a key that comes twice', '{"emailAddress":"a@b.example","emailAddress":"c@d.example","password":"x"}', 'malformed'],
  [
    'a key that comes twice, once escaped',
    String.raw`{"emailAddress":"a@b.example","\u0065mailAddress":"c@d.example"}`,
    'malformed',
  ],
  ['a key that comes twice deep inside', '{"a":[{"b":1,"c":{"d":1,"d":2}}]}', 'malformed'],
  ['the name of the prototype', '{"__proto__":{"admin":true}}', 'malformed'],
  ['half a text', '{"emailAddress":"', 'malformed'],
  ['nothing', '', 'malformed'],
])('%s is refused with 400', async (_, body, code) => {
  expect(await post('/auth/signin', body)).toMatchObject({ status: 400, body: { code } })
})

test('invalid UTF-8 is refused with 400; equal keys in two objects are accepted', async () => {
  const bytes = Buffer.concat([Buffer.from('{"emailAddress":"a'), Buffer.from([0xc3, 0x28]), Buffer.from('"}')])
  expect(await post('/auth/signin', new Uint8Array(bytes))).toMatchObject({ status: 400, body: { code: 'malformed' } })
  const { body } = await post('/auth/signin', '{"a":{"x":1},"b":{"x":"a\\"x\\":"}}')
  expect(body).toMatchObject({ code: 'badInput', fields: { a: expect.any(String), b: expect.any(String) } })
})

test('at most 20 fields are named, and a long name is cut', async () => {
  const many = Object.fromEntries(Array.from({ length: 2_000 }, (_, at) => [`field${at}`, at]))
  const { status, length, body } = await post('/auth/signin', JSON.stringify(many))
  expect([status, Object.keys(body.fields ?? {}).length]).toEqual([400, 20])
  expect(length).toBeLessThan(4_000)
  const long = await post('/auth/signin', JSON.stringify({ ['k'.repeat(20_000)]: 1 }))
  expect(long.length).toBeLessThan(1_000)
})

test('a caller without a session is refused before its body is read', async () => {
  for (const [path, type, status] of [
    ['/users', 'application/json', '401'],
    ['/auth/signin', 'text/plain', '400'],
    ['/auth/signin', 'application/xml', '400'],
  ] as const) {
    const socket = connect(port, '127.0.0.1')
    // Nothing of the body ever comes.
    socket.write(
      `POST /api${path} HTTP/1.1\r\nHost: localhost:3000\r\nContent-Type: ${type}\r\nContent-Length: 20000\r\n\r\n`,
    )
    const [answer] = (await once(socket, 'data')) as [Buffer]
    expect(answer.toString('utf8')).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    socket.destroy()
  }
})

test('malformed calls count against the address', async () => {
  let last = 0
  for (let call = 0; call < 45 && last !== 429; call += 1) last = (await post('/auth/signin', '[[[')).status
  expect(last).toBe(429)
})
