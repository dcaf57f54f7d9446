/** Checks requests that are signed by AWS Signature Version 4, and says what is wrong. */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

export interface AccessKey {
  readonly secret: string
  /** Of temporary credentials. */
  readonly sessionToken?: string
  /** Milliseconds since 1970. */
  readonly expiresAt?: number
  /** The only keys of objects that it may touch begin with this. */
  readonly prefix?: string
}

export interface CheckedRequest {
  readonly request: IncomingMessage
  readonly body: Buffer
  readonly service: string
  readonly now: number
}

export type SignatureVerdict =
  | { readonly accepted: true; readonly key: AccessKey }
  | { readonly accepted: false; readonly code: string }

const skewMs = 15 * 60_000

const authorization =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8}\/[^/]+\/([^/]+)\/aws4_request), ?SignedHeaders=([^,]+), ?Signature=([\da-f]{64})$/u

export function checkSignature(keys: ReadonlyMap<string, AccessKey>, checked: CheckedRequest): SignatureVerdict {
  const sent = readSignature(checked)
  const key = keys.get(sent.keyId)
  if (key === undefined) return { accepted: false, code: 'InvalidAccessKeyId' }
  const problem = findProblem(key, checked, sent.names.split(';'))
  if (problem !== null) return { accepted: false, code: problem }
  const isRight = sent.service === checked.service && isSignedBy(key, checked, sent)
  if (!isRight) return { accepted: false, code: 'SignatureDoesNotMatch' }
  const hasExpired = checked.now >= (key.expiresAt ?? Number.POSITIVE_INFINITY)
  return hasExpired ? { accepted: false, code: 'ExpiredToken' } : { accepted: true, key }
}

function readSignature({ request }: CheckedRequest): SentSignature {
  const [, keyId = '', scope = '', service = '', names = '', signature = ''] =
    authorization.exec(request.headers.authorization ?? '') ?? []
  return { keyId, scope, service, names, signature }
}

interface SentSignature {
  readonly keyId: string
  readonly service: string
  readonly scope: string
  readonly names: string
  readonly signature: string
}

function isSignedBy(
  { secret }: AccessKey,
  checked: CheckedRequest,
  { scope, names, signature }: SentSignature,
): boolean {
  const stamp = String(checked.request.headers['x-amz-date'])
  const text = `AWS4-HMAC-SHA256\n${stamp}\n${scope}\n${sha256(canonicalRequest(checked, names))}`
  let signingKey: Buffer = Buffer.from(`AWS4${secret}`)
  for (const part of scope.split('/')) signingKey = createHmac('sha256', signingKey).update(part).digest()
  const expected = createHmac('sha256', signingKey).update(text).digest()
  return timingSafeEqual(expected, Buffer.from(signature, 'hex'))
}

function canonicalRequest({ request, body, service }: CheckedRequest, names: string): string {
  const [path = '', query = ''] = (request.url ?? '').split('?')
  const headerLines = names.split(';').map((name) => `${name}:${String(request.headers[name]).trim()}`)
  return [
    request.method,
    service === 's3' ? path : path.replaceAll('%', '%25'),
    query.split('&').filter(Boolean).sort().join('&'),
    ...headerLines,
    '',
    names,
    sha256(body),
  ].join('\n')
}

function sha256(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex')
}

function findProblem(key: AccessKey, { request, body, now }: CheckedRequest, names: readonly string[]): string | null {
  if (request.headers['x-amz-content-sha256'] !== sha256(body)) return 'XAmzContentSHA256Mismatch'
  if (key.sessionToken !== request.headers['x-amz-security-token']) return 'InvalidToken'
  const amazonHeaders = Object.keys(request.headers).filter((name) => name.startsWith('x-amz-'))
  if (!['host', ...amazonHeaders].every((name) => names.includes(name))) return 'SignatureDoesNotMatch'
  const sentAt = Date.parse(
    String(request.headers['x-amz-date']).replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/u, '$1-$2-$3T$4:$5:$6Z'),
  )
  return Math.abs(sentAt - now) <= skewMs ? null : 'RequestTimeTooSkewed'
}
