/** Access tokens as somebody would forge them, presented at the door. */
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
/** The right claims, unless told otherwise, under a header that names our own key. */
function sign(key: SigningTestKey, header: Header, payload: JWTPayload = claims): Promise<string> {
  return new SignJWT(payload).setProtectedHeader({ typ: 'at+jwt', kid, ...header }).sign(key)
}
function endless(): JWTPayload {
  const { exp: _, ...others } = claims
  return others
}
const part = (value: object) => base64url.encode(JSON.stringify(value))

test('the token that the forgeries are made from, signed by its own key, is taken', async () => {
  expect((await statusOf(await sign(ownKey, { alg: 'HS256' })))[0]).toBe(200)
})

const publicKeys: readonly (readonly [name: string, key: KeyObject])[] = [
  ['RSA', rsa.publicKey],
  ['an elliptic curve', curve.publicKey],
]
const swapped: readonly (readonly [what: string, make: () => Promise<string> | string])[] = [
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
  ['HS256 with the id of our key for a secret', () => sign(Buffer.from(kid), { alg: 'HS256' })],
  ['HS256 with zeros', () => sign(Buffer.alloc(32), { alg: 'HS256' })],
  ['HS384 with our own key', () => sign(Buffer.concat([ownKey, Buffer.alloc(16)]), { alg: 'HS384' })],
  ['HS512 with our own key', () => sign(Buffer.concat([ownKey, Buffer.alloc(32)]), { alg: 'HS512' })],
  ['RS256 of another key', () => sign(rsa.privateKey, { alg: 'RS256' })],
  ['PS256 of another key', () => sign(rsa.privateKey, { alg: 'PS256' })],
  ['ES256 of another key', () => sign(curve.privateKey, { alg: 'ES256' })],
  ['EdDSA of another key', () => sign(edwards.privateKey, { alg: 'EdDSA' })],
  [
    'RS256 of a key that the token brings along',
    () => sign(rsa.privateKey, { alg: 'RS256', jwk: rsa.publicKey.export({ format: 'jwk' }) }),
  ],
  [
    'ES256 of a key that the token names an address for',
    () => sign(curve.privateKey, { alg: 'ES256', jku: 'https://keys.invalid/jwks.json' }),
  ],
  ['a key that nobody has', () => sign(ownKey, { alg: 'HS256', kid: '00000000-0000-4000-8000-000000000001' })],
  ['another type', () => sign(ownKey, { alg: 'HS256', typ: 'JWT' })],
  ['another audience', () => sign(ownKey, { alg: 'HS256' }, { ...claims, aud: 'somebody' })],
  [
    'an end that has come',
    () => sign(ownKey, { alg: 'HS256' }, { ...claims, exp: Math.floor(app.clock.now() / 1_000) - 1 }),
  ],
  ['no end at all', () => sign(ownKey, { alg: 'HS256' }, endless())],
  [
    'something critical that nobody knows',
    () =>
      sign(ownKey, { alg: 'HS256', crit: ['exp'], exp: 1 }).catch(
        () => `${part({ alg: 'HS256', typ: 'at+jwt', kid, crit: ['x'], x: 1 })}.${part(claims)}.AAAA`,
      ),
  ],
]

test.each(swapped)('a token with another algorithm, key, type, audience or end is none: %s', async (_what, make) => {
  expect(await statusOf(await make())).toEqual([401, 'Unauthorized'])
})
