import { act, renderHook } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { fakeServer, fault } from '@tributary/testing/web/fake-server.ts'
import { harbour, leave, session, signedInAs } from '@tributary/testing/web/render-app.tsx'
import { call } from './call.ts'
import { CallError } from './call-error.ts'
import { answerProof, useProofAsked } from './session/re-authentication.ts'
import { readIdentity, readToken, storeSession } from './session/session.ts'

const unauthorised = () => fault(401, 'notSignedIn', 'Unauthorized')

afterEach(leave)

test('[SHELL-13] an expired token is renewed once for all calls at a time, and each call is repeated', async () => {
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

/** As the server signs them, with the end in seconds from now. */
const tokenFor = (name: string, seconds: number) =>
  `head.${btoa(JSON.stringify({ name, exp: Math.floor(Date.now() / 1_000) + seconds }))}.signature`

test('[SHELL-13] a token that has run out is renewed before it is used, so that no call of the page fails', async () => {
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

test('[SHELL-13] a session that is over when its token runs out ends without any other call', async () => {
  signedInAs({ accessToken: tokenFor('old', 2) })
  const received = fakeServer({ 'POST /auth/refresh': unauthorised, 'GET /organisations': unauthorised })
  await expect(call('GET /organisations')).rejects.toMatchObject({ statusCode: 401 })
  expect(received).toEqual(['POST /auth/refresh'])
  expect(readIdentity()).toBeNull()
})

test('[SHELL-13] a token that another tab has renewed meanwhile is used as it is', async () => {
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

test('[SHELL-13] a session that cannot be renewed ends, and everything kept goes with it', async () => {
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

test('a call that asks for a fresh proof is repeated once it is given, with others that waited for the same one, and refused without', async () => {
  signedInAs()
  const { unmount } = renderHook(useProofAsked)
  let isProven = false
  const needed = () => fault(403, 'proofNeeded', 'Prove first that it is you.')
  const received = fakeServer({
    'GET /roles': () => (isProven ? [] : needed()),
    'GET /organisations': () => (isProven ? [harbour] : needed()),
  })
  const both = Promise.all([call('GET /roles'), call('GET /organisations')])
  await expect.poll(() => received.length).toBe(2)
  isProven = true
  act(() => answerProof(true))
  expect(await both).toEqual([[], [harbour]])
  expect(received).toHaveLength(4)

  isProven = false
  const refused = call('GET /roles')
  await expect.poll(() => received.length).toBe(5)
  act(() => answerProof(false))
  await expect(refused).rejects.toMatchObject({ code: 'proofNeeded' })
  unmount()
  await expect(call('GET /roles')).rejects.toMatchObject({ code: 'proofNeeded' })
  expect(received).toHaveLength(6)
})

test('[SHELL-13] a wrong password while signed in is an answer, and ends nothing', async () => {
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

test('a server that cannot be reached while renewing ends no session', async () => {
  signedInAs()
  fakeServer({ 'POST /auth/refresh': () => fault(503, 'unavailable', 'In a moment.'), 'GET /roles': unauthorised })
  await expect(call('GET /roles')).rejects.toMatchObject({ statusCode: 503 })
  expect(readIdentity()).not.toBeNull()
})

test('a failure carries the words, the code, the reference and the fields of the server', async () => {
  fakeServer({ 'GET /roles': () => fault(422, 'settingsWrong', 'Host is missing.', { host: 'required' }) })
  await expect(call('GET /roles')).rejects.toMatchObject({
    statusCode: 422,
    code: 'settingsWrong',
    message: 'Host is missing.',
    reference: 'reference-1',
    fields: { host: 'required' },
  })
})

test('[API-8] the role of the token counts, in lowercase, when the reply has none', () => {
  const token = `x.${btoa(JSON.stringify({ role: 'SuperAdmin' }))}.x`
  signedInAs({ accessToken: token, role: '' })
  expect(readIdentity()?.role).toBe('superadmin')
})

test('[SHELL-12] signing in sets the cookies and the keys that the specification names', () => {
  signedInAs()
  expect(document.cookie).toContain('logged_in=true')
  expect(document.cookie).toContain('logged_in_name=Amara')
  expect(Object.keys(localStorage).toSorted()).toEqual(expect.arrayContaining(['jwt', 'user']))
})
