/**
 * Replies of routes that a page polls: clients that kept the reply receive a 304 if it is unchanged, and browsers store
 * none.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addressOf, everyRoute, insertFixtures, type RouteFixtures } from '@tributary/testing/server/app/every-route.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'

let app: TestApp
let things: RouteFixtures
beforeAll(async () => {
  app = await testApp({ env: { TRIBUTARY_LIMITS: 'off' } })
  things = await insertFixtures(app, app.harbour, app.idOf('user'))
})
afterAll(() => app[Symbol.asyncDispose]())

const reads = everyRoute.filter(({ route }) => route.method === 'GET' && route.produces === undefined)
const polled = reads.filter(({ route }) => route.passive === true)

test.each(polled)('$name has an ETag, and no browser stores it', async (named) => {
  const { status, headers } = await app.as.superadmin.send('GET', addressOf(named, things))
  expect(headers['cache-control']).toBe('no-store')
  if (status === 200) expect(headers['etag']).toMatch(/^W\/"[\w-]+"$/u)
})

test('only polled replies have an ETag', async () => {
  const sent = await Promise.all(
    reads.map(async (named) => ({
      name: named.name,
      isPolled: named.route.passive === true,
      reply: await app.as.superadmin.send('GET', addressOf(named, things)),
    })),
  )
  const successful = sent.filter(({ reply }) => reply.status === 200)
  expect(successful.filter(({ isPolled }) => isPolled).length).toBeGreaterThan(3)
  expect(
    successful.filter(({ isPolled, reply }) => 'etag' in reply.headers !== isPolled).map(({ name }) => name),
  ).toEqual([])
})
