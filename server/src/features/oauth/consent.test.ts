/** What a person sees and allows, for whom, and which requests are refused. */
import { roleLevels, type RoleName } from '@tributary/contract/capabilities'
import { oauth } from '@tributary/contract/oauth'
import { tokenLimits } from '@tributary/contract/token-scopes'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'
import { addPerson, type AddedPerson } from '@tributary/testing/server/identity/add-person.ts'
import { confirmSecondFactor, makeToken } from '@tributary/testing/server/identity/make-token.ts'
import {
  allow,
  connect,
  manualClient,
  type ManualClient,
  type RequestParameters,
  switchAssistantsOn,
} from '@tributary/testing/server/identity/test-assistant.ts'

let app: TestApp
let person: AddedPerson
let client: ManualClient
beforeAll(async () => {
  app = await testApp()
  await switchAssistantsOn(app, app.harbour.id)
  person = await addPerson(app, { [app.harbour.id]: 'user', [app.summit.id]: 'user' })
  client = await manualClient(app)
  await confirmSecondFactor(app, person)
})
afterAll(() => app[Symbol.asyncDispose]())

const read = (request: string, reader = person) => reader.client.call(oauth.read, { query: { request } })

const unanswerable: readonly (readonly [string, RequestParameters])[] = [
  ['an unknown client', { client_id: '00000000-0000-4000-8000-000000000099' }],
  ['no client', { client_id: null }],
  ['a redirect address of another host', { redirect_uri: 'https://evil.example/callback' }],
  ['a redirect address with a suffix', { redirect_uri: 'https://assistant.example/callback/evil' }],
  ['a redirect address with a query', { redirect_uri: 'https://assistant.example/callback?x=1' }],
  ['a redirect address in other case', { redirect_uri: 'https://assistant.example/Callback' }],
  ['a redirect address with a port', { redirect_uri: 'https://assistant.example:8443/callback' }],
  ['a redirect address with a user name', { redirect_uri: 'https://assistant.example@evil.example/callback' }],
  ['a redirect address with a fragment', { redirect_uri: 'https://assistant.example/callback#x' }],
  ['a redirect address with a path up', { redirect_uri: 'https://assistant.example/callback/../evil' }],
  ['a redirect address of a longer host', { redirect_uri: 'https://assistant.example.evil.example/callback' }],
  ['a redirect address by http', { redirect_uri: 'http://assistant.example/callback' }],
  ['a script', { redirect_uri: 'javascript:alert(1)' }],
  ['no redirect address', { redirect_uri: null }],
  ['two redirect addresses', { redirect_uri: ['https://assistant.example/callback', 'https://evil.example/'] }],
]
test.each(unanswerable)('[SEE-13] a request with %s is refused and leads nowhere', async (_, changes) => {
  const request = client.request(changes)
  const { status, body } = await read(request)
  expect([status, body]).toEqual([400, expect.objectContaining({ code: 'oauthRequestWrong' })])
  expect(JSON.stringify(body)).not.toContain('evil.example')
  const sent = await person.client.call(oauth.allow, { body: { organisationId: app.harbour.id, request } })
  expect(sent.status).toBe(400)
})

const refused: readonly (readonly [string, RequestParameters, string])[] = [
  ['the challenge in plain', { code_challenge_method: 'plain' }, 'invalid_request'],
  ['no method for the challenge', { code_challenge_method: null }, 'invalid_request'],
  ['no challenge', { code_challenge: null }, 'invalid_request'],
  ['a short challenge', { code_challenge: 'abc' }, 'invalid_request'],
  ['another resource', { resource: 'https://elsewhere.example/mcp' }, 'invalid_target'],
  ['no resource', { resource: null }, 'invalid_target'],
  ['a response type that skips the code', { response_type: 'token' }, 'unsupported_response_type'],
  ['the answer in a fragment', { response_mode: 'fragment' }, 'invalid_request'],
  ['scopes that assistants cannot have', { scope: 'administer connectors.run' }, 'invalid_scope'],
  ['two states', { state: ['one', 'two'] }, 'invalid_request'],
]
test.each(refused)(
  '[SEE-13] a request with %s cannot be allowed; only its client learns why',
  async (_, changes, error) => {
    const request = client.request(changes)
    const { status, body } = await read(request)
    expect([status, body.Problem]).toEqual([200, expect.any(String)])
    const refusal = new URL(body.RefusalUrl)
    expect(refusal.origin + refusal.pathname).toBe('https://assistant.example/callback')
    expect([refusal.searchParams.get('error'), refusal.searchParams.get('iss')]).toEqual([
      error,
      'http://localhost:3000',
    ])
    const sent = await person.client.call(oauth.allow, { body: { organisationId: app.harbour.id, request } })
    expect([sent.status, sent.body]).toEqual([400, expect.objectContaining({ code: 'oauthRequestWrong' })])
  },
)

test('[SEE-13] the person sees the organisations that allow assistants; refusing returns access_denied with the state', async () => {
  const { body } = await read(client.request({ scope: 'openid status.read administer' }))
  expect(body.Organisations).toEqual([{ Id: app.harbour.id, Name: expect.any(String) }])
  // Scopes that assistants cannot have are left out.
  expect(body.Scopes).toEqual(['status.read'])
  const refusal = new URL(body.RefusalUrl)
  expect(Object.fromEntries(refusal.searchParams)).toEqual({
    error: 'access_denied',
    error_description: 'The person refused.',
    state: 'a-state',
    iss: 'http://localhost:3000',
  })
})

test('[SEE-13] the tokens have the scopes that the person saw', async () => {
  const narrow = await manualClient(app)
  const address = await allow(app, person, { request: narrow.request({ scope: 'status.read offline_access' }) })
  const { body } = await narrow.exchange(address.searchParams.get('code') ?? '')
  expect(body['scope']).toBe('status.read')
})

test('[SEE-13] a loopback address may have any port, and its host and path are exact', async () => {
  for (const host of ['127.0.0.1', 'localhost', '[::1]']) {
    const program = await manualClient(app, `http://${host}:33418/callback`)
    const { body } = await read(program.request({ redirect_uri: `http://${host}:50123/callback` }))
    expect(body).toMatchObject({ RedirectHost: `${host}:50123`, IsOnOwnComputer: true, Problem: null })
    for (const other of [`http://${host}:50123/other`, `http://${host}.evil.example:50123/callback`]) {
      const { status } = await read(program.request({ redirect_uri: other }))
      expect([other, status]).toEqual([other, 400])
    }
  }
  const program = await manualClient(app, 'http://127.0.0.1/callback')
  expect((await read(program.request({ redirect_uri: 'http://localhost/callback' }))).status).toBe(400)
  // The code is bound to the port that was used.
  const address = await allow(app, person, {
    request: program.request({ redirect_uri: 'http://127.0.0.1:50123/callback' }),
  })
  expect(address.host).toBe('127.0.0.1:50123')
  const exchange = await program.exchange(address.searchParams.get('code') ?? '', {
    redirect_uri: 'http://127.0.0.1:50124/callback',
  })
  expect(exchange.body).toMatchObject({ error: 'invalid_grant' })
})

test('[SEE-13] allowing needs a session, a recent sign-in and a second factor; no cookie and no token takes their place', async () => {
  const someone = await addPerson(app, { [app.harbour.id]: 'user' })
  const body = { organisationId: app.harbour.id, request: client.request() }
  expect((await app.as.visitor.call(oauth.allow, { body })).status).toBe(401)
  expect((await app.as.visitor.call(oauth.read, { query: { request: client.request() } })).status).toBe(401)

  const first = await someone.client.call(oauth.allow, { body })
  expect([first.status, first.body]).toEqual([403, expect.objectContaining({ code: 'factorNeeded' })])

  // A form of another site sends the cookies of the browser and nothing else.
  const cookies = [...someone.client.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const forged = await app.http.inject({
    method: 'POST',
    url: '/api/oauth/authorisation',
    headers: { host: 'localhost:3000', cookie: cookies, 'content-type': 'application/json' },
    payload: JSON.stringify(body),
  })
  expect(forged.statusCode).toBe(401)
  const session = await someone.client.session()
  const foreign = await app.http.inject({
    method: 'POST',
    url: '/api/oauth/authorisation',
    headers: {
      host: 'localhost:3000',
      authorization: `Bearer ${session?.accessToken}`,
      origin: 'https://evil.example',
      'content-type': 'application/json',
    },
    payload: JSON.stringify(body),
  })
  expect(foreign.statusCode).toBe(403)

  const token = await makeToken(app, someone)
  expect((await token.call(oauth.allow, { body })).body.code).toBe('tokenRefused')
  const { access } = await connect(app, someone)
  const headers = { authorization: `Bearer ${access}` }
  expect((await app.as.visitor.send('POST', '/api/oauth/authorisation', { body, headers })).status).toBe(401)

  app.clock.advance(16 * 60_000)
  await someone.client.refresh()
  const late = await someone.client.call(oauth.allow, { body })
  expect([late.status, late.body]).toEqual([403, expect.objectContaining({ code: 'proofNeeded' })])
})

test.each(Object.keys(roleLevels) as RoleName[])(
  '[SEE-13] the role %s allows an assistant in an organisation of its own that allows it, and in no other',
  async (role) => {
    const someone = await addPerson(app, { [app.harbour.id]: role })
    const own = await manualClient(app)
    await connectIn(own, someone)
    const body = { organisationId: app.summit.id, request: own.request() }
    const { status, body: fault } = await someone.client.call(oauth.allow, { body })
    const isProvider = roleLevels[role] < roleLevels.admin
    // Provider roles work in every organisation, and this one does not allow assistants.
    const expected = isProvider ? [403, 'assistantsOff'] : [404, 'notFound']
    expect([status, Reflect.get(fault, 'code')]).toEqual(expected)
  },
)

async function connectIn(own: ManualClient, someone: AddedPerson): Promise<void> {
  const address = await allow(app, someone, { request: own.request() })
  const { status } = await own.exchange(address.searchParams.get('code') ?? '')
  expect(status).toBe(200)
}

test('[SEE-13] a person is mailed that an assistant was allowed, without words of the assistant', async () => {
  const someone = await addPerson(app, { [app.harbour.id]: 'user' })
  await connect(app, someone)
  const mail = (await app.emailsTo(someone.emailAddress)).find(({ template }) => template === 'assistant-allowed')
  expect(mail?.paragraphs.join(' ')).toContain('read the data of')
  expect(JSON.stringify(mail)).not.toContain('Ledger')
})

test('[SEE-13] connections count towards the limit of access tokens, and the refusal says what to do', async () => {
  const someone = await addPerson(app, { [app.harbour.id]: 'user' })
  const until = '2100-01-01'
  await app.store.across((db) =>
    db
      .insertInto('apiToken')
      .values(
        Array.from({ length: tokenLimits.perOwnerMax }, (_, at) => ({
          organisationId: app.harbour.id,
          userId: someone.id,
          name: `Token ${at}`,
          secretHash: Buffer.from(`${someone.id}${at}`),
          scopes: ['data.read' as const],
          expiresAt: until,
        })),
      )
      .execute(),
  )
  await confirmSecondFactor(app, someone)
  const { status, body } = await someone.client.call(oauth.allow, {
    body: { organisationId: app.harbour.id, request: client.request() },
  })
  expect([status, Reflect.get(body, 'code')]).toEqual([409, 'tokensMax'])
})

test('[SEE-13] where tokens or assistants are switched off, nothing can be allowed', async () => {
  await using own = await testApp()
  await switchAssistantsOn(own, own.harbour.id, own.summit.id)
  const someone = await addPerson(own, { [own.harbour.id]: 'user', [own.summit.id]: 'user' })
  const program = await manualClient(own)
  await own.store.across((db) =>
    db.updateTable('organisation').set({ allowsTokens: false }).where('id', '=', own.harbour.id).execute(),
  )
  const query = { request: program.request() }
  const { body: shown } = await someone.client.call(oauth.read, { query })
  expect(shown.Organisations.map(({ Id }) => Id)).toEqual([own.summit.id])
  await confirmSecondFactor(own, someone)
  const send = async (organisationId: string) => {
    const { body } = await someone.client.call(oauth.allow, { body: { organisationId, request: program.request() } })
    return Reflect.get(body, 'code')
  }
  expect(await send(own.harbour.id)).toBe('tokensOff')
  await own.store.across((db) => db.updateTable('setting').set({ value: false }).execute())
  expect(await send(own.summit.id)).toBe('assistantsOff')
  expect((await someone.client.call(oauth.read, { query })).body.Organisations).toEqual([])
})
