import { createHash, createPublicKey, verify } from 'node:crypto'
import type { JsonWebKey } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startXero } from '../server.ts'
import type { XeroSimulatorOptions, XeroSimulator } from '../server.ts'
import { movableClock, reader, readReply, tokenCall } from '@tributary/testing/sims/xero/api-caller.ts'
import type { ApiReply } from '@tributary/testing/sims/xero/api-caller.ts'

const small = { months: 1, contacts: 4, items: 3, invoices: 4, invoicesMax: 8 }
const minuteMs = 60_000
const dayMs = 86_400_000
const home = 'http://localhost:3000/back'

async function started(options: Partial<XeroSimulatorOptions> = {}) {
  const clock = movableClock()
  const sim = await startXero({ clock, seed: 3, size: small, ...options })
  onTestFinished(() => sim.close())
  return { sim, clock }
}

const scope = 'openid profile email offline_access accounting.settings.read'

function authoriseUrl(sim: XeroSimulator, more: Readonly<Record<string, string>> = {}): string {
  const query = {
    response_type: 'code',
    client_id: sim.clientId,
    redirect_uri: home,
    scope,
    state: 's1',
    nonce: 'n1',
    ...more,
  }
  return `${sim.addresses.authorise}?${new URLSearchParams(query).toString()}`
}

async function codeFrom(sim: XeroSimulator, more: Readonly<Record<string, string>> = {}): Promise<string> {
  const back = new URL(await sim.consent(authoriseUrl(sim, more), { tenantIds: [sim.companies[0]?.tenantId ?? ''] }))
  return back.searchParams.get('code') ?? ''
}

const exchange = (sim: XeroSimulator, code: string, more: Readonly<Record<string, string>> = {}): Promise<ApiReply> =>
  tokenCall(sim, { grant_type: 'authorization_code', code, redirect_uri: home, ...more })

const renew = (sim: XeroSimulator, token: unknown, app: Parameters<typeof tokenCall>[2] = sim): Promise<ApiReply> =>
  tokenCall(sim, { grant_type: 'refresh_token', refresh_token: String(token) }, app)

const claims = (jwt: unknown): Record<string, unknown> =>
  JSON.parse(Buffer.from(String(jwt).split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>

test('consent redirects with a code and the state, and the code is exchanged for tokens that identify the person', async () => {
  const { sim } = await started()
  const back = new URL(await sim.consent(authoriseUrl(sim), { person: 1 }))
  expect(back.origin + back.pathname).toBe(home)
  expect(back.searchParams.get('state')).toBe('s1')
  const { status, body } = await exchange(sim, back.searchParams.get('code') ?? '')
  expect([status, body['expires_in'], body['token_type']]).toEqual([200, 1_800, 'Bearer'])
  const person = sim.people[1]
  expect(claims(body['id_token'])).toMatchObject({
    iss: new URL(sim.addresses.token).origin,
    aud: sim.clientId,
    nonce: 'n1',
    email: person?.email,
    xero_userid: person?.id,
    given_name: person?.firstName,
    family_name: person?.lastName,
  })
  expect(claims(body['access_token'])['authentication_event_id']).toMatch(/^[\da-f-]{36}$/)
})

test('an ID token is signed by the key in the discovery document', async () => {
  const { sim } = await started()
  const token = String((await exchange(sim, await codeFrom(sim))).body['id_token'])
  const origin = new URL(sim.addresses.token).origin
  const found = await readReply(fetch(`${origin}/.well-known/openid-configuration`))
  expect(found.body).toMatchObject({
    issuer: origin,
    token_endpoint: sim.addresses.token,
    authorization_endpoint: sim.addresses.authorise,
  })
  const { body } = await readReply(fetch(String(found.body['jwks_uri'])))
  const [key = {}] = body['keys'] as JsonWebKey[]
  const [head, payload, signature = ''] = token.split('.')
  const publicKey = createPublicKey({ key, format: 'jwk' })
  expect(verify('sha256', Buffer.from(`${head}.${payload}`), publicKey, Buffer.from(signature, 'base64url'))).toBe(true)
})

test('cancelling redirects with access_denied and the state', async () => {
  const { sim } = await started()
  const back = new URL(await sim.consent(authoriseUrl(sim), { deny: true }))
  expect(Object.fromEntries(back.searchParams)).toEqual({ error: 'access_denied', state: 's1' })
})

test('consent without a company shows the page again, with nothing selected and the request’s parameters', async () => {
  const { sim } = await started()
  const body = new URLSearchParams([
    ...new URL(authoriseUrl(sim)).searchParams,
    ['person', sim.people[1]?.id ?? ''],
    ['decision', 'allow'],
  ])
  const answer = await fetch(sim.addresses.authorise, { method: 'POST', body, redirect: 'manual' })
  const page = await answer.text()
  expect([answer.status, page.includes('Choose who you are and at least one company.')]).toEqual([400, true])
  expect([...page.matchAll(/type="hidden" name="([^"]+)"/g)].map(([, name]) => name)).toEqual([
    ...new URL(authoriseUrl(sim)).searchParams.keys(),
  ])
  expect(page).not.toMatch(/type="checkbox"[^>]* checked/)
})

test('an unknown scope redirects with invalid_scope; an unknown app or redirect address is reported on the page', async () => {
  const { sim } = await started({ redirectUris: [home] })
  const back = new URL(await sim.consent(authoriseUrl(sim, { scope: 'openid accounting.everything' }), {}))
  expect(back.searchParams.get('error')).toBe('invalid_scope')
  await expect(sim.consent(authoriseUrl(sim, { client_id: 'unknown' }), {})).rejects.toThrow('unauthorized_client')
  await expect(sim.consent(authoriseUrl(sim, { redirect_uri: `${home}/x` }), {})).rejects.toThrow('redirect_uri')
})

test('a code works once, within five minutes, for its app and its address', async () => {
  const { sim, clock } = await started()
  const code = await codeFrom(sim)
  expect((await exchange(sim, code)).status).toBe(200)
  expect((await exchange(sim, code)).body).toEqual({ error: 'invalid_grant' })
  expect((await exchange(sim, await codeFrom(sim), { redirect_uri: `${home}2` })).body).toEqual({
    error: 'invalid_grant',
  })
  const forAnother = { grant_type: 'authorization_code', code: await codeFrom(sim), redirect_uri: home }
  expect((await tokenCall(sim, forAnother, sim.otherApp)).body).toEqual({ error: 'invalid_grant' })
  const late = await codeFrom(sim)
  clock.advance(5 * minuteMs)
  expect((await exchange(sim, late)).body).toEqual({ error: 'invalid_grant' })
})

test('a code with a challenge requires its verifier', async () => {
  const { sim } = await started()
  const verifier = 'v'.repeat(43)
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  const asked = { code_challenge: challenge, code_challenge_method: 'S256' }
  expect((await exchange(sim, await codeFrom(sim, asked))).body).toEqual({ error: 'invalid_grant' })
  expect((await exchange(sim, await codeFrom(sim, asked), { code_verifier: 'w'.repeat(43) })).body).toEqual({
    error: 'invalid_grant',
  })
  expect((await exchange(sim, await codeFrom(sim, asked), { code_verifier: verifier })).status).toBe(200)
  const plain = new URL(
    await sim.consent(authoriseUrl(sim, { code_challenge: verifier, code_challenge_method: 'plain' }), {}),
  )
  expect(plain.searchParams.get('error')).toBe('invalid_request')
})

test('a refresh token rotates; the previous one returns the same tokens for 30 minutes and then expires', async () => {
  const { sim, clock } = await started()
  const { refreshToken: first } = sim.issueToken()
  const second = (await renew(sim, first)).body['refresh_token']
  expect(second).not.toBe(first)
  clock.advance(29 * minuteMs)
  expect((await renew(sim, first)).body['refresh_token']).toBe(second)
  clock.advance(minuteMs)
  expect(await renew(sim, first)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
  const third = (await renew(sim, second)).body['refresh_token']
  expect((await renew(sim, first)).body).toEqual({ error: 'invalid_grant' })
  expect((await renew(sim, third)).status).toBe(200)
})

test('a renewal whose response is lost can be retried with the same token', async () => {
  const { sim } = await started()
  const { refreshToken } = sim.issueToken()
  sim.faults.inject({ kind: 'lostAnswer', path: 'connect/token' })
  await expect(renew(sim, refreshToken)).rejects.toThrow('fetch failed')
  const again = await renew(sim, refreshToken)
  expect(again.status).toBe(200)
  expect((await renew(sim, again.body['refresh_token'])).status).toBe(200)
})

test('a refresh token expires after 60 unused days or by revocation, and belongs to one app', async () => {
  const { sim, clock } = await started()
  const kept = sim.issueToken(0)
  expect((await renew(sim, kept.refreshToken, sim.otherApp)).body).toEqual({ error: 'invalid_grant' })
  clock.advance(60 * dayMs)
  const renewed = await renew(sim, kept.refreshToken)
  expect(renewed.status).toBe(200)
  clock.advance(60 * dayMs + 1)
  expect((await renew(sim, renewed.body['refresh_token'])).body).toEqual({ error: 'invalid_grant' })
  const ended = sim.issueToken(1)
  sim.revoke(1)
  expect((await renew(sim, ended.refreshToken)).body).toEqual({ error: 'invalid_grant' })
})

test('an access token lives 30 minutes', async () => {
  const { sim, clock } = await started()
  const get = reader(sim)
  clock.advance(30 * minuteMs - 1)
  expect((await get('Organisation')).status).toBe(200)
  clock.advance(1)
  expect(await get('Organisation')).toMatchObject({
    status: 401,
    body: { Title: 'Unauthorized', Detail: expect.stringContaining('TokenExpired') },
  })
})

test('a wrong secret is an invalid client; client credentials may also be in the body', async () => {
  const { sim } = await started()
  const wrong = { clientId: sim.clientId, clientSecret: 'guessed' }
  expect(await renew(sim, sim.issueToken().refreshToken, wrong)).toMatchObject({
    status: 400,
    body: { error: 'invalid_client' },
  })
  const form = {
    grant_type: 'refresh_token',
    refresh_token: sim.issueToken().refreshToken,
    client_id: sim.clientId,
    client_secret: sim.clientSecret,
  }
  expect(
    (await readReply(fetch(sim.addresses.token, { method: 'POST', body: new URLSearchParams(form) }))).status,
  ).toBe(200)
})

async function connections(sim: XeroSimulator, token: string, more = '', method = 'GET') {
  const answer = await fetch(new URL(`/connections${more}`, sim.addresses.api), {
    method,
    headers: { authorization: `Bearer ${token}` },
  })
  return {
    status: answer.status,
    list: answer.status === 200 ? ((await answer.json()) as Record<string, string>[]) : [],
  }
}

test('connections list the companies of one person and app, optionally of one consent event, and can be deleted', async () => {
  const { sim } = await started()
  const [first = '', second = ''] = sim.companies.map(({ tenantId }) => tenantId)
  sim.issueToken(0, [first])
  const { accessToken } = sim.issueToken(0, [second])
  sim.issueToken(1, [first])
  const all = await connections(sim, accessToken)
  expect(all.list.map(({ tenantId }) => tenantId)).toEqual([first, second])
  expect(Object.keys(all.list[0] ?? {})).toEqual([
    'id',
    'authEventId',
    'tenantId',
    'tenantType',
    'tenantName',
    'createdDateUtc',
    'updatedDateUtc',
  ])
  const event = String(claims(accessToken)['authentication_event_id'])
  expect((await connections(sim, accessToken, `?authEventId=${event}`)).list.map(({ tenantId }) => tenantId)).toEqual([
    second,
  ])

  const ended = `/${all.list[1]?.['id']}`
  expect((await connections(sim, accessToken, ended, 'DELETE')).status).toBe(204)
  expect((await connections(sim, accessToken, ended, 'DELETE')).status).toBe(404)
  expect((await reader(sim, accessToken, second)('Organisation')).body).toMatchObject({
    Title: 'Forbidden',
    Detail: 'AuthenticationUnsuccessful',
  })
  expect((await reader(sim, accessToken, first)('Organisation')).status).toBe(200)
})

test('a custom connection signs in without a person, has one implicit company, and gets no refresh token', async () => {
  const { sim } = await started()
  const ask = (scopes: string) => tokenCall(sim, { grant_type: 'client_credentials', scope: scopes }, sim.machine)
  const { body } = await ask('accounting.settings.read')
  expect(Object.keys(body)).toEqual(['access_token', 'expires_in', 'token_type', 'scope'])
  const get = reader(sim, String(body['access_token']), '')
  expect((await get('Organisation')).body).toMatchObject({ Organisations: [{ OrganisationID: sim.machine.tenantId }] })
  expect((await get('Invoices')).status).toBe(401)
  expect((await ask('accounting.everything')).body).toEqual({ error: 'invalid_scope' })
  expect((await tokenCall(sim, { grant_type: 'client_credentials' })).body).toEqual({ error: 'unauthorized_client' })
})

test('consents and books survive a restart of the simulator', async () => {
  const memory = join(mkdtempSync(join(tmpdir(), 'xero-')), 'books')
  const { sim, clock } = await started({ memory })
  const { refreshToken } = sim.issueToken()
  for (let step = 0; step < 5; step += 1) sim.tick()
  const tenantId = sim.companies[0]?.tenantId ?? ''
  const books = sim.readRows(tenantId, 'Invoices')
  await sim.close()
  clock.advance(40 * dayMs)
  const next = await startXero({ clock, seed: 3, size: small, memory })
  onTestFinished(() => next.close())
  expect(next.readRows(tenantId, 'Invoices')).toEqual(books)
  const { body } = await renew(next, refreshToken)
  expect((await reader(next, String(body['access_token']))('Organisation')).status).toBe(200)
  for (let step = 0; step < 20; step += 1) next.tick()
})
