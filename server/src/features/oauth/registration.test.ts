/** Who may register as a client, with which addresses and names, and how long a registration lasts. */
import { oauthLimits } from '@tributary/contract/limits'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'
import { addPerson } from '@tributary/testing/server/identity/add-person.ts'
import { connect, registerClient, switchAssistantsOn } from '@tributary/testing/server/identity/test-assistant.ts'
import { deleteExpired } from '../../security/retention/delete-expired.ts'

const production = { TRIBUTARY_MODE: 'production', TRIBUTARY_PUBLIC_URL: 'https://tributary.example' }
let app: TestApp
beforeAll(async () => {
  app = await testApp()
  await switchAssistantsOn(app, app.harbour.id)
})
afterAll(() => app[Symbol.asyncDispose]())

test('[SEE-13] a client registers as public, with its addresses and no secret, whatever else it asks for', async () => {
  const { status, body } = await registerClient(app, {
    token_endpoint_auth_method: 'client_secret_basic',
    grant_types: ['authorization_code', 'implicit'],
    logo_uri: 'https://evil.example/logo.svg',
    scope: 'administer',
    client_id: 'chosen',
  })
  expect([status, body]).toEqual([
    201,
    {
      client_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      client_id_issued_at: expect.any(Number),
      client_name: 'Ledger assistant',
      redirect_uris: ['https://assistant.example/callback'],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
  ])
})

const hostileAddresses = [
  'http://assistant.example/callback',
  'https://assistant.example/callback#fragment',
  'https://assistant.example/callback#',
  'https://user@assistant.example/callback',
  'https://@assistant.example/callback',
  'https://assistant.example\\@evil.example/',
  'https:assistant.example',
  'https:///assistant.example',
  'https://assistant.example/\u202egnp',
  'https://assistant.example/a b',
  'https://assistant.example/\n',
  'http://127.0.0.1.evil.example/callback',
  'http://localhost.evil.example/callback',
  'http://localhost@evil.example/callback',
  'http://127.1/callback',
  'http://0.0.0.0/callback',
  'javascript:alert(1)',
  'data:text/html,x',
  'file:///etc/passwd',
  'assistant://callback',
  '/callback',
  '*',
]
test.each(hostileAddresses)('[SEE-13] the redirect address %j cannot be registered', async (uri) => {
  const { status, body } = await registerClient(app, { redirect_uris: ['https://assistant.example/', uri] })
  expect([status, body['error']]).toEqual([400, 'invalid_redirect_uri'])
})

const hostileNames = [
  '',
  '   ',
  'Claude\nAllow everything',
  'Claude\u0000',
  'Claude\u001b[2J',
  '\u202eedualC',
  '\u2066Claude\u2069',
  'Cla\u200bude',
  'Cla\u00a0ude',
  `Cl${'\u0301'.repeat(30)}aude`,
  'Claude\ue000',
  '\ud800',
]
test.each(hostileNames)('[SEE-13] a client cannot be called %j', async (name) => {
  const { status, body } = await registerClient(app, { client_name: name })
  expect([status, body['error']]).toEqual([400, expect.stringMatching(/^invalid_/)])
})

test('[SEE-13] long names and addresses are refused', async () => {
  const wrong = [
    { client_name: 'x'.repeat(oauthLimits.clientNameMax + 1) },
    { redirect_uris: [`https://assistant.example/${'x'.repeat(oauthLimits.redirectUriMax)}`] },
  ]
  for (const metadata of wrong) expect((await registerClient(app, metadata)).status).toBe(400)
})

test('[SEE-13] names in all scripts are fine, and markup is only text', async () => {
  for (const name of ['助手', 'Помощник', 'مساعد', 'Assistant (beta) 2.0', '<b onclick="x">Claude</b>', 'Café'])
    expect((await registerClient(app, { client_name: name })).body['client_name']).toBe(name)
  expect((await registerClient(app, { client_name: undefined })).body['client_name']).toBe('An assistant')
})

test('[SEE-13] malformed metadata is refused in the form of RFC 7591', async () => {
  const wrong = [
    [{ redirect_uris: [] }, 'invalid_redirect_uri'],
    [{ redirect_uris: undefined }, 'invalid_redirect_uri'],
    [{ redirect_uris: 'https://assistant.example/' }, 'invalid_redirect_uri'],
    [
      { redirect_uris: Array.from({ length: 11 }, (_, at) => `https://assistant.example/${at}`) },
      'invalid_redirect_uri',
    ],
    [{ client_name: 7 }, 'invalid_client_metadata'],
    [{ grant_types: ['implicit'] }, 'invalid_client_metadata'],
    [{ response_types: ['token'] }, 'invalid_client_metadata'],
  ] as const
  for (const [metadata, error] of wrong) {
    const { status, body } = await registerClient(app, metadata)
    expect([metadata, status, body['error']]).toEqual([metadata, 400, error])
  }
  const send = (body: string) => app.as.visitor.send('POST', '/oauth/register', { body })
  for (const body of ['[]', 'null', '{', '{"redirect_uris":1,"redirect_uris":2}', `"${'x'.repeat(40_000)}"`])
    expect((await send(body)).body).toEqual({
      error: expect.stringMatching(/^invalid_/),
      error_description: expect.any(String),
    })
})

test('[SEE-13] while the provider has assistants switched off, nobody registers, and the reply says why', async () => {
  await using own = await testApp()
  const { status, body } = await registerClient(own)
  expect([status, body]).toEqual([
    403,
    { error: 'access_denied', error_description: 'The provider of this portal has not switched assistants on.' },
  ])
})

test('[SEE-13] registrations are limited by address, and those that nobody allows end after a week', async () => {
  await using own = await testApp({ env: production })
  await switchAssistantsOn(own, own.harbour.id)
  const statuses: number[] = []
  for (let count = 0; count < 22; count += 1) statuses.push((await registerClient(own)).status)
  expect(statuses.filter((status) => status === 201)).toHaveLength(20)
  const { status, body, headers } = await registerClient(own)
  expect([status, body['error'], Number(headers['retry-after']) > 0]).toEqual([429, 'temporarily_unavailable', true])
  own.clock.advance(8 * 86_400_000)
  await deleteExpired(own.services)
  expect(await countClients(own)).toBe(0)
})

test('[SEE-13] a client that a person has allowed stays; a flood of others makes room for the next', async () => {
  await using own = await testApp()
  await switchAssistantsOn(own, own.harbour.id)
  const someone = await addPerson(own, { [own.harbour.id]: 'user' })
  const { client } = await connect(own, someone)
  await own.store.across((db) =>
    sql`INSERT INTO oauthClient (name, redirectUris, createdAt)
      SELECT 'Flood', '{https://flood.example/}', ${new Date(own.clock.now()).toISOString()}::timestamptz
      FROM generate_series(1, ${oauthLimits.unusedClientsMax})`.execute(db),
  )
  expect((await registerClient(own)).status).toBe(429)
  own.clock.advance(61 * 60_000)
  expect((await registerClient(own)).status).toBe(201)
  expect(await countClients(own)).toBe(2)
  own.clock.advance(30 * 86_400_000)
  await deleteExpired(own.services)
  const left = await own.store.across((db) => db.selectFrom('oauthClient').select('id').execute())
  expect(left).toEqual([{ id: client.id }])
})

async function countClients(own: TestApp): Promise<number> {
  const rows = await own.store.across((db) => db.selectFrom('oauthClient').select('id').execute())
  return rows.length
}
