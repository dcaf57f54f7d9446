/** Tokens: RS256 signatures for tokens that clients verify, HMAC seals for tokens that only the simulator reads. */
import { createHmac, generateKeyPairSync, sign, timingSafeEqual } from 'node:crypto'
import type { KeyObject } from 'node:crypto'

interface SigningKeys {
  readonly privateKey: KeyObject
  readonly publicKey: KeyObject
}

let keyPair: SigningKeys | null = null

/** Lazy, because generating a key takes a while. */
function keys(): SigningKeys {
  keyPair ??= generateKeyPairSync('rsa', { modulusLength: 2048 })
  return keyPair
}

const keyId = 'xero-simulator'

const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')

export function signedJwt(claims: Readonly<Record<string, unknown>>): string {
  const text = `${encoded({ alg: 'RS256', typ: 'JWT', kid: keyId })}.${encoded(claims)}`
  return `${text}.${sign('sha256', Buffer.from(text), keys().privateKey).toString('base64url')}`
}

export function publicKeys(): unknown {
  return { keys: [{ ...keys().publicKey.export({ format: 'jwk' }), kid: keyId, use: 'sig', alg: 'RS256' }] }
}

export function seal(value: unknown, secret: string): string {
  const text = encoded(value)
  return `${text}.${sealOf(text, secret)}`
}

/** The sealed value; undefined if the seal is invalid. */
export function unseal(token: string, secret: string): unknown {
  const [text = '', seal = ''] = token.split('.')
  const expected = sealOf(text, secret)
  if (seal.length !== expected.length || !timingSafeEqual(Buffer.from(seal), Buffer.from(expected))) return undefined
  return JSON.parse(Buffer.from(text, 'base64url').toString())
}

const sealOf = (text: string, secret: string): string => createHmac('sha256', secret).update(text).digest('base64url')
