import { act, renderHook } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { fakeServer, fault } from '@tributary/testing/web/fake-server.ts'
import { harbour, leave, session, signedInAs } from '@tributary/testing/web/render-app.tsx'
import { call } from './call.ts'
import { CallError } from '@tributary/client/call-error'
import { resolveReAuthentication, useReAuthenticationRequested } from './session/re-authentication.ts'
import { readIdentity, readToken, storeSession } from './session/session.ts'

const unauthorised = () => fault(401, 'notSignedIn', 'Unauthorized')

afterEach(leave)

test('[SHELL-13] an expired token is renewed once for concurrent calls, and each call is repeated', async () => {
  signedInAs({ accessToken: 'old' })
  const received = fakeServer({
    'POST /auth/refresh': () => session({ accessToken: 'new' }),
    'GET /organisations': ({ token }) => (token === 'new' ? [harbour] : unauthorised()),
    'GET /roles': ({ token }) => (token === 'new' ? [] : unauthorised()),
  })
  const [organisations, roles] = await Promise.all([call('GET /organisations'), call('GET /roles')])
  expect(organisations).toEqual([harbour])
  expect(roles).toEqual([])
  expect(received.filter((name) => name === 'POST /auth/refresh')).toHaveLength(1)
  expect(readToken()).toBe('new')
})

/** @param seconds from now until the token expires */
const tokenFor = (name: string, seconds: number) =>
  `head.${btoa(JSON.stringify({ name, exp: Math.floor(Date.now() / 1_000) + seconds }))}.signature`

test('[SHELL-13] an expired token is renewed before it is sent, so that no request fails', async () => {
  const [old, next] = [tokenFor('old', -60), tokenFor('next', 900)]
  signedInAs({ accessToken: old })
  const tokens: (string | null)[] = []
  const received = fakeServer({
    'POST /auth/refresh': () => session({ accessToken: next }),
    'GET /organisations': ({ token }) => {
      tokens.push(token)
      return token === next ? [harbour] : unauthorised()
    },
  })
  await Promise.all([call('GET /organisations'), call('GET /organisations')])
  expect(tokens).toEqual([next, next])
  expect(received.filter((name) => name === 'POST /auth/refresh')).toHaveLength(1)
})

test('[SHELL-13] a session that cannot be renewed when its token expires ends without another request', async () => {
  signedInAs({ accessToken: tokenFor('old', 2) })
  const received = fakeServer({ 'POST /auth/refresh': unauthorised, 'GET /organisations': unauthorised })
  await expect(call('GET /organisations')).rejects.toMatchObject({ statusCode: 401 })
  expect(received).toEqual(['POST /auth/refresh'])
  expect(readIdentity()).toBeNull()
})

test('[SHELL-13] a token that another tab has renewed is used without another renewal', async () => {
  signedInAs({ accessToken: 'old' })
  const received = fakeServer({
    'GET /organisations': ({ token }) => {
      if (token === 'from-another-tab') return [harbour]
      storeSession(session({ accessToken: 'from-another-tab' }))
      return unauthorised()
    },
  })
  expect(await call('GET /organisations')).toEqual([harbour])
  expect(received).toEqual(['GET /organisations', 'GET /organisations'])
})

test('[SHELL-13] a session that cannot be renewed ends, and its stored data is cleared', async () => {
  signedInAs()
  localStorage.setItem('organisations', '[]')
  fakeServer({ 'POST /auth/refresh': unauthorised, 'GET /organisations': unauthorised })
  await expect(call('GET /organisations')).rejects.toMatchObject({ statusCode: 401 })
  expect(readIdentity()).toBeNull()
  expect(localStorage.getItem('organisations')).toBeNull()
  expect(document.cookie).not.toContain('logged_in=')
})

test('[SHELL-13] the message Unauthorized ends the session whatever the status', async () => {
  signedInAs()
  fakeServer({ 'POST /auth/refresh': unauthorised, 'GET /roles': () => fault(400, 'badInput', 'Unauthorized') })
  await expect(call('GET /roles')).rejects.toBeInstanceOf(CallError)
  expect(readIdentity()).toBeNull()
})

test('calls that require re-authentication share one dialog, are repeated after it, and fail if the user declines', async () => {
  signedInAs()
  const { unmount } = renderHook(useReAuthenticationRequested)
  let isReAuthenticated = false
  const required = () => fault(403, 'proofNeeded', 'Prove first that it is you.')
  const received = fakeServer({
    'GET /roles': () => (isReAuthenticated ? [] : required()),
    'GET /organisations': () => (isReAuthenticated ? [harbour] : required()),
  })
  const both = Promise.all([call('GET /roles'), call('GET /organisations')])
  await expect.poll(() => received.length).toBe(2)
  isReAuthenticated = true
  act(() => resolveReAuthentication(true))
  expect(await both).toEqual([[], [harbour]])
  expect(received).toHaveLength(4)

  isReAuthenticated = false
  const declined = call('GET /roles')
  await expect.poll(() => received.length).toBe(5)
  act(() => resolveReAuthentication(false))
  await expect(declined).rejects.toMatchObject({ code: 'proofNeeded' })
  unmount()
  await expect(call('GET /roles')).rejects.toMatchObject({ code: 'proofNeeded' })
  expect(received).toHaveLength(6)
})

test('[SEE-12] a call that needs a second factor, too, asks for one proof after the other, and for each once', async () => {
  signedInAs()
  const { result, unmount } = renderHook(useReAuthenticationRequested)
  const proven = new Set<string>()
  fakeServer({
    'GET /roles': () => {
      if (!proven.has('any')) return fault(403, 'proofNeeded', 'Prove first that it is you.')
      return proven.has('secondFactor') ? [] : fault(403, 'factorNeeded', 'Confirm with your second factor first.')
    },
  })
  const pending = call('GET /roles')
  for (const wanted of ['any', 'secondFactor'] as const) {
    await expect.poll(() => result.current).toBe(wanted)
    proven.add(wanted)
    act(() => resolveReAuthentication(true))
  }
  expect(await pending).toEqual([])
  proven.clear()
  proven.add('any')
  const again = call('GET /roles')
  await expect.poll(() => result.current).toBe('secondFactor')
  act(() => resolveReAuthentication(true))
  await expect(again).rejects.toMatchObject({ code: 'factorNeeded' })
  unmount()
})

test('[SHELL-13] a wrong password while signed in does not end the session', async () => {
  signedInAs()
  const received = fakeServer({
    'POST /auth/signin': () => fault(401, 'wrongSecret', 'Please check your email address and password.'),
  })
  await expect(
    call('POST /auth/signin', { body: { emailAddress: 'a@b.example', password: 'x' } }),
  ).rejects.toMatchObject({
    statusCode: 401,
  })
  expect(received).toEqual(['POST /auth/signin'])
  expect(readIdentity()).not.toBeNull()
})

test('a server that cannot be reached during a renewal does not end the session', async () => {
  signedInAs()
  fakeServer({ 'POST /auth/refresh': () => fault(503, 'unavailable', 'In a moment.'), 'GET /roles': unauthorised })
  await expect(call('GET /roles')).rejects.toMatchObject({ statusCode: 503 })
  expect(readIdentity()).not.toBeNull()
})

test('a failure has the message, the code, the reference and the fields of the server', async () => {
  fakeServer({ 'GET /roles': () => fault(422, 'settingsWrong', 'Host is missing.', { host: 'required' }) })
  await expect(call('GET /roles')).rejects.toMatchObject({
    statusCode: 422,
    code: 'settingsWrong',
    message: 'Host is missing.',
    reference: 'reference-1',
    fields: { host: 'required' },
  })
})

test('[API-8] without a role in the reply, the role of the token counts, in lowercase', () => {
  const token = `x.${btoa(JSON.stringify({ role: 'SuperAdmin' }))}.x`
  signedInAs({ accessToken: token, role: '' })
  expect(readIdentity()?.role).toBe('superadmin')
})

test('[SHELL-12] signing in sets the specified cookies and storage keys', () => {
  signedInAs()
  expect(document.cookie).toContain('logged_in=true')
  expect(document.cookie).toContain('logged_in_name=Amara')
  expect(Object.keys(localStorage).toSorted()).toEqual(expect.arrayContaining(['jwt', 'user']))
})
