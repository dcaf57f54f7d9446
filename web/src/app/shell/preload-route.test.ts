import { afterEach, expect, test } from 'vitest'
import { call } from '../../api/call.ts'
import { fakeServer } from '@tributary/testing/web/fake-server.ts'
import { harbour, leave, signedInAs } from '@tributary/testing/web/render-app.tsx'
import { routes } from '../routes.ts'
import { preloadRequests, preloadRoute } from './preload-route.ts'

afterEach(() => {
  delete window.preloadedRequests
  leave()
})

function signIn(): string[] {
  signedInAs({ accessToken: 'mine' })
  return fakeServer({ 'GET /organisations': () => [harbour] })
}

function navigate(path: string, address: string, params: Readonly<Record<string, string | undefined>> = {}): void {
  const route = routes.find((one) => one.path === path)
  if (route === undefined) throw new Error(`The route table has no ${path}.`)
  const request = new Request(`http://localhost:3000${address}`)
  preloadRoute(route, { request, params } as Parameters<typeof preloadRoute>[1])
}

test('a request is preloaded once, with the values of its address, and only if it has all of them', async () => {
  const received = signIn()
  const templates = ['/organisations', '/loads/{loadId}?orgId={org}&timeZone={zone}', '/tie-out/{of}']
  preloadRequests(templates, { loadId: 'a/b' })
  preloadRequests(templates, { loadId: 'a/b' })
  expect(received).toEqual(['GET /organisations', 'GET /api/loads/a%2Fb'])
  expect(Object.keys(window.preloadedRequests ?? {})).toEqual([
    '/api/organisations',
    `/api/loads/a%2Fb?orgId=${harbour.Id}&timeZone=Europe%2FLondon`,
  ])
  expect(await call('GET /organisations')).toEqual([harbour])
  expect(received).toHaveLength(2)
})

test.each([
  ['for a visitor', () => leave()],
  ['for a user who must first choose a password', () => signedInAs({ mustChangePassword: true })],
  ['with a token that is about to expire', () => signedInAs({ accessToken: createTokenExpiringIn(4_000) })],
])('nothing is preloaded %s', (_, prepare) => {
  const received = signIn()
  prepare()
  preloadRequests(['/organisations'], {})
  expect(received).toEqual([])
})

function createTokenExpiringIn(ms: number): string {
  return `header.${btoa(JSON.stringify({ exp: (Date.now() + ms) / 1_000 }))}.signature`
}

test.each([
  ['/excel/areas', {}, ['/api/areas']],
  ['/excel/areas?search=a', {}, []],
  ['/excel/loads', { loadId: undefined }, ['/api/loads/tables', '/api/loads']],
  ['/excel/loads/7', { loadId: '7' }, ['/api/loads/7', '/api/loads/7/changes']],
])('the first requests of the page at %s depend on its parameters and its query', (address, params, expected) => {
  const received = signIn()
  navigate(address.startsWith('/excel/loads') ? '/excel/loads/:loadId?' : '/excel/areas', address, params)
  expect(received).toEqual(expected.map((path) => `GET ${path}`))
})

test('nothing is preloaded for a page that refuses the role', () => {
  const received = signIn()
  signedInAs({ role: 'guest', roleLevel: 4 })
  navigate('/excel/areas', '/excel/areas')
  expect(received).toEqual([])
})

test('nothing is preloaded for an auditor, whom Home sends to their room', () => {
  const received = signIn()
  signedInAs({ auditorUntil: '2026-12-28T00:00:00.000Z' })
  navigate('/home', '/home')
  expect(received).toEqual([])
})
