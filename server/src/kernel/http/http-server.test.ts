import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import type { FaultReply } from '@tributary/contract/faults'
import { bodyMaxBytes } from '@tributary/contract/limits'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { openClosableProxy } from '@tributary/testing/server/processes/closable-proxy.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app[Symbol.asyncDispose]())

const right = { emailAddress: 'user@demo.example', password: 'wrong-1' }
function signIn(body: unknown, headers: Readonly<Record<string, string>> = {}, on: TestApp = app) {
  return on.as.visitor.send<FaultReply>('POST', '/api/auth/signin', { body, headers })
}

test('every failure has one shape, and its reference is in the log', async () => {
  const { status, body } = await app.as.admin.send<FaultReply>('GET', '/api/nothing-here')
  expect([status, body]).toEqual([
    404,
    {
      statusCode: 404,
      error: 'Not Found',
      message: expect.stringContaining('There is nothing here'),
      code: 'notFound',
      reference: expect.any(String),
    },
  ])
  expect(app.logLines.join('')).toContain(body.reference)
})

test('invalid JSON, or another content type, is refused with 400', async () => {
  for (const headers of [
    {},
    { 'content-type': 'text/plain' },
    { 'content-type': 'application/x-www-form-urlencoded' },
    { 'content-type': 'multipart/form-data' },
  ]) {
    const reply = await signIn('{"emailAddress":', { 'content-type': 'application/json', ...headers })
    expect([reply.status, reply.body.code]).toEqual([400, 'malformed'])
  }
  expect((await signIn('{"__proto__": {"admin": true}, "emailAddress": "a", "password": "b"}')).status).toBe(400)
})

test('a long reply is compressed if the caller accepts it, with the same content; a short one is not', async () => {
  const { accessToken = '' } = (await app.as.admin.session()) ?? {}
  const get = (path: string, encodings: string) =>
    app.http.inject({
      url: `/api${path}`,
      headers: { authorization: `Bearer ${accessToken}`, 'accept-encoding': encodings, host: 'localhost:3000' },
    })
  const types = '/tributary/clients/connector-types'
  const plain = await get(types, 'identity')
  expect([plain.statusCode, plain.headers['content-encoding']]).toEqual([200, undefined])
  for (const [encodings, encoding, unpack] of [
    ['gzip, deflate, br', 'br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
  ] as const) {
    const compressed = await get(types, encodings)
    expect([compressed.headers['content-encoding'], compressed.headers['vary']]).toEqual([encoding, 'accept-encoding'])
    expect(compressed.rawPayload.length * 3).toBeLessThan(plain.rawPayload.length)
    expect(unpack(compressed.rawPayload)).toEqual(plain.rawPayload)
  }
  expect((await get('/organisations', 'br')).headers['content-encoding']).toBeUndefined()
  expect((await get('/openapi.json', 'br')).headers['content-encoding']).toBe('br')
})

test('a compressed request body is refused, because it could be a decompression bomb', async () => {
  const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip', host: 'localhost:3000' }
  const payload = gzipSync(JSON.stringify(right))
  const { statusCode } = await app.http.inject({ method: 'POST', url: '/api/auth/signin', headers, payload })
  expect(statusCode).toBe(400)
})

test('text that PostgreSQL cannot store is refused with the name of its field', async () => {
  const nul = await signIn({ ...right, emailAddress: 'a\0b' })
  expect([nul.status, nul.body.code, Object.keys(nul.body.fields ?? {})]).toEqual([400, 'badInput', ['emailAddress']])
  const half = await app.as.admin.send<FaultReply>(
    'PATCH',
    `/api/tributary/clients/${app.harbour.id}/connectors/${app.summit.id}/properties`,
    {
      body: [{ name: 'source.connectionString', value: { host: '\ud800' } }],
    },
  )
  expect([half.status, Object.keys(half.body.fields ?? {})]).toEqual([400, ['0.value.host']])
  const search = await app.as.admin.send<FaultReply>('GET', '/api/users?search=%00')
  expect([search.status, Object.keys(search.body.fields ?? {})]).toEqual([400, ['search']])
})

test('a malformed or overlong URL gets a reply of the same shape', async () => {
  for (const path of ['/api/clients/%zz/shop', `/api/clients/${'x'.repeat(400)}/shop`]) {
    const { status, body, headers } = await app.as.admin.send<FaultReply>('DELETE', path)
    expect([status, body]).toEqual([
      404,
      {
        statusCode: 404,
        error: 'Not Found',
        message: expect.any(String),
        code: 'notFound',
        reference: expect.any(String),
      },
    ])
    expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' })
    expect(app.logLines.join('')).toContain(body.reference)
  }
})

test('more than 1 MiB is refused with 413', async () => {
  const { status, body } = await app.as.admin.send<FaultReply>('POST', '/api/areas', {
    body: { name: 'x'.repeat(bodyMaxBytes) },
  })
  expect([status, body.code, body.message]).toEqual([
    413,
    'tooLarge',
    'The request is larger than 1 MiB. Send less at once.',
  ])
})

test('a refusal names the field and never repeats what was sent', async () => {
  const { status, body } = await signIn({ ...right, password: 'canary'.repeat(100), nonsense: 'canary' })
  expect([status, body.fields]).toEqual([
    400,
    { password: 'must be at most 128 characters long', nonsense: 'is not known here; leave it out' },
  ])
  expect(JSON.stringify(body)).not.toContain('canary')
})

test('a cross-site call is refused, a same-site call is not', async () => {
  const foreign = [
    { origin: 'https://evil.example' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'null' },
  ]
  for (const headers of foreign) expect((await signIn(right, headers)).body.code).toBe('otherSite')
  const own = [
    {},
    { origin: 'http://localhost:3000' },
    { 'sec-fetch-site': 'same-origin', origin: 'http://localhost:3000' },
  ]
  for (const headers of own) expect((await signIn(right, headers)).body.code).toBe('wrongSecret')
})

test('a same-site call is accepted however the operator or a proxy spells the host name', async () => {
  await using other = await testApp({ env: { TRIBUTARY_PUBLIC_URL: 'https://TRIBUTARY.Example:443/' } })
  // Behind a proxy that forwards another host name.
  const host = 'localhost:3000'
  for (const [origin, code] of [
    ['https://tributary.example', 'wrongSecret'],
    ['https://tributary.example:444', 'otherSite'],
    ['http://tributary.example', 'otherSite'],
  ] as const)
    expect((await signIn(right, { origin, host }, other)).body.code).toBe(code)
  for (const [origin, spelt] of [
    ['http://localhost:3000', 'LOCALHOST:3000'],
    ['http://localhost', 'Localhost:80'],
  ] as const)
    expect((await signIn(right, { origin, host: spelt })).body.code).toBe('wrongSecret')
})

test('trial mode answers at localhost only, which prevents DNS rebinding', async () => {
  for (const host of ['evil.example', 'localhost.evil.example', '192.168.1.2:3000']) {
    const reply = await app.as.visitor.send<FaultReply>('GET', '/api/openapi.json', { headers: { host } })
    expect([reply.status, reply.body.message]).toEqual([
      421,
      'Tributary does not answer at this address. Open http://localhost:3000 instead.',
    ])
  }
  for (const host of ['localhost', 'localhost:5173', '127.0.0.1:3000', '[::1]:3000'])
    expect((await app.as.visitor.send('GET', '/healthz', { headers: { host } })).status).toBe(200)
})

test('replies have the headers that prevent framing, caching and access by other origins', async () => {
  const { headers } = await app.as.admin.send('GET', '/api/users')
  expect(headers).toMatchObject({
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
  })
  expect(headers).not.toHaveProperty('x-powered-by')
  expect(headers).not.toHaveProperty('access-control-allow-origin')
})

test('while the database is unreachable, calls get 503 with Retry-After, and they work again afterwards', async () => {
  const door = await openClosableProxy(inject('postgres'))
  await using other = await testApp({ port: door.port })
  await other.as.admin.session()
  door.close()
  const { status, body, headers } = await other.as.admin.send<FaultReply>('GET', '/api/users')
  expect([status, body.code, headers['retry-after']]).toEqual([503, 'unavailable', '5'])
  expect(await other.as.visitor.send('GET', '/readyz')).toMatchObject({ status: 503, body: { status: 'database' } })
  expect((await other.as.visitor.send('GET', '/healthz')).status).toBe(200)
  await door.open()
  expect((await other.as.admin.send('GET', '/api/users')).status).toBe(200)
})

test('no password and no token ever reaches the log', async () => {
  const { accessToken } = await app.as.guest.signIn()
  await signIn({ emailAddress: 'canary@demo.example', password: 'canary-password' })
  await app.as.guest.send('GET', `/api/users?search=canary-search`)
  const log = app.logLines.join('')
  expect(log).not.toContain('canary')
  expect(log).not.toContain(accessToken)
  expect(log).not.toContain('tributary-demo-1')
})

test('input is percent-decoded once, in a path and in a query', async () => {
  const find = async (path: string) => {
    const { status, body } = await app.as.admin.send<readonly { readonly FirstName: string }[]>('GET', path)
    return [status, Array.isArray(body) ? body.map(({ FirstName }) => FirstName) : []]
  }
  const [, everybody] = await find('/api/users')
  const [first = ''] = everybody as string[]
  const coded = `%${first.charCodeAt(0).toString(16)}${first.slice(1)}`
  expect(await find(`/api/%75sers?search=${coded}`)).toEqual([200, [first]])
  expect(await find(`/api/users?search=${coded.replace('%', '%25')}`)).toEqual([200, []])
  expect(await find('/api/%2575sers')).toEqual([404, []])
  expect((await find(`/api/users%2F..%2Froles`))[0]).toBe(404)
  expect((await find(`/api/users/%252e%252e/roles`))[0]).toBe(404)
})
