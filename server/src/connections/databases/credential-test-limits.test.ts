import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import type { FaultReply } from '@tributary/contract/faults'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'
import { withTimeout } from './with-timeout.ts'

let app: TestApp
beforeEach(async () => {
  app = await testApp({ env: { TRIBUTARY_LIMITS: 'on' } })
})
afterEach(() => app[Symbol.asyncDispose]())

const blank = { host: '', database: '', schema: '', user: '', password: '' }

test('after ten tests and savings of credentials in an hour a person and an organisation must wait, whichever form they use', async () => {
  const path = `/api/organisations/${app.harbour.id}/database-credentials`
  for (let n = 0; n < 10; n += 1) expect((await app.as.admin.send('POST', path, { body: blank })).status).toBe(200)
  const refused = await app.as.admin.send<FaultReply>('POST', path, { body: blank })
  expect([refused.status, refused.body.code, Number(refused.headers['retry-after']) > 0]).toEqual([
    429,
    'tooMany',
    true,
  ])
  const connectors = `/api/tributary/clients/${app.harbour.id}/connectors`
  const body = { type: 'cin7', name: 'Stock', properties: [] }
  expect((await app.as.superadmin.send('POST', connectors, { body })).status).toBe(429)
  expect(
    (await app.as.otherAdmin.send('POST', `/api/organisations/${app.summit.id}/database-credentials`, { body: blank }))
      .status,
  ).toBe(200)
  app.clock.advance(60_000)
  expect((await app.as.admin.send('POST', path, { body: blank })).status).toBe(200)
})

test('at most three connection tests of one host have a socket open', async () => {
  let [now, most] = [0, 0]
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    setTimeout(() => socket.end(), 30)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const network = {
    async dial(host: string) {
      most = Math.max(most, (now += 1))
      // Counted on the client side: the server sees a close later, possibly after the next connection.
      const socket = connect(port, host).on('error', () => undefined)
      socket.on('close', () => (now -= 1))
      await once(socket, 'connect')
      return socket.resume()
    },
  }
  const dialled = Array.from({ length: 12 }, () =>
    withTimeout({ ...app.services, network }, new AbortController().signal, 10_000, ({ network: limited, signal }) =>
      limited.dial('127.0.0.1', port, signal, 'http'),
    ),
  )
  await Promise.all(dialled)
  expect(most).toBe(3)
  server.close()
})

test('a list that has not changed is answered with 304 to a caller that sends its ETag', async () => {
  const path = `/api/tributary/clients/${app.harbour.id}/connectors`
  const first = await app.as.admin.send('GET', path)
  const etag = String(first.headers['etag'])
  const again = await app.as.admin.send('GET', path, { headers: { 'if-none-match': etag } })
  expect([first.status, again.status, again.body]).toEqual([200, 304, null])
  const other = await app.as.otherAdmin.send('GET', `/api/tributary/clients/${app.summit.id}/connectors`, {
    headers: { 'if-none-match': '"other"' },
  })
  expect(other.status).toBe(200)
})
