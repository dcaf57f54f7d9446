/** Signature version 4 of AWS: https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html */
import { createHash, createHmac } from 'node:crypto'
import type { HttpRequest } from './http-session.ts'

export interface AwsCredentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  /** Of temporary credentials. */
  readonly sessionToken?: string
}

export interface SigningScope {
  readonly region: string
  /** `s3`, `glue`, `s3tables`, `execute-api`. */
  readonly service: string
}

/** The headers that sign a request at the time `now`, milliseconds since 1970. The host header must be the URL's. */
export function signedHeaders(
  request: HttpRequest,
  credentials: AwsCredentials,
  scope: SigningScope,
  now: number,
): Readonly<Record<string, string>> {
  const stamp = new Date(now).toISOString().replace(/[-:]|\.\d{3}/gu, '')
  const payloadHash = sha256(request.body ?? '')
  const added = {
    'x-amz-content-sha256': payloadHash,
    'x-amz-date': stamp,
    ...(credentials.sessionToken !== undefined && { 'x-amz-security-token': credentials.sessionToken }),
  }
  const signed = Object.entries({ ...request.headers, ...added, host: request.url.host })
    .map(([name, value]) => [name.toLowerCase(), value.trim().replace(/ +/gu, ' ')] as const)
    .sort(([one], [other]) => (one < other ? -1 : 1))
  const names = signed.map(([name]) => name).join(';')
  const canonical = [
    request.method,
    canonicalPath(request.url, scope.service),
    canonicalQuery(request.url),
    ...signed.map(([name, value]) => `${name}:${value}`),
    '',
    names,
    payloadHash,
  ].join('\n')
  const day = stamp.slice(0, 8)
  const within = `${day}/${scope.region}/${scope.service}/aws4_request`
  const text = `AWS4-HMAC-SHA256\n${stamp}\n${within}\n${sha256(canonical)}`
  const key = [day, scope.region, scope.service, 'aws4_request'].reduce<string | Buffer>(
    (secret, part) => createHmac('sha256', secret).update(part).digest(),
    `AWS4${credentials.secretAccessKey}`,
  )
  const signature = createHmac('sha256', key).update(text).digest('hex')
  return {
    ...added,
    authorization: `AWS4-HMAC-SHA256 Credential=${credentials.accessKeyId}/${within}, SignedHeaders=${names}, Signature=${signature}`,
  }
}

/** Encodes all but the unreserved characters of RFC 3986, as AWS requires. */
export function encodeStrictly(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/gu, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`)
}

/** S3 signs the path as it is sent; every other service encodes it a second time. */
function canonicalPath({ pathname }: URL, service: string): string {
  return service === 's3' ? pathname : pathname.split('/').map(encodeStrictly).join('/')
}

function canonicalQuery({ searchParams }: URL): string {
  return [...searchParams]
    .map(([name, value]) => `${encodeStrictly(name)}=${encodeStrictly(value)}`)
    .sort()
    .join('&')
}

function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}
