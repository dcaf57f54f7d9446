import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app[Symbol.asyncDispose]())

async function inStore(text: string): Promise<void> {
  const client = new Client(app.connection)
  await client.connect()
  await client.query(text)
  await client.end()
}

async function readiness(of: TestApp = app): Promise<readonly [number, unknown]> {
  const { status, body } = await of.as.visitor.send<{ status: string }>('GET', '/readyz')
  return [status, body]
}

test('a process is ready if its database is reachable and migrated and its queue works; otherwise it names the cause', async () => {
  expect(await readiness()).toEqual([200, { status: 'ready' }])
  await inStore(`UPDATE migration SET name = 'x-' || name WHERE name LIKE '0002%'`)
  expect(await readiness()).toEqual([503, { status: 'migrations' }])
  await inStore(`UPDATE migration SET name = replace(name, 'x-', '')`)
  await inStore('ALTER TABLE tributary_queue.version RENAME TO version_away')
  expect(await readiness()).toEqual([503, { status: 'queue' }])
  await inStore('ALTER TABLE tributary_queue.version_away RENAME TO version')
  expect(await readiness()).toEqual([200, { status: 'ready' }])
})

test('a worker without API routes reports liveness and readiness, too', async () => {
  await using worker = await testApp({ env: { TRIBUTARY_ROLE: 'worker' } })
  expect((await worker.as.visitor.send('GET', '/healthz')).status).toBe(200)
  expect(await readiness(worker)).toEqual([200, { status: 'ready' }])
  expect((await worker.as.visitor.send('GET', '/api/users')).status).toBe(404)
})

test('a stopping process is alive but not ready, and closes connections so that clients reach another one', async () => {
  await using leaving = await testApp()
  leaving.services.lifecycle.leave()
  expect(await readiness(leaving)).toEqual([503, { status: 'draining' }])
  const { status, headers } = await leaving.as.visitor.send('GET', '/healthz')
  expect([status, headers['connection']]).toEqual([200, 'close'])
})
