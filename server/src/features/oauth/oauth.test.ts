/** The whole flow, by the client of the MCP SDK and by hand, and what ends a connection. */
import { createHash } from 'node:crypto'
import { auditLog } from '@tributary/contract/audit-log'
import { oauth } from '@tributary/contract/oauth'
import { organisationTokens, tokens } from '@tributary/contract/tokens'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { statusIds } from '@tributary/testing/server/app/fixed-ids.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'
import { addPerson, type AddedPerson } from '@tributary/testing/server/identity/add-person.ts'
import {
  allow,
  connect,
  fetchFrom,
  manualClient,
  switchAssistantsOn,
  TestAssistant,
} from '@tributary/testing/server/identity/test-assistant.ts'
import { authenticateToken } from '../../identity/tokens/authenticate-token.ts'
import { protectedResourceChallenge } from '../../identity/tokens/assistant-resource.ts'

const dayMs = 86_400_000
let app: TestApp
let person: AddedPerson
beforeAll(async () => {
  app = await testApp()
  await switchAssistantsOn(app, app.harbour.id)
})
afterAll(() => app[Symbol.asyncDispose]())
beforeEach(async () => {
  person = await addPerson(app, { [app.harbour.id]: 'user' })
})

/** The caller of the resource, or the code of the fault. */
async function useAtResource(token: string): Promise<string> {
  const request = { headers: { authorization: `Bearer ${token}`, 'user-agent': 'assistant/1.0' }, ip: '192.0.2.7' }
  try {
    const { actor, organisationId, scopes } = await authenticateToken(app.services, request, ['bearer', 'oauth'])
    return `${actor.emailAddress} ${organisationId === app.harbour.id ? 'Harbour' : 'elsewhere'} ${scopes.join(' ')}`
  } catch (error) {
    return String(Reflect.get(Object(error), 'code'))
  }
}

test('[SEE-13] the client of the MCP SDK discovers the server, registers, is allowed by a person, and reads, then refreshes', async () => {
  const assistant = new TestAssistant(app)
  expect(await assistant.connect()).toBe('REDIRECT')
  const { authorisationUrl } = assistant
  if (authorisationUrl === undefined) throw new Error('The client did not send the browser anywhere.')
  expect(authorisationUrl.origin + authorisationUrl.pathname).toBe('http://localhost:3000/oauth/authorize')
  const request = authorisationUrl.search.slice(1)

  const { body: shown } = await person.client.call(oauth.read, { query: { request } })
  expect(shown).toMatchObject({
    ClientName: 'Ledger assistant',
    RedirectHost: 'assistant.example',
    IsOnOwnComputer: false,
    Scopes: ['data.read', 'status.read'],
    Organisations: [{ Id: app.harbour.id }],
    Problem: null,
  })

  const address = await allow(app, person, { request })
  expect(address.origin + address.pathname).toBe('https://assistant.example/callback')
  expect(address.searchParams.get('state')).toBe('a-state')
  expect(address.searchParams.get('iss')).toBe('http://localhost:3000')
  expect(await assistant.connect(address.searchParams.get('code') ?? '')).toBe('AUTHORIZED')

  const first = assistant.tokens()
  expect(first).toMatchObject({ token_type: 'Bearer', expires_in: 3_600, scope: 'data.read status.read' })
  expect(await useAtResource(first?.access_token ?? '')).toBe(`${person.emailAddress} Harbour data.read status.read`)
  expect(await assistant.connect()).toBe('AUTHORIZED')
  const second = assistant.tokens()
  expect(second?.refresh_token).not.toBe(first?.refresh_token)
  expect(await useAtResource(second?.access_token ?? '')).toContain(person.emailAddress)
})

test('[SEE-13] the metadata follows RFC 8414 and RFC 9728, and a refused call names it', async () => {
  const read = async (path: string) => (await fetchFrom(app)(`http://localhost:3000${path}`)).json()
  const resource = await read('/.well-known/oauth-protected-resource/mcp')
  expect(resource).toMatchObject({
    resource: 'http://localhost:3000/mcp',
    authorization_servers: ['http://localhost:3000'],
  })
  expect(await read('/.well-known/oauth-protected-resource')).toEqual(resource)
  expect(await read('/.well-known/oauth-authorization-server')).toMatchObject({
    issuer: 'http://localhost:3000',
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none'],
    authorization_response_iss_parameter_supported: true,
  })
  expect(protectedResourceChallenge('https://portal.example', 'invalid_token')).toBe(
    'Bearer error="invalid_token", resource_metadata="https://portal.example/.well-known/oauth-protected-resource/mcp", scope="data.read status.read"',
  )
})

test('[SEE-13] an access token of an assistant opens no route of the API and no feed, and the store has only hashes', async () => {
  const { access, refresh } = await connect(app, person)
  const headers = { authorization: `Bearer ${access}` }
  for (const path of ['/api/organisations', '/api/me/access-tokens', `/odata/${app.harbour.id}/`]) {
    const { status } = await app.as.visitor.send('GET', path, { headers })
    expect([path, status]).toEqual([path, 401])
  }
  const basic = `Basic ${Buffer.from(`x:${access}`).toString('base64')}`
  const feed = await app.as.visitor.send('GET', `/odata/${app.harbour.id}/`, { headers: { authorization: basic } })
  expect(feed.status).toBe(401)
  expect(await useAtResource(refresh)).toBe('notSignedIn')
  const stored = await app.store.across((db) => db.selectFrom('oauthSecret').select('secretHash').execute())
  const hashes = stored.map(({ secretHash }) => secretHash.toString('hex'))
  for (const secret of [access, refresh]) {
    expect(hashes).toContain(createHash('sha256').update(secret).digest('hex'))
    expect(app.logLines.some((line) => line.includes(secret))).toBe(false)
  }
})

test('[SEE-13] a connection is listed among the person’s access tokens with its last use, and there it is revoked', async () => {
  const { access, client, refresh } = await connect(app, person)
  await useAtResource(access)
  const { body: own } = await person.client.call(tokens.list)
  expect(own).toMatchObject([
    {
      Name: 'Ledger assistant',
      IsAssistant: true,
      LastUsedProgram: 'assistant/1.0',
      RecentCalls: 1,
      RevokedAtUtc: null,
    },
  ])
  const [listed] = own
  const { status } = await person.client.call(tokens.revoke, { params: { accessTokenId: listed?.Id ?? '' } })
  expect(status).toBe(204)
  expect(await useAtResource(access)).toBe('notSignedIn')
  expect((await client.refresh(refresh)).body).toMatchObject({ error: 'invalid_grant' })
})

test('[SEE-13] an administrator sees and revokes the connection of a member', async () => {
  const { access } = await connect(app, person)
  const { body: all } = await app.as.admin.call(organisationTokens.list, { params: { clientId: app.harbour.id } })
  const listed = all.find(({ OwnerId }) => OwnerId === person.id)
  expect(listed).toMatchObject({ Name: 'Ledger assistant', IsAssistant: true })
  const params = { clientId: app.harbour.id, accessTokenId: listed?.Id ?? '' }
  expect((await app.as.otherAdmin.call(organisationTokens.revoke, { params })).status).toBe(404)
  expect(await useAtResource(access)).toContain(person.emailAddress)
  expect((await app.as.admin.call(organisationTokens.revoke, { params })).status).toBe(204)
  expect(await useAtResource(access)).toBe('notSignedIn')
})

test('[SEE-13] locking, leaving, Revoke all, the switches of tokens, a temporary password and maintenance end or pause a connection at once', async () => {
  const change = (statement: (db: Parameters<Parameters<TestApp['store']['across']>[0]>[0]) => Promise<unknown>) =>
    app.store.across(statement)
  const locked = await connect(app, person)
  const setStatus = (statusId: string) =>
    change((db) => db.updateTable('portalUser').set({ statusId }).where('id', '=', person.id).execute())
  await setStatus(statusIds.locked)
  expect(await useAtResource(locked.access)).toBe('notSignedIn')
  expect((await locked.client.refresh(locked.refresh)).body).toMatchObject({ error: 'invalid_grant' })
  await setStatus(statusIds.active)
  expect(await useAtResource(locked.access)).toContain(person.emailAddress)

  const setTokens = (allowed: boolean) =>
    change((db) =>
      db.updateTable('organisation').set({ allowsTokens: allowed }).where('id', '=', app.harbour.id).execute(),
    )
  await setTokens(false)
  expect(await useAtResource(locked.access)).toBe('tokensOff')
  expect((await locked.client.refresh(locked.refresh)).body).toMatchObject({ error: 'invalid_grant' })
  await setTokens(true)

  const setTemporary = (passwordIsTemporary: boolean) =>
    change((db) => db.updateTable('portalUser').set({ passwordIsTemporary }).where('id', '=', person.id).execute())
  await setTemporary(true)
  expect((await locked.client.refresh(locked.refresh)).body).toMatchObject({ error: 'invalid_grant' })
  await setTemporary(false)

  await person.client.call(tokens.revokeAll)
  expect(await useAtResource(locked.access)).toBe('notSignedIn')
  expect((await locked.client.refresh(locked.refresh)).body).toMatchObject({ error: 'invalid_grant' })

  const left = await connect(app, person)
  await change((db) => db.deleteFrom('membership').where('userId', '=', person.id).execute())
  expect(await useAtResource(left.access)).toBe('notSignedIn')
  expect((await left.client.refresh(left.refresh)).body).toMatchObject({ error: 'invalid_grant' })
})

test('[SEE-13] an access token works for an hour, and a connection ends after ninety days however often it is refreshed', async () => {
  await using own = await testApp()
  await switchAssistantsOn(own, own.harbour.id)
  const someone = await addPerson(own, { [own.harbour.id]: 'user' })
  const { client, access, refresh } = await connect(own, someone)
  const use = async (token: string) => {
    const request = { headers: { authorization: `Bearer ${token}` }, ip: '192.0.2.7' }
    return authenticateToken(own.services, request, ['oauth']).then(
      () => 'works',
      (error: unknown) => String(Reflect.get(Object(error), 'code')),
    )
  }
  own.clock.advance(59 * 60_000)
  expect(await use(access)).toBe('works')
  own.clock.advance(60_000)
  expect(await use(access)).toBe('tokenExpired')
  own.clock.advance(89 * dayMs + 22.5 * 3_600_000)
  const { body: last } = await client.refresh(refresh)
  expect(last).toMatchObject({ expires_in: 1_800 })
  own.clock.advance(1_800_000)
  expect((await client.refresh(String(last['refresh_token']))).body).toMatchObject({
    error: 'invalid_grant',
    error_description: 'The refresh token has expired. The person has to allow it again.',
  })
})

test('[SEE-13] allowing a client again replaces its former connection', async () => {
  const first = await connect(app, person)
  const address = await allow(app, person, { request: first.client.request() })
  const { status } = await first.client.exchange(address.searchParams.get('code') ?? '')
  expect(status).toBe(200)
  expect(await useAtResource(first.access)).toBe('notSignedIn')
})

test('[SEE-13] an assistant gives its connection back with either token, and no other client can', async () => {
  const { client, access, refresh } = await connect(app, person)
  const other = await manualClient(app)
  expect((await other.revoke(refresh)).body).toMatchObject({ error: 'invalid_grant' })
  expect((await client.revoke('trib_oat_unknown')).status).toBe(200)
  expect(await useAtResource(access)).toContain(person.emailAddress)
  expect((await client.revoke(access)).status).toBe(200)
  expect((await client.revoke(access)).status).toBe(200)
  expect(await useAtResource(access)).toBe('notSignedIn')
  expect((await client.refresh(refresh)).body).toMatchObject({ error: 'invalid_grant' })
})

test('[SEE-13] the audit log has what was allowed, what connected and what ended', async () => {
  const { client, access } = await connect(app, person)
  await client.revoke(access)
  const { body: events } = await app.as.admin.call(auditLog.list, { query: { page: 1, pageSize: 50 } })
  const of = events.filter(({ ObjectId }) => ObjectId === client.id)
  expect(of.map(({ Action, ActorId, ObjectName }) => [Action, ActorId === person.id, ObjectName])).toEqual(
    ['assistant.disconnected', 'assistant.connected', 'assistant.allowed'].map((action) => [
      action,
      true,
      'Ledger assistant',
    ]),
  )
})
