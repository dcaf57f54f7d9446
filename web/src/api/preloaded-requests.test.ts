import { afterEach, expect, test } from 'vitest'
import { fakeServer } from '@tributary/testing/web/fake-server.ts'
import { harbour, leave, signedInAs } from '@tributary/testing/web/render-app.tsx'
import { call } from './call.ts'

const address = '/api/organisations'
const preloaded = { ...harbour, CompanyName: 'Preloaded' }

function preload(response: Response | null, { token = 'mine', ageMs = 0 } = {}): void {
  const startedAt = performance.now() - ageMs
  window.preloadedRequests = { [address]: { token, startedAt, response: Promise.resolve(response) } }
}

function signIn(): string[] {
  signedInAs({ accessToken: 'mine' })
  return fakeServer({
    'GET /organisations': () => [harbour],
    'POST /auth/signout': () => new Response(null, { status: 204 }),
  })
}

afterEach(() => {
  delete window.preloadedRequests
  leave()
})

test('a preloaded response is taken once; the next call makes a request', async () => {
  const received = signIn()
  preload(Response.json([preloaded]))
  expect(await call('GET /organisations')).toEqual([preloaded])
  expect(received).toEqual([])
  expect(await call('GET /organisations')).toEqual([harbour])
})

test.each([
  ['did not arrive', () => preload(null)],
  ['was not a success', () => preload(new Response(null, { status: 401 }))],
  ['belongs to an earlier session', () => preload(Response.json([preloaded]), { token: 'former' })],
  ['is older than ten seconds', () => preload(Response.json([preloaded]), { ageMs: 10_001 })],
] as const)('a preloaded request that %s is made again', async (_, startPreload) => {
  const received = signIn()
  startPreload()
  expect(await call('GET /organisations')).toEqual([harbour])
  expect(received).toEqual(['GET /organisations'])
})

test('a preloaded response is discarded when data is changed', async () => {
  const received = signIn()
  preload(Response.json([preloaded]))
  await call('POST /auth/signout')
  expect(await call('GET /organisations')).toEqual([harbour])
  expect(received).toEqual(['POST /auth/signout', 'GET /organisations'])
})
