import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT, type CryptoKey, type JWTPayload } from 'jose'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { findFreePort } from '@tributary/testing/databases/free-port.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'

type Forgery = (claims: JWTPayload) => string | Promise<string>

const clientId = 'tributary-test'
const clientSecret = 'a secret that is long enough to sign with'
let app: TestApp
let home: string
let issuer: string
let server: Server
let key: CryptoKey
let foreignKey: CryptoKey
/** Creates the next ID token of the issuer. */
let forge: Forgery
let nonce: string
/** The client authentication methods in the issuer's metadata. */
let authMethods: readonly string[] | undefined
/** The latest token request. */
let tokenRequest: { readonly header: string | undefined; readonly body: string }

beforeAll(async () => {
  const own = await generateKeyPair('RS256')
  key = own.privateKey
  foreignKey = (await generateKeyPair('RS256')).privateKey
  const port = await findFreePort()
  issuer = `http://127.0.0.1:${port}`
  server = await serve(port, { ...(await exportJWK(own.publicKey)), kid: 'one', alg: 'RS256', use: 'sig' })
  const appPort = await findFreePort()
  home = `http://127.0.0.1:${appPort}`
  app = await testApp({
    env: {
      TRIBUTARY_PUBLIC_URL: home,
      TRIBUTARY_OIDC_ACME_ISSUER: issuer,
      TRIBUTARY_OIDC_ACME_CLIENT_ID: clientId,
      TRIBUTARY_OIDC_ACME_CLIENT_SECRET: clientSecret,
    },
  })
  await app.http.listen({ host: '127.0.0.1', port: appPort })
})
afterAll(async () => {
  await app[Symbol.asyncDispose]()
  server.closeAllConnections()
  server.close()
})
beforeEach(() => app.clock.advance(11 * 60_000))

/** An issuer whose ID tokens are what `forge` makes of the right claims. */
async function serve(port: number, jwk: object): Promise<Server> {
  const replies: Readonly<Record<string, () => Promise<object>>> = {
    '/.well-known/openid-configuration': async () => ({
      issuer,
      authorization_endpoint: `${issuer}/auth`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      token_endpoint_auth_methods_supported: authMethods,
    }),
    '/jwks': async () => ({ keys: [jwk] }),
    '/token': async () => ({ access_token: 'any', token_type: 'Bearer', id_token: await forge(rightClaims()) }),
  }
  const reply = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await text(request)
    if (request.url === '/token') tokenRequest = { header: request.headers.authorization, body }
    response.setHeader('content-type', 'application/json').end(JSON.stringify(await replies[request.url ?? '']?.()))
  }
  const listening = createServer((request, response) => void reply(request, response))
  listening.listen({ host: '127.0.0.1', port })
  await once(listening, 'listening')
  return listening
}

function rightClaims(): JWTPayload {
  const now = Math.floor(Date.now() / 1_000)
  return {
    iss: issuer,
    aud: clientId,
    sub: 'eve',
    nonce,
    iat: now,
    exp: now + 300,
    email: 'eve@idp.example',
    email_verified: 'true',
    given_name: 'E\u0000ve\nNew',
  }
}

/** Signs up with such an ID token; returns the URL of the landing page. */
async function signUpWith(forgery: Forgery): Promise<URL> {
  forge = forgery
  const redirection = await fetch(`${home}/api/auth/external/acme?purpose=signup`, { redirect: 'manual' })
  const requestParameters = new URL(redirection.headers.get('location') ?? '').searchParams
  nonce = requestParameters.get('nonce') ?? ''
  const cookie = redirection.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  const back = await fetch(`${home}/api/auth/external/acme/callback?code=any&state=${requestParameters.get('state')}`, {
    redirect: 'manual',
    headers: { cookie },
  })
  return new URL(back.headers.get('location') ?? '', home)
}

function sign(claims: JWTPayload, { by = key, alg = 'RS256', kid = 'one' } = {}): Promise<string> {
  return new SignJWT(claims).setProtectedHeader({ alg, kid }).sign(by)
}

function without(claims: JWTPayload, name: string): JWTPayload {
  return Object.fromEntries(Object.entries(claims).filter(([one]) => one !== name))
}

test('the right ID token is accepted, and its claims are sanitised for a form', async () => {
  const at = await signUpWith(sign)
  expect([at.pathname, [...at.searchParams.keys()]]).toEqual(['/signup', ['provider', 'atid']])
  const stored = await app.store.across((db) => db.selectFrom('pendingIdentity').selectAll().executeTakeFirstOrThrow())
  expect(stored).toMatchObject({
    subject: 'eve',
    emailAddress: 'eve@idp.example',
    isEmailVerified: false,
    firstName: 'E ve New',
    lastName: null,
  })
})

const hour = 3_600
const forgeries: Readonly<Record<string, Forgery>> = {
  'of another issuer': (claims) => sign({ ...claims, iss: 'https://evil.example' }),
  'of nearly the same issuer': (claims) => sign({ ...claims, iss: `${issuer}/` }),
  'for another client': (claims) => sign({ ...claims, aud: 'somebody-else' }),
  'for several clients and authorised for another': (claims) =>
    sign({ ...claims, aud: [clientId, 'somebody-else'], azp: 'somebody-else' }),
  'with another nonce': (claims) => sign({ ...claims, nonce: 'B'.repeat(43) }),
  'without a nonce': (claims) => sign(without(claims, 'nonce')),
  'without a subject': (claims) => sign(without(claims, 'sub')),
  'with an invalid subject': (claims) => sign({ ...claims, sub: 'e\u0000ve' }),
  'that has expired': (claims) => sign({ ...claims, iat: (claims.iat ?? 0) - hour, exp: (claims.exp ?? 0) - hour }),
  'that is not valid yet': (claims) => sign({ ...claims, nbf: (claims.exp ?? 0) + hour }),
  'without an expiry': (claims) => sign(without(claims, 'exp')),
  'signed by another party': (claims) => sign(claims, { by: foreignKey }),
  'signed by a key that is not the issuer’s': (claims) => sign(claims, { by: foreignKey, kid: 'two' }),
  'signed with the client’s secret': (claims) =>
    new SignJWT(claims).setProtectedHeader({ alg: 'HS256', kid: 'one' }).sign(new TextEncoder().encode(clientSecret)),
  'without a signature': (claims) => new UnsecuredJWT(claims).encode(),
  'whose claims were changed after signing': async (claims) => {
    const [header, , signature] = (await sign(claims)).split('.')
    return [header, Buffer.from(JSON.stringify({ ...claims, sub: 'admin' })).toString('base64url'), signature].join('.')
  },
  'that is malformed': () => 'nonsense',
}

test.each(Object.entries(forgeries))('an ID token %s is refused', async (_, forgery) => {
  const at = await signUpWith(forgery)
  expect([at.pathname, Object.fromEntries(at.searchParams)]).toEqual([
    '/signup',
    { error: 'unknown', provider: 'acme' },
  ])
})

test('the client authenticates with the provider’s first supported method', async () => {
  const basic = `Basic ${Buffer.from(`tributary%2Dtest:${clientSecret.replaceAll(' ', '+')}`).toString('base64')}`
  for (const [named, header, secret] of [
    [undefined, basic, null],
    [['private_key_jwt', 'client_secret_basic', 'client_secret_post'], basic, null],
    [['client_secret_post', 'client_secret_basic'], undefined, clientSecret],
  ] as const) {
    authMethods = named
    // The metadata is cached for an hour.
    app.clock.advance(3_600_000)
    expect((await signUpWith(sign)).searchParams.has('atid')).toBe(true)
    const clientSecretSent = new URLSearchParams(tokenRequest.body).get('client_secret')
    expect([tokenRequest.header, clientSecretSent]).toEqual([header, secret])
  }
})
