/**
 * The form of an access token: a prefix, 256 random bits and a checksum, such as `trib_pat_…`. Scanners recognise it, a
 * double-click selects it, and a token that was copied incompletely is refused without a query.
 */
import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { tokenPrefixes } from '@tributary/contract/token-scopes'

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** Of 256 bits in base 62. */
const secretLength = 43
/** Of 32 bits in base 62. */
const checksumLength = 6
/** What OAuth issues to assistants: access tokens, refresh tokens and authorisation codes. */
const oauthPrefixes = { access: 'trib_oat_', refresh: 'trib_ort_', code: 'trib_oac_' } as const
const prefixes = { ...tokenPrefixes, ...oauthPrefixes }
export type TokenKind = keyof typeof prefixes
const form = new RegExp(`^[0-9A-Za-z]{${secretLength + checksumLength}}$`, 'u')

/** It must not be stored or logged. */
export function generateToken(kind: TokenKind): string {
  const secret = encode(BigInt(`0x${randomBytes(32).toString('hex')}`), secretLength)
  const body = `${prefixes[kind]}${secret}`
  return `${body}${checksumOf(body)}`
}

/** Whether the text begins like a token of a kind, even if the rest is wrong. */
export function looksLikeToken(text: string, kinds: readonly TokenKind[]): boolean {
  return kinds.some((kind) => text.startsWith(prefixes[kind]))
}

export function isToken(text: string, kind: TokenKind): boolean {
  const prefix = prefixes[kind]
  if (!text.startsWith(prefix) || !form.test(text.slice(prefix.length))) return false
  return text.endsWith(checksumOf(text.slice(0, -checksumLength)))
}

function checksumOf(body: string): string {
  return encode(BigInt(crc32(body)), checksumLength)
}

function encode(value: bigint, length: number): string {
  let text = ''
  for (let rest = value; text.length < length; rest /= 62n) text = `${digits[Number(rest % 62n)]}${text}`
  return text
}
