/** Forged access tokens. */
import { createSecretKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import type { FaultReply } from '@tributary/contract/faults'
import { base64url, decodeJwt, decodeProtectedHeader, SignJWT, type JWTPayload } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'

let app: TestApp
let ownKey: Buffer
let claims: JWTPayload
let kid: string
beforeAll(async () => {
  app = await testApp()
  const token = (await app.as.superadmin.session())?.accessToken ?? ''
  claims = decodeJwt(token)
  kid = decodeProtectedHeader(token).kid ?? ''
  ownKey = (await app.services.serverKeys.find('access token', kid)) ?? Buffer.alloc(0)
})
afterAll(() => app[Symbol.asyncDispose]())

type SigningTestKey = KeyObject | Uint8Array
type Header = Readonly<Record<string, unknown>> & { readonly alg: string }

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
const curve = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const edwards = generateKeyPairSync('ed25519')

async function statusOf(token: string): Promise<readonly [number, string | undefined]> {
  const reply = await app.as.visitor.send<FaultReply>('GET', '/api/users', {
    headers: { authorization: `Bearer ${token}` },
  })
  return [reply.status, reply.body.message]
}
/** Signs the genuine claims, unless others are passed, with a header that names the genuine key. */
function sign(key: SigningTestKey, header: Header, payload: JWTPayload = claims): Promise<string> {
  return new SignJWT(payload).setProtectedHeader({ typ: 'at+jwt', kid, ...header }).sign(key)
}
function claimsWithoutExpiry(): JWTPayload {
  const { exp: _, ...others } = claims
  return others
}
const part = (value: object) => base64url.encode(JSON.stringify(value))

test('the genuine token that the forgeries are derived from is accepted', async () => {
  expect((await statusOf(await sign(ownKey, { alg: 'HS256' })))[0]).toBe(200)
})

const publicKeys: readonly (readonly [name: string, key: KeyObject])[] = [
  ['RSA', rsa.publicKey],
  ['an elliptic curve', curve.publicKey],
]
const forgeries: readonly (readonly [what: string, make: () => Promise<string> | string])[] = [
  ['none, unsigned', () => `${part({ alg: 'none', typ: 'at+jwt', kid })}.${part(claims)}.`],
  ['None, unsigned', () => `${part({ alg: 'None', typ: 'at+jwt', kid })}.${part(claims)}.`],
  [
    'none, with the signature of another',
    async () =>
      `${part({ alg: 'none', typ: 'at+jwt', kid })}.${part(claims)}.${(await sign(ownKey, { alg: 'HS256' })).split('.')[2]}`,
  ],
  ...publicKeys.map(
    ([name, key]) =>
      [
        `HS256 with a public key of ${name}`,
        () => sign(createSecretKey(key.export({ type: 'spki', format: 'pem' }) as string, 'utf8'), { alg: 'HS256' }),
      ] as const,
  ),
  ['HS256 with the id of the genuine key as the secret', () => sign(Buffer.from(kid), { alg: 'HS256' })],
  ['HS256 with zeros', () => sign(Buffer.alloc(32), { alg: 'HS256' })],
  ['HS384 with the genuine key', () => sign(Buffer.concat([ownKey, Buffer.alloc(16)]), { alg: 'HS384' })],
  ['HS512 with the genuine key', () => sign(Buffer.concat([ownKey, Buffer.alloc(32)]), { alg: 'HS512' })],
  ['RS256 of another key', () => sign(rsa.privateKey, { alg: 'RS256' })],
  ['PS256 of another key', () => sign(rsa.privateKey, { alg: 'PS256' })],
  ['ES256 of another key', () => sign(curve.privateKey, { alg: 'ES256' })],
  ['EdDSA of another key', () => sign(edwards.privateKey, { alg: 'EdDSA' })],
  [
    'RS256 with a key in the token’s header (jwk)',
    () => sign(rsa.privateKey, { alg: 'RS256', jwk: rsa.publicKey.export({ format: 'jwk' }) }),
  ],
  [
    'ES256 with a key at a URL in the token’s header (jku)',
    () => sign(curve.privateKey, { alg: 'ES256', jku: 'https://keys.invalid/jwks.json' }),
  ],
  ['an unknown key id', () => sign(ownKey, { alg: 'HS256', kid: '00000000-0000-4000-8000-000000000001' })],
  ['another type', () => sign(ownKey, { alg: 'HS256', typ: 'JWT' })],
  ['another audience', () => sign(ownKey, { alg: 'HS256' }, { ...claims, aud: 'another-service' })],
  [
    'an expiry in the past',
    () => sign(ownKey, { alg: 'HS256' }, { ...claims, exp: Math.floor(app.clock.now() / 1_000) - 1 }),
  ],
  ['no expiry', () => sign(ownKey, { alg: 'HS256' }, claimsWithoutExpiry())],
  [
    'an unknown critical header',
    () =>
      sign(ownKey, { alg: 'HS256', crit: ['exp'], exp: 1 }).catch(
        () => `${part({ alg: 'HS256', typ: 'at+jwt', kid, crit: ['x'], x: 1 })}.${part(claims)}.AAAA`,
      ),
  ],
]

test.each(forgeries)('a forged or expired token is refused: %s', async (_what, make) => {
  expect(await statusOf(await make())).toEqual([401, 'Unauthorized'])
})
