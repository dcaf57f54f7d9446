/** Descriptions of customers: what they may not do, and that nothing is sent before their hosts are approved. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sources } from '../../registry.ts'
import type { ApprovedHosts } from '../../ports/approved-hosts.ts'
import type { Network } from '../../ports/network.ts'
import type { ConnectionContext, ConnectorProperties, Source } from '../../ports/source.ts'
import { odataServiceSource } from './odata-service.ts'
import { parseRestDescription, restApiSource, restHosts } from './rest-api.ts'

const good = `title: Orders
base: https://api.example.com/v1/
hosts: [api.example.com]
signIn: { kind: bearer, token: key }
pace: { calls: 60, seconds: 60 }
paging: { kind: none }
check: { path: orders }
streams:
  order:
    path: orders
    records: ''
    key: [id]
    columns: { id: bigint }
`
const settings: readonly (readonly [Source, ConnectorProperties])[] = [
  [restApiSource, { 'rest-api.description': good, 'rest-api.key': 'secret-0001' }],
  [
    odataServiceSource,
    {
      'odata-service.address': 'https://api.example.com/odata',
      'odata-service.user': 'reader',
      'odata-service.password': 'secret-0001',
    },
  ],
]

function contextOf(approvedHosts?: ApprovedHosts): { readonly context: ConnectionContext; readonly dialled: string[] } {
  const dialled: string[] = []
  const network: Network = {
    dial: (host, port) => {
      dialled.push(`${host}:${port}`)
      return Promise.reject(new Error('No host answers in this test.'))
    },
  }
  const clock = { now: () => 0, sleep: () => Promise.resolve() } as unknown as ConnectionContext['clock']
  const context = { network, clock, signal: new AbortController().signal }
  return { context: approvedHosts === undefined ? context : { ...context, approvedHosts }, dialled }
}

const approving = (...hosts: string[]): ApprovedHosts => ({ hosts, refusalOf: (others) => `Not ${others.join(', ')}` })

test('[SRC-7] [SRC-9] every source that a customer describes refuses to open unless each of its hosts is approved', async () => {
  const customers = sources.filter(({ customer }) => customer !== undefined).map(({ type }) => type)
  expect(settings.map(([{ type }]) => type)).toEqual(customers)
  for (const [source, properties] of settings)
    for (const approval of [undefined, approving(), approving('example.com'), approving('api.example.com:8443')]) {
      const { context, dialled } = contextOf(approval)
      const opened = source.open(source.parse(properties), context)
      await expect(opened).rejects.toMatchObject({ kind: 'settings', code: `${source.type}.not_approved` })
      expect(dialled).toEqual([])
    }
})

test('[SRC-9] an open source connects to approved hosts only', async () => {
  for (const [source, properties] of settings) {
    const { context, dialled } = contextOf(approving('api.example.com', 'other.example.com'))
    await using opened = await source.open(source.parse(properties), context)
    await opened.check()
    expect(new Set(dialled)).toEqual(new Set(['api.example.com:443']))
  }
})

test('[SRC-9] hosts have a port unless it is 443, and those of tokens and those that are only named count, too', () => {
  const hostsOf = (text: string): readonly string[] | null => {
    const { description } = parseRestDescription(text)
    return description === null ? null : restHosts(description)
  }
  expect(hostsOf(good)).toEqual(['api.example.com'])
  expect(hostsOf(good.replace('.com/v1', '.com:8443/v1'))).toEqual(['api.example.com:8443'])
  const token = 'signIn: { kind: oauthClient, token: https://id.example.com/token, client: client, secret: secret }'
  expect(
    hostsOf(
      good.replace(/signIn.*/u, token).replace('[api.example.com]', '[api.example.com, id.example.com, a.example.com]'),
    ),
  ).toEqual(['a.example.com', 'api.example.com', 'id.example.com'])
})

const refusals: readonly (readonly [string, string, string])[] = [
  ['hosts: [api.example.com]', 'hosts: ["*.com"]', 'hosts'],
  ['hosts: [api.example.com]', 'hosts: ["*.example.com"]', 'hosts'],
  ['hosts: [api.example.com]', 'hosts: ["*.api.example.com", api.example.com]', 'must not stand for several hosts'],
  ['hosts: [api.example.com]', 'hosts: [api.example.com.]', 'is not the name of a host'],
  ['hosts: [api.example.com]', 'hosts: [api.example.com, "аpi.example.com"]', 'is not the name of a host'],
  ['hosts: [api.example.com]', 'hosts: [api.example.com, "10.0.0.1"]', 'is not the name of a host'],
  ...[
    'https://api.example.com@evil.example/v1/',
    'https://api.example.com:80@evil.example/v1/',
    'https://user:word@api.example.com/v1/',
    'https://api.example.com\\\\@evil.example/v1/',
    'https:\\\\\\\\api.example.com/v1/',
    'https:/api.example.com/v1/',
    'https://api.example.com./v1/',
    'https://API.example.com/v1/',
    'https://api.example.com:443/v1/',
    'https://api。example.com/v1/',
    'https://2130706433/v1/',
    'https://0x7f.1/v1/',
    'https://0177.0.0.1/v1/',
    'https://[::1]/v1/',
    'https://169.254.169.254/v1/',
    'http://api.example.com/v1/',
    'https://{key}.example.com/v1/',
    'https://{constructor}/v1/',
    'https://api.example.com/{user}/',
    'https://api.example.com/v1/?a=b',
    'file:///etc/passwd/',
    ' https://api.example.com/v1/',
  ].map((base) => ['base: https://api.example.com/v1/', `base: "${base}"`, 'base'] as const),
  ['title: Orders', 'title: Orders\ntype: stripe', 'type: is always rest-api here'],
  ['title: Orders', 'title: Orders\nsettings: { key: { label: Key, pattern: "(a+)+$" } }', 'settings: is not for'],
  ['title: Orders', 'title: Orders\notherHost: because', 'otherHost: is not for'],
  ['title: Orders', 'title: Orders\nallowance: { calls: 1, per: day }', 'allowance: is not for'],
  ['title: Orders', 'title: Orders\nheaders: { Host: evil.example }', 'the header Host must not be set'],
  ['title: Orders', 'title: Orders\nheaders: { X-Forwarded-Host: evil.example }', 'must not be set'],
  ['title: Orders', 'title: Orders\nheaders: { transfer-encoding: chunked }', 'must not be set'],
  ['title: Orders', 'title: Orders\nheaders: { "a b": c }', 'is not a header of HTTP'],
  ['title: Orders', 'title: Orders\nheaders: { a: "b\\r\\nHost: evil.example" }', 'is not a header of HTTP'],
  ['title: Orders', 'title: Orders\nheaders: { a: "{constructor}" }', 'there is no setting constructor'],
  [
    '{ kind: bearer, token: key }',
    '{ kind: apiKey, keys: [{ in: header, name: host, setting: key }] }',
    'the header host must not be set',
  ],
  ['{ kind: bearer, token: key }', '{ kind: bearer, token: constructor }', 'signIn.token'],
  ['{ kind: bearer, token: key }', '{ kind: bearer, token: user }', 'must have the kind secret'],
  [
    '{ kind: bearer, token: key }',
    '{ kind: oauthClient, token: "https://api.example.com@evil.example/t", client: client, secret: secret }',
    'signIn.token',
  ],
  ['    path: orders', '    path: https://evil.example/', 'is a path relative'],
  ['    path: orders', '    path: //evil.example/', 'is a path relative'],
  ['    path: orders', '    path: "..\\\\evil"', 'is a path relative'],
  ['    path: orders', '    path: "{key}"', 'must not have the secret key'],
  ['    path: orders', '    path: "{constructor}"', 'there is no setting constructor'],
  ["records: ''", 'records: /__proto__/~2', 'is not a JSON Pointer'],
  ['key: [id]', 'key: [constructor]', 'is a name that JavaScript uses'],
  ['columns: { id: bigint }', 'columns: { id: bigint, constructor: text }', 'is a name that JavaScript uses'],
  ['columns: { id: bigint }', 'columns: { id: { type: bigint, map: constructor } }', 'is a name that JavaScript uses'],
  ['title: Orders', `title: ${'['.repeat(20_000)}`, 'is nested too deeply'],
  ['title: Orders', 'title: &a Orders\nabout: *a', ''],
  ['title: Orders', `title: "${'a'.repeat(60_000)}"`, 'is longer than'],
]

test.each(refusals)(
  '[SRC-7] [SRC-9] hostile description %# is refused with the place and the reason',
  (text, by, reason) => {
    expect(good.split(text).length).toBeGreaterThan(1)
    const { description, problems } = parseRestDescription(good.replace(text, by))
    expect(description).toBeNull()
    expect(problems.map(({ line, column, message }) => `${line}:${column} ${message}`).join('\n')).toContain(reason)
  },
)

test('[SRC-9] people sign in only at sources of the catalogue', () => {
  const signIn = `signIn: { kind: oauthCode, authorise: https://api.example.com/a, token: https://api.example.com/t, refreshTokenDays: 1,
  person: { path: me, id: /id }, companies: { path: all, records: /d, id: /id, name: /name } }`
  const { problems } = parseRestDescription(good.replace(/signIn.*/u, signIn))
  expect(problems.map(({ message }) => message).join()).toContain('must not be oauthCode')
})

const pieces = [
  ...good.split(/(?<=[\s:,{}[\]])/u),
  '{',
  '}',
  '[',
  ']',
  '&a ',
  '*a',
  '!!js ',
  '? ',
  '| ',
  '\t',
  '\u0000',
  '"',
  '__proto__',
  'constructor',
  '\u{202e}',
  '-',
  '%',
]

test('[SRC-7] mangled descriptions end in a description or in problems with line and column, and never call a host that is not named', () => {
  const mangled = fc
    .array(fc.tuple(fc.nat(good.length), fc.nat(12), fc.constantFrom(...pieces)), { maxLength: 6 })
    .map((edits) => edits.reduce((text, [at, length, by]) => text.slice(0, at) + by + text.slice(at + length), good))
  fc.assert(
    fc.property(mangled, (text) => {
      const { description, problems } = parseRestDescription(text)
      if (description === null) {
        expect(problems.length).toBeGreaterThan(0)
        expect(problems.every(({ line, column }) => line >= 1 && column >= 1)).toBe(true)
        return
      }
      const hosts = restHosts(description)
      const { base } = restApiSource.parse({
        'rest-api.description': text,
        'rest-api.key': 'k',
        'rest-api.user': 'u',
      }).values
      expect(hosts).toContain(base.port === '' ? base.hostname : base.host)
    }),
    { numRuns: 2_000, seed: 9 },
  )
})

const bombs: readonly (readonly [string, string])[] = [
  ['brackets', '['.repeat(59_000)],
  ['maps in maps', '{a: '.repeat(14_000)],
  ['lists in lists', '- '.repeat(29_000)],
  ['keys', Array.from({ length: 9_000 }, (_, index) => `k${index}:`).join('\n')],
  ['commas', `{${','.repeat(59_000)}}`],
  ['aliases', `a: &a x\nb: [${'*a,'.repeat(19_000)}]`],
  ['hosts', good.replace('[api.example.com]', `[${'a,'.repeat(25_000)}]`)],
  ['streams', `${good}${Array.from({ length: 4_000 }, (_, index) => `  s${index}: {}`).join('\n')}`],
  ['directives', '%a\n'.repeat(19_000)],
]

test.each(bombs)('[SRC-7] a description of many %s ends in problems', (_, text) => {
  const { description, problems } = parseRestDescription(text)
  expect(description).toBeNull()
  expect(problems.length).toBeGreaterThan(0)
  expect(problems.length).toBeLessThanOrEqual(50)
})

test('[SRC-9] the form of an OData service makes its description, and names the field that does not fit', () => {
  const [, [, form]] = settings as [unknown, readonly [Source, ConnectorProperties]]
  const { description, text } = odataServiceSource.parse(form)
  expect(odataServiceSource.customer?.hosts(odataServiceSource.parse(form))).toEqual(['api.example.com'])
  expect(description).toMatchObject({
    engine: 'odata',
    base: 'https://api.example.com/odata/',
    others: { read: 'always' },
  })
  expect(text).not.toContain('secret-0001')
  const fieldOf = (changes: ConnectorProperties): unknown => {
    try {
      odataServiceSource.parse({ ...form, ...changes })
      return null
    } catch (error) {
      return (error as { field?: unknown }).field
    }
  }
  const cases: readonly (readonly [ConnectorProperties, string])[] = [
    [{ 'odata-service.address': '' }, 'address'],
    [{ 'odata-service.address': 'http://api.example.com/' }, 'address'],
    [{ 'odata-service.address': 'https://10.0.0.1/' }, 'address'],
    [{ 'odata-service.address': 'https://a:b@api.example.com/' }, 'address'],
    [{ 'odata-service.address': 'https://{user}.example.com/' }, 'address'],
    [{ 'odata-service.signIn': 'magic' }, 'signIn'],
    [{ 'odata-service.password': '' }, 'password'],
    [{ 'odata-service.signIn': 'apiKey', 'odata-service.key': 'k' }, 'header'],
    [{ 'odata-service.signIn': 'apiKey', 'odata-service.key': 'k', 'odata-service.header': 'Host' }, 'header'],
    [{ 'odata-service.signIn': 'oauthClient' }, 'tokenAddress'],
    [{ 'odata-service.changedAt': 'ModifiedAt' }, 'tables'],
    [{ 'odata-service.changedAt': 'Modified At', 'odata-service.tables': ['Orders'] }, 'changedAt'],
    [{ 'odata-service.tables': ['../Orders'] }, 'tables'],
  ]
  for (const [changes, field] of cases) expect([changes, fieldOf(changes)]).toEqual([changes, `odata-service.${field}`])
})
