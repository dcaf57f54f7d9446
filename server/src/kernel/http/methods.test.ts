import type { FaultReply } from '@tributary/contract/faults'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  addressOf,
  everyRoute,
  insertFixtures,
  type NamedRoute,
  type RouteFixtures,
} from '@tributary/testing/server/app/every-route.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND'] as const
type AnyMethod = (typeof methods)[number] | 'OPTIONS'

let app: TestApp
let things: RouteFixtures
beforeAll(async () => {
  app = await testApp()
  things = await insertFixtures(app, app.harbour, app.idOf('user'))
})
afterAll(() => app[Symbol.asyncDispose]())

async function send(method: AnyMethod, url: string, more: Readonly<Record<string, string>> = {}) {
  const { accessToken = '' } = (await app.as.superadmin.session()) ?? {}
  const headers = { authorization: `Bearer ${accessToken}`, host: 'localhost:3000', ...more }
  return app.http.inject({ method: method as 'GET', url, headers })
}

/** The methods of each path in the contract. */
const taken = new Map<string, Set<string>>()
for (const { route } of everyRoute) {
  const shape = shapeOf(route.path)
  const names = route.method === 'GET' && route.changes !== true ? ['GET', 'HEAD'] : [route.method]
  taken.set(shape, new Set([...(taken.get(shape) ?? []), ...names]))
}

function shapeOf(path: string): string {
  return path.replaceAll(/:\w+/gu, ':')
}

const samples = [...new Map(everyRoute.map((named) => [shapeOf(named.route.path), named])).values()]

describe.each(samples)('[API-1] [$route.path]', (named: NamedRoute) => {
  test('replies to OPTIONS with the allowed methods, and to other methods with 405 and the same list', async () => {
    const [path = ''] = addressOf(named, things).split('?')
    const own = taken.get(shapeOf(named.route.path)) ?? new Set()
    const allow = [...own, 'OPTIONS'].toSorted().join(', ')
    const asked = await send('OPTIONS', path)
    expect([asked.statusCode, asked.headers['allow'], asked.body]).toEqual([204, allow, ''])
    for (const method of methods.filter((one) => !own.has(one))) {
      const refused = await send(method, path)
      expect([method, refused.statusCode, refused.headers['allow']]).toEqual([method, 405, allow])
      if (method !== 'HEAD') expect(refused.json<FaultReply>()).toMatchObject({ code: 'methodNotAllowed' })
    }
  })
})

test.each(
  everyRoute.filter(({ route }) => route.method === 'GET' && route.changes !== true && route.allow !== 'visitor'),
)('[API-1] HEAD answers as $name does, without a body', async (named) => {
  const path = addressOf(named, things)
  const head = await send('HEAD', path)
  // A stream of events ends with the run; the one here has ended.
  const get = await send('GET', path)
  expect([head.statusCode, head.body]).toEqual([get.statusCode, ''])
  expect(head.headers['content-type']).toEqual(get.headers['content-type'])
})

test('[API-1] a GET route that changes something refuses HEAD', async () => {
  for (const path of [
    `/api/organisations/${app.harbour.id}/database-table-sync`,
    `/api/token/${things.tokenId}/sync-tables`,
    '/api/registration/finalise?code=nonsense',
    '/api/authorise/xero?state=x',
    '/api/authorise/xero/callback',
    '/api/auth/external/microsoft',
    '/api/auth/external/microsoft/callback',
  ])
    expect([path, (await send('HEAD', path)).statusCode]).toEqual([path, 405])
})

test('[API-1] pages, documents and health checks accept HEAD, and reply 405 to other methods', async () => {
  for (const path of ['/healthz', '/readyz', '/api/openapi.json', '/api/docs']) {
    const [get, head, wrong] = [await send('GET', path), await send('HEAD', path), await send('DELETE', path)]
    expect([path, head.statusCode, head.body, head.headers['content-type']]).toEqual([
      path,
      get.statusCode,
      '',
      get.headers['content-type'],
    ])
    expect([path, wrong.statusCode, wrong.headers['allow']]).toEqual([path, 405, 'GET, HEAD, OPTIONS'])
  }
})

test('[API-1] an unknown path replies 404 to every method, and another site may send OPTIONS but no call', async () => {
  for (const method of [...methods, 'OPTIONS'] as const)
    expect((await send(method, '/api/nothing-here')).statusCode).toBe(404)
  const origin = { origin: 'https://elsewhere.example' }
  const asked = await send('OPTIONS', '/api/areas', origin)
  expect([asked.statusCode, asked.headers['access-control-allow-origin']]).toEqual([204, undefined])
  expect((await send('DELETE', '/api/areas', origin)).json<FaultReply>().code).toBe('otherSite')
})
