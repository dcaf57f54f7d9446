/** Attacks on the token endpoint: wrong, foreign and reused codes and tokens. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { auditLog } from '@tributary/contract/audit-log'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'
import { addPerson, type AddedPerson } from '@tributary/testing/server/identity/add-person.ts'
import {
  allow,
  connect,
  fetchFrom,
  manualClient,
  type RequestParameters,
  switchAssistantsOn,
} from '@tributary/testing/server/identity/test-assistant.ts'
import { authenticateToken } from '../../identity/tokens/authenticate-token.ts'

let app: TestApp
let person: AddedPerson
beforeAll(async () => {
  app = await testApp()
  await switchAssistantsOn(app, app.harbour.id, app.summit.id)
  person = await addPerson(app, { [app.harbour.id]: 'user' })
})
afterAll(() => app[Symbol.asyncDispose]())

async function works(token: string): Promise<boolean> {
  const request = { headers: { authorization: `Bearer ${token}` }, ip: '192.0.2.7' }
  return authenticateToken(app.services, request, ['oauth']).then(
    () => true,
    () => false,
  )
}

/** A client with a code that the person has just allowed. */
async function codeFor(changes: RequestParameters = {}, redirectUri?: string) {
  const client = await manualClient(app, redirectUri)
  const address = await allow(app, person, { request: client.request(changes) })
  return { client, code: address.searchParams.get('code') ?? '' }
}

const wrongExchanges: readonly (readonly [string, RequestParameters, string])[] = [
  ['a wrong verifier', { code_verifier: 'a'.repeat(43) }, 'invalid_grant'],
  ['a verifier that is no verifier', { code_verifier: 'short' }, 'invalid_grant'],
  ['no verifier', { code_verifier: null }, 'invalid_request'],
  ['another redirect address', { redirect_uri: 'https://assistant.example/callback/' }, 'invalid_grant'],
  ['no redirect address', { redirect_uri: null }, 'invalid_grant'],
  ['another resource', { resource: 'https://elsewhere.example/mcp' }, 'invalid_target'],
  ['a resource that ours begins', { resource: 'http://localhost:3000/mcp/x' }, 'invalid_target'],
  ['an unknown client', { client_id: '00000000-0000-4000-8000-000000000099' }, 'invalid_client'],
  ['a client id that is no id', { client_id: "' OR 1=1" }, 'invalid_client'],
  ['no client id', { client_id: null }, 'invalid_request'],
  ['another grant type', { grant_type: 'password' }, 'unsupported_grant_type'],
  ['no grant type', { grant_type: null }, 'invalid_request'],
  ['the code twice', { code: ['trib_oac_one', 'trib_oac_two'] }, 'invalid_request'],
]
test.each(wrongExchanges)('[SEE-13] a code is not exchanged with %s', async (_, changes, error) => {
  const { client, code } = await codeFor()
  const { status, body, headers } = await client.exchange(code, changes)
  expect([status, body['error']]).toEqual([error === 'invalid_client' ? 401 : 400, error])
  expect(headers['cache-control']).toBe('no-store')
  expect(JSON.stringify(body)).not.toContain(code)
})

test('[SEE-13] a code is not exchanged by another client, and a code that met a wrong verifier is spent', async () => {
  const { client, code } = await codeFor()
  const other = await manualClient(app)
  const stolen = await other.exchange(code, { code_verifier: client.verifier })
  expect(stolen.body).toMatchObject({ error: 'invalid_grant' })
  expect((await client.exchange(code)).body).toMatchObject({ error: 'invalid_grant' })
})

test('[SEE-13] a code works for a minute', async () => {
  await using own = await testApp()
  await switchAssistantsOn(own, own.harbour.id)
  const someone = await addPerson(own, { [own.harbour.id]: 'user' })
  const client = await manualClient(own)
  const address = await allow(own, someone, { request: client.request() })
  own.clock.advance(60_000)
  expect((await client.exchange(address.searchParams.get('code') ?? '')).body).toMatchObject({
    error: 'invalid_grant',
    error_description: 'The code has expired.',
  })
})

test('[SEE-13] the reuse of a code ends what it issued, also if both come at once, and the audit log says so', async () => {
  const { client, code } = await codeFor()
  const { body } = await client.exchange(code)
  expect(await works(String(body['access_token']))).toBe(true)
  expect((await client.exchange(code)).body).toMatchObject({ error: 'invalid_grant' })
  expect(await works(String(body['access_token']))).toBe(false)
  expect((await client.refresh(String(body['refresh_token']))).body).toMatchObject({ error: 'invalid_grant' })

  const { body: events } = await app.as.admin.call(auditLog.list, { query: { page: 1, pageSize: 5 } })
  expect(events.find(({ ObjectId }) => ObjectId === client.id)).toMatchObject({
    Action: 'assistant.token_reuse',
    Detail: { secret: 'code' },
  })

  const racing = await codeFor()
  const replies = await Promise.all([racing.client.exchange(racing.code), racing.client.exchange(racing.code)])
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 400])
  const won = replies.find(({ status }) => status === 200)
  expect(await works(String(won?.body['access_token']))).toBe(false)
})

test('[SEE-13] the reuse of a refresh token ends the connection for the thief and for the client', async () => {
  const { client, access, refresh } = await connect(app, person)
  const { body: next } = await client.refresh(refresh)
  expect(await works(access)).toBe(true)
  expect((await client.refresh(refresh)).body).toMatchObject({ error: 'invalid_grant' })
  for (const token of [access, String(next['access_token'])]) expect(await works(token)).toBe(false)
  expect((await client.refresh(String(next['refresh_token']))).body).toMatchObject({ error: 'invalid_grant' })
  const { body: events } = await app.as.admin.call(auditLog.list, { query: { page: 1, pageSize: 5 } })
  expect(events.find(({ ObjectId }) => ObjectId === client.id)).toMatchObject({
    Action: 'assistant.token_reuse',
    Detail: { secret: 'refresh_token' },
  })
})

test('[SEE-13] a refresh token is refused for another client, as an access token, for more scopes and for another resource', async () => {
  const { client, access, refresh } = await connect(app, person)
  const other = await manualClient(app)
  expect((await other.refresh(refresh)).body).toMatchObject({ error: 'invalid_grant' })
  expect((await client.refresh(access)).body).toMatchObject({ error: 'invalid_grant' })
  expect((await client.refresh(refresh, { scope: 'data.read administer' })).body).toMatchObject({
    error: 'invalid_scope',
  })
  expect((await client.refresh(refresh, { resource: 'https://elsewhere.example' })).body).toMatchObject({
    error: 'invalid_target',
  })
  expect((await client.refresh(refresh)).status).toBe(200)
})

test('[SEE-13] a person who lost the organisation, or whose organisation or provider switched assistants off, between consent and exchange gets no token', async () => {
  const leaver = await addPerson(app, { [app.harbour.id]: 'user' })
  const client = await manualClient(app)
  const allowed = async () => (await allow(app, leaver, { request: client.request() })).searchParams.get('code') ?? ''
  const setAllowed = (allowsAssistants: boolean) =>
    app.store.across((db) =>
      db.updateTable('organisation').set({ allowsAssistants }).where('id', '=', app.harbour.id).execute(),
    )
  const setProvider = (value: boolean) =>
    app.store.across((db) => db.updateTable('setting').set({ value }).where('key', '=', 'Assistants').execute())

  const beforeSwitch = await allowed()
  await setAllowed(false)
  expect((await client.exchange(beforeSwitch)).body).toMatchObject({ error: 'invalid_grant' })
  await setAllowed(true)
  const beforeProvider = await allowed()
  await setProvider(false)
  expect((await client.exchange(beforeProvider)).body).toMatchObject({ error: 'invalid_grant' })
  await setProvider(true)

  const beforeLeaving = await allowed()
  await app.store.across((db) => db.deleteFrom('membership').where('userId', '=', leaver.id).execute())
  expect((await client.exchange(beforeLeaving)).body).toMatchObject({ error: 'invalid_grant' })
  const issued = await app.store.across((db) =>
    db.selectFrom('apiToken').select('id').where('userId', '=', leaver.id).execute(),
  )
  expect(issued).toEqual([])
})

test('[SEE-13] the token endpoint takes forms only, from no other site, and answers in the form of OAuth', async () => {
  const post = (headers: Readonly<Record<string, string>>, body: string) =>
    fetchFrom(app)('http://localhost:3000/oauth/token', { method: 'POST', headers, body })
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const refused = [
    await post({ 'content-type': 'application/json' }, '{"grant_type":"refresh_token"}'),
    await post(form, 'grant_type=refresh_token&grant_type=refresh_token'),
    await post(form, `grant_type=${'x'.repeat(40_000)}`),
    await post(form, ''),
  ]
  for (const reply of refused)
    expect([reply.status, await reply.json()]).toEqual([
      expect.toBeOneOf([400, 413]),
      { error: 'invalid_request', error_description: expect.any(String) },
    ])
  for (const headers of [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }]) {
    const reply = await post({ ...form, ...headers }, 'grant_type=refresh_token')
    expect([reply.status, await reply.json()]).toEqual([403, expect.objectContaining({ error: 'invalid_request' })])
  }
  const read = await fetchFrom(app)('http://localhost:3000/oauth/token')
  expect(read.status).toBe(405)
})
