/** Hostile calls, broken below the level that schemas validate: HTTP, encoding and headers. */
import type { Random } from '@tributary/sims/random'
import type { FuzzRequest } from './send.ts'

type HostileChange = (request: FuzzRequest, random: Random) => FuzzRequest

const hostileChanges: readonly (readonly [what: string, spoil: HostileChange])[] = [
  ['another content type', (request, random) => withHeader(request, 'content-type', random.pick(contentTypes))],
  ['no content type', (request) => ({ ...request, headers: without(request.headers, 'content-type') })],
  ['a body cut short', (request, random) => ({ ...request, body: cut(request.body, random) })],
  [
    'a body that is no JSON',
    (request, random) => ({
      ...request,
      body: random.pick(noJson),
      headers: { ...request.headers, 'content-type': 'application/json' },
    }),
  ],
  [
    'a body that is too large',
    (request) => ({
      ...request,
      body: `{"a":"${'q'.repeat(1_100_000)}"}`,
      headers: { ...request.headers, 'content-type': 'application/json' },
    }),
  ],
  [
    'another method',
    (request, random) => ({
      ...request,
      method: random.pick(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY']),
    }),
  ],
  ['an encoded path', (request) => ({ ...request, path: encodeSome(request.path) })],
  ['a path encoded twice', (request) => ({ ...request, path: encodeSome(request.path).replaceAll('%', '%25') })],
  ['a path with more in it', (request, random) => ({ ...request, path: random.pick(detours)(request.path) })],
  [
    'a long header',
    (request, random) => withHeader(request, 'x-long', 'q'.repeat(random.pick([4_000, 15_000, 40_000]))),
  ],
  ['a long token', (request) => withHeader(request, 'authorization', `Bearer ${'q'.repeat(9_000)}`)],
  ['an odd token', (request, random) => withHeader(request, 'authorization', random.pick(tokens))],
  ['odd cookies', (request, random) => withHeader(request, 'cookie', random.pick(cookies))],
  ['another site', (request, random) => ({ ...request, headers: { ...request.headers, ...random.pick(origins) } })],
  ['the query twice', (request) => ({ ...request, path: twice(request.path) })],
  [
    'an odd query',
    (request, random) => ({
      ...request,
      path: `${request.path}${request.path.includes('?') ? '&' : '?'}${random.pick(queries)}`,
    }),
  ],
  [
    'an invalid encoding',
    (request, random) => withHeader(request, 'content-encoding', random.pick(['gzip', 'br', 'nonsense'])),
  ],
  ['odd headers', (request, random) => ({ ...request, headers: { ...request.headers, ...random.pick(oddHeaders) } })],
]

export function makeHostile(
  request: FuzzRequest,
  random: Random,
): { readonly request: FuzzRequest; readonly what: string } {
  const [what, spoil] = random.pick(hostileChanges)
  return { request: spoil(request, random), what }
}

function withHeader(request: FuzzRequest, name: string, value: string): FuzzRequest {
  return { ...request, headers: { ...request.headers, [name]: value } }
}

function without(headers: Readonly<Record<string, string>>, name: string): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([key]) => key !== name))
}

function cut(body: string | Buffer | undefined, random: Random): string {
  const text = body === undefined ? '{"a":1}' : body.toString()
  return text.slice(0, random.between(0, Math.max(0, text.length - 1)))
}

const contentTypes = [
  [
    'text/plain',
    'text/html',
    'application/xml',
    'multipart/form-data; boundary=x',
    'application/x-www-form-urlencoded',
    'application/json; charset=utf-7',
  ],
  [
    'application/json, text/plain',
    'APPLICATION/JSON',
    'application/jsonp',
    'application/vnd.api+json',
    '',
    ';',
    'a'.repeat(500),
    'application/octet-stream',
  ],
].flat()
const noJson = [
  '',
  '{',
  '{]',
  '{"a":}',
  "{'a':1}",
  '{"a":1}}',
  'NaN',
  'undefined',
  '\uFEFF{}',
  '{"a":1,}',
  '\0',
  '{"a":"\t"}',
  '<a/>',
  '"\\uD800"',
  '[1e400]',
]
const detours: readonly ((path: string) => string)[] = [
  (path) => `/${path}`,
  (path) => path.replace('/api/', '/api//'),
  (path) => path.replace('/api/', '/api/./'),
  (path) => path.replace('/api/', '/api/x/../'),
  (path) => path.replace('/api/', '/API/'),
  (path) => `${path}/`,
  (path) => `${path}%2F`,
  (path) => `${path};a=b`,
  (path) => `${path}%00`,
  (path) => `${path}%0d%0aX-Y:%20z`,
  (path) => `${path}%`,
  (path) => `${path}%zz`,
  (path) => `http://elsewhere.invalid${path}`,
  (path) => path.replaceAll('/', '%2F'),
  (path) => `${path}${'/a'.repeat(2_000)}`,
]
const tokens = [
  'Bearer',
  'Bearer ',
  'Bearer a.b.c',
  'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.',
  'Basic YTpi',
  'bearer  x',
  'Bearer x y',
  ',',
  'Bearer null',
]
const cookies = [
  'tributary_refresh=',
  'tributary_refresh=a.b',
  '=',
  ';;;',
  'tributary_device=%',
  `a=${'q'.repeat(6_000)}`,
  '__proto__=1',
  'tributary_refresh=x; tributary_refresh=y',
]
const origins: readonly Readonly<Record<string, string>>[] = [
  { origin: 'https://elsewhere.invalid' },
  { origin: 'null' },
  { origin: '://' },
  { 'sec-fetch-site': 'cross-site' },
  { host: 'elsewhere.invalid' },
  { host: 'localhost:3000, elsewhere.invalid' },
  { 'x-forwarded-for': '8.8.8.8', 'x-forwarded-host': 'elsewhere.invalid', 'x-forwarded-proto': 'gopher' },
]
const queries = [
  'a[]=1',
  'a[b][c]=1',
  'orgId=1&orgId=2',
  '__proto__[x]=1',
  'page=1;pageSize=2',
  '%',
  '%zz=1',
  '=',
  '?',
  `a=${'q'.repeat(7_000)}`,
  'orgId',
  'orgId=',
  '%00=1',
]
const oddHeaders: readonly Readonly<Record<string, string>>[] = [
  { accept: 'text/xml' },
  { 'accept-encoding': 'nonsense' },
  { 'if-none-match': '*' },
  { range: 'bytes=0-1' },
  { expect: '100-continue' },
  { 'x-http-method-override': 'DELETE' },
  { 'accept-language': 'q'.repeat(2_000) },
  { 'if-modified-since': 'never' },
]

function encodeSome(path: string): string {
  const [address = '', query] = path.split('?')
  const coded = [...address]
    .map((sign, at) => (at % 3 === 2 && /[a-z]/u.test(sign) ? `%${sign.charCodeAt(0).toString(16)}` : sign))
    .join('')
  return query === undefined ? coded : `${coded}?${query}`
}

function twice(path: string): string {
  const [address = '', query] = path.split('?')
  return query === undefined ? `${address}?orgId=a&orgId=b` : `${address}?${query}&${query}`
}
