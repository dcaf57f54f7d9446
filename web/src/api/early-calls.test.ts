import { afterEach, expect, test } from 'vitest'
import { fakeServer } from '@tributary/testing/web/fake-server.ts'
import { harbour, leave, signedInAs } from '@tributary/testing/web/render-app.tsx'
import { call } from './call.ts'

const address = '/api/organisations'
const early = { ...harbour, CompanyName: 'Early' }

function askedEarly(answer: Response | null, { token = 'mine', agoMs = 0 } = {}): void {
  window.earlyCalls = { token, at: performance.now() - agoMs, answers: { [address]: Promise.resolve(answer) } }
}

function begin(): string[] {
  signedInAs({ accessToken: 'mine' })
  return fakeServer({ 'GET /organisations': () => [harbour] })
}

afterEach(() => {
  delete window.earlyCalls
  leave()
})

test('what was asked for before the code was here is taken once, and asked for anew afterwards', async () => {
  const received = begin()
  askedEarly(Response.json([early]))
  expect(await call('GET /organisations')).toEqual([early])
  expect(received).toEqual([])
  expect(await call('GET /organisations')).toEqual([harbour])
})

test.each([
  ['did not arrive', () => askedEarly(null)],
  ['was no success', () => askedEarly(new Response(null, { status: 401 }))],
  ['was made in the name of a former session', () => askedEarly(Response.json([early]), { token: 'former' })],
  ['nobody took for ten seconds', () => askedEarly(Response.json([early]), { agoMs: 10_001 })],
] as const)('an early call that %s is made anew', async (_, ask) => {
  const received = begin()
  ask()
  expect(await call('GET /organisations')).toEqual([harbour])
  expect(received).toEqual(['GET /organisations'])
})
