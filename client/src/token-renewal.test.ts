import type { SessionReply } from '@tributary/contract/sign-in'
import { afterEach, expect, test } from 'vitest'
import { createClient } from './create-client.ts'
import { createTokenRenewal, type SessionStore } from './token-renewal.ts'

const { fetch } = globalThis
afterEach(() => {
  globalThis.fetch = fetch
})

const sessionWith = (accessToken: string) => ({ accessToken }) as SessionReply
const notSignedIn = () => Response.json({ code: 'notSignedIn', message: 'Unauthorized' }, { status: 401 })

/** A server that accepts only the token 'new', and a client whose token is 'old'. */
function openClient(changes: Partial<SessionStore> = {}, refresh = () => Response.json(sessionWith('new'))) {
  const requests: string[] = []
  const events: string[] = []
  let token: string | null = 'old'
  globalThis.fetch = async (input, init = {}) => {
    const address = String(input)
    requests.push(address)
    if (address === '/api/auth/refresh') return refresh()
    return new Headers(init.headers).get('authorization') === 'Bearer new' ? Response.json([]) : notSignedIn()
  }
  const session: SessionStore = {
    readToken: () => token,
    store(renewed) {
      token = renewed.accessToken
      return true
    },
    end: () => void events.push('ended'),
    ...changes,
  }
  const { call } = createClient({ session, renewal: createTokenRenewal(session) })
  return { call, requests, events }
}

test('calls that are refused together share one renewal and are repeated', async () => {
  const { call, requests } = openClient()
  expect(await Promise.all([call('GET /roles'), call('GET /statuses')])).toEqual([[], []])
  expect(requests.filter((address) => address === '/api/auth/refresh')).toHaveLength(1)
  expect(requests).toHaveLength(5)
})

test('a session that the application rejects is not used, and the first error is thrown', async () => {
  const { call, requests, events } = openClient({ store: () => false })
  await expect(call('GET /roles')).rejects.toMatchObject({ code: 'notSignedIn', isSignedOut: true })
  expect(requests).toEqual(['/api/roles', '/api/auth/refresh'])
  expect(events).toEqual(['ended'])
})

test('no renewal is attempted where the browser sends no refresh cookie', async () => {
  const { call, requests } = openClient({ mayRenew: () => false })
  await expect(call('GET /roles')).rejects.toThrow(
    'Your session has ended. Sign in again to continue where you stopped.',
  )
  expect(requests).toEqual(['/api/roles'])
})

test('a server that fails during a renewal does not end the session', async () => {
  const { call, events } = openClient({}, () => new Response(null, { status: 503 }))
  await expect(call('GET /roles')).rejects.toMatchObject({ statusCode: 503, isTransient: true })
  expect(events).toEqual([])
})

test('a reply that breaks off or cannot be read counts as unreachable, because the call may have taken effect', async () => {
  globalThis.fetch = async () => new Response('<html>', { headers: { 'content-type': 'text/html' } })
  const session: SessionStore = { readToken: () => null, store: () => true }
  const { call } = createClient({ session, renewal: createTokenRenewal(session) })
  await expect(call('GET /roles')).rejects.toMatchObject({ statusCode: 0, code: 'unreachable', isTransient: true })
})
