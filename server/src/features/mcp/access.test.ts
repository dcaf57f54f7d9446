/** Who may call the server of assistants, and what each role gets from each tool. */
import { assistants } from '@tributary/contract/assistants'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { statusIds } from '@tributary/testing/server/app/fixed-ids.ts'
import { addPerson } from '@tributary/testing/server/identity/add-person.ts'
import { assistantOf, listenForAssistants, storeToken } from '@tributary/testing/server/access/assistant.ts'
import {
  openAssistantFixture,
  switchAssistants,
  switchForProvider,
  switchSource,
} from '@tributary/testing/server/access/assistant-fixture.ts'
import { findConnectorId, plantRecords } from '@tributary/testing/server/access/assistant-records.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'

let app: TestApp
let shopId: string
beforeAll(async () => {
  app = (await openAssistantFixture()).app
  shopId = await findConnectorId(app, 'Shop')
  await plantRecords(app, { connectorId: shopId, text: 'invoice' })
  await switchAssistants(app, true)
})
afterAll(() => app[Symbol.asyncDispose]())

const tools = ['status', 'failures', 'freshness', 'tie_out', 'dictionary', 'query', 'what_changed'] as const
const queries = {
  shop: 'SELECT count(*) FROM shop.invoice',
  stock: 'SELECT count(*) FROM stock.movement',
  plan: 'SELECT count(*) FROM excel."B2SBudget2026"',
}

interface Sent {
  readonly secret?: string | undefined
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly method?: string
}

const list = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })

async function send({ secret, headers = {}, body = list, method = 'POST' }: Sent) {
  const response = await fetch(`${await listenForAssistants(app)}/mcp`, {
    method,
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(secret !== undefined && { authorization: `Bearer ${secret}` }),
      ...headers,
    },
    ...(method === 'POST' && { body }),
  })
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as { readonly code?: string; readonly message?: string; readonly result?: object },
  }
}

test.each([
  ['superadmin', { shop: '250', stock: '60000', plan: '2' }, ['Shop', 'Stock', 'Ledger']],
  ['admin', { shop: '250', stock: '60000', plan: '2' }, ['Shop', 'Stock', 'Ledger']],
  ['user', { shop: null, stock: null, plan: '1' }, []],
  ['guest', { shop: '250', stock: null, plan: null }, ['Shop', 'Ledger']],
] as const)('[SEE-13] an assistant of a %s reads what the person reads', async (role, rows, connectors) => {
  await using assistant = await assistantOf(app, { userId: app.idOf(role) })
  for (const [name, sql] of Object.entries(queries)) {
    const { isError, data } = await assistant.call('query', { sql })
    const expected = rows[name as keyof typeof rows]
    expect([name, isError, data?.['rows'] ?? null]).toEqual([name, expected === null, expected && [[expected]]])
  }
  const { data } = await assistant.call('status')
  const seen = data['connectors'] as unknown as readonly { readonly name: string }[]
  expect(seen.map(({ name }) => name).toSorted()).toEqual([...connectors].toSorted())
  const listed = JSON.stringify((await assistant.call('dictionary')).data)
  expect([listed.includes('"invoice"'), listed.includes('"movement"'), listed.includes('ledger')]).toEqual([
    rows.shop !== null,
    rows.stock !== null,
    false,
  ])
  for (const name of ['failures', 'freshness', 'tie_out', 'what_changed'])
    expect([name, (await assistant.call(name, seen.length === 0 ? { connectorId: shopId } : {})).isError]).toEqual([
      name,
      seen.length === 0,
    ])
})

test('[SEE-13] an assistant of another organisation gets nothing of this one, whichever tool it calls', async () => {
  await app.as.otherAdmin.signIn()
  const params = { clientId: app.summit.id }
  await app.as.otherAdmin.call(assistants.setPolicy, { params, body: { allowed: true } })
  const token = { userId: app.idOf('otherAdmin'), organisationId: app.summit.id }
  await using assistant = await assistantOf(app, token)
  for (const name of tools) {
    const isQuery = name === 'query'
    const found = await assistant.call(name, isQuery ? { sql: queries.shop } : {})
    expect(JSON.stringify(found)).not.toMatch(/Shop|Stock|Ledger|250|What customers/u)
    if (!isQuery && name !== 'dictionary') {
      const foreign = await assistant.call(name, { connectorId: shopId })
      expect([foreign.isError, foreign.texts[0]]).toEqual([true, expect.stringContaining('There is nothing here')])
    }
  }
})

test('[SEE-13] a member of nothing but a role reads no data, and sees whom to ask', async () => {
  const person = await addPerson(app, { [app.harbour.id]: 'user' })
  await using assistant = await assistantOf(app, { userId: person.id })
  for (const [name, input] of [
    ['query', { sql: 'SELECT 1' }],
    ['dictionary', {}],
  ] as const) {
    const { isError, texts } = await assistant.call(name, input)
    expect([isError, texts[0]]).toEqual([true, expect.stringContaining('Ask an administrator')])
  }
})

test('[SEE-13] each tool needs its scope, and the refusal names it', async () => {
  const needed = { dictionary: 'data.read', query: 'data.read' } as Readonly<Record<string, 'data.read'>>
  for (const scope of ['data.read', 'status.read', 'connectors.run'] as const) {
    await using assistant = await assistantOf(app, { userId: app.idOf('admin'), scopes: [scope] })
    for (const name of tools) {
      const wanted = needed[name] ?? 'status.read'
      const { isError, texts } = await assistant.call(name, name === 'query' ? { sql: 'SELECT 1' } : {})
      expect([name, scope, isError]).toEqual([name, scope, scope !== wanted])
      if (isError) expect(texts[0]).toContain(`needs the scope ${wanted}`)
    }
  }
})

test('[SEE-13] without a valid token nothing is answered, and the reply says why', async () => {
  const userId = app.idOf('admin')
  const expired = await storeToken(app, { userId, expiresInMs: -60_000 })
  for (const [secret, code] of [
    [undefined, 'notSignedIn'],
    ['trib_pat_nonsense', 'notSignedIn'],
    [await storeToken(app, { userId, isRevoked: true }), 'notSignedIn'],
    [expired, 'tokenExpired'],
  ] as const) {
    const reply = await send({ secret })
    expect(reply).toMatchObject({ status: 401, body: { code } })
    expect(reply.headers.get('www-authenticate')).toMatch(
      secret === undefined
        ? /^Bearer resource_metadata="[^"]+\/\.well-known\/oauth-protected-resource\/mcp"/u
        : /^Bearer error="invalid_token", resource_metadata=/u,
    )
  }
  const session = await app.as.admin.session()
  expect((await send({ secret: JSON.stringify(session).match(/eyJ[^"]+/u)?.[0] ?? 'none' })).status).toBe(401)
})

test('[SEE-13] a locked person’s token and one whose owner has left end at once', async () => {
  const person = await addPerson(app, { [app.harbour.id]: 'admin' })
  const secret = await storeToken(app, { userId: person.id })
  expect((await send({ secret })).status).toBe(200)
  const set = (statusId: string) =>
    app.store.across((db) => db.updateTable('portalUser').set({ statusId }).where('id', '=', person.id).execute())
  await set(statusIds.locked)
  expect((await send({ secret })).status).toBe(401)
  await set(statusIds.active)
  await app.store.within(app.harbour.id, (db) =>
    db.deleteFrom('membership').where('userId', '=', person.id).where('organisationId', '=', app.harbour.id).execute(),
  )
  expect((await send({ secret })).status).toBe(401)
})

test('[SEE-13] switched off by the provider or by the organisation, every call is refused and says who can switch it on', async () => {
  const secret = await storeToken(app, { userId: app.idOf('admin') })
  await switchForProvider(app, false)
  expect(await send({ secret })).toMatchObject({
    status: 403,
    body: { code: 'assistantsOff', message: expect.stringContaining('Ask the provider') },
  })
  await switchAssistants(app, false)
  await switchForProvider(app, true)
  expect(await send({ secret })).toMatchObject({
    status: 403,
    body: { code: 'assistantsOff', message: expect.stringContaining('Ask an administrator') },
  })
  await switchAssistants(app, true)
  expect((await send({ secret })).status).toBe(200)
})

test('[SEE-13] a source that is closed meanwhile is closed to an assistant that is connected already', async () => {
  await using assistant = await assistantOf(app, { userId: app.idOf('guest') })
  expect((await assistant.call('query', { sql: queries.shop })).isError).toBe(false)
  await switchSource(app, 'postgres', false)
  expect((await assistant.call('query', { sql: queries.shop })).isError).toBe(true)
  expect(JSON.stringify((await assistant.call('freshness')).data)).not.toContain('invoice')
  await switchSource(app, 'postgres', true)
})

test('[SEE-13] a page of another site, another method, a body that is too large and malformed messages are refused', async () => {
  const secret = await storeToken(app, { userId: app.idOf('admin') })
  for (const origin of ['https://evil.example', 'null', 'http://127.0.0.1.evil.example'])
    expect(await send({ secret, headers: { origin } })).toMatchObject({ status: 403, body: { code: 'otherSite' } })
  for (const method of ['GET', 'DELETE', 'PUT']) {
    const reply = await send({ secret, method })
    expect([method, reply.status, reply.headers.get('allow')]).toEqual([method, 405, 'OPTIONS, POST'])
  }
  expect((await send({ secret, body: JSON.stringify({ padding: 'x'.repeat(200_000) }) })).status).toBe(413)
  expect((await send({ secret, body: '{' })).status).toBe(400)
  expect((await send({ secret, body: '{"id":1,"id":2}' })).status).toBe(400)
  expect((await send({ secret, body: '{"hello":1}' })).status).toBe(400)
  expect((await send({ secret, headers: { accept: 'text/html' } })).status).toBe(406)
})

test('[SEE-13] calls are counted by token', async () => {
  const secret = await storeToken(app, { userId: app.idOf('admin') })
  await send({ secret })
  await send({ secret })
  const used = await app.store.within(app.harbour.id, (db) =>
    db.selectFrom('apiTokenUse').select('calls').where('organisationId', '=', app.harbour.id).execute(),
  )
  expect(used.map(({ calls }) => calls)).toContain(2)
})

test('[SEE-13] the calls of a token are limited per minute, before anything else is checked', async () => {
  await using limited = await testApp({ env: { TRIBUTARY_LIMITS: 'on', TRIBUTARY_RATE_READ: '12' } })
  limited.clock.advance(60_000 - (limited.clock.now() % 60_000))
  const secret = await storeToken(limited, { userId: limited.idOf('admin') })
  const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' }
  const statuses = []
  for (let call = 0; call < 14; call += 1)
    statuses.push((await limited.http.inject({ method: 'POST', url: '/mcp', headers, payload: list })).statusCode)
  // Assistants are switched off in this organisation.
  expect(statuses).toEqual([...Array.from({ length: 12 }, () => 403), 429, 429])
})
