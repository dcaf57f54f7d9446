/** Sign-in by client credentials, and companies with an address each, against a small identity provider. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { openNetwork } from '@tributary/testing/engine/sync/source-context.ts'
import { sharedClock } from '@tributary/testing/engine/apis/shared-clock.ts'
import { readAll } from '@tributary/testing/conformance/source/source-suite.ts'
import type { ConnectorProperties, OpenSource } from '../../ports/source.ts'
import { parseDescription, requireDescription } from './description/parse.ts'
import { describedSource } from './source.ts'

interface Provider extends AsyncDisposable {
  readonly origin: string
  readonly calls: readonly string[]
  readonly tokens: { issued: number; lifetime: number }
  /** What the list of companies names as their address. */
  address: string
}

const secret = 'the-secret-of-the-app-0001'

async function startProvider(): Promise<Provider> {
  const calls: string[] = []
  const tokens = { issued: 0, lifetime: 600 }
  let current = ''
  const server = createServer((request, reply) => {
    let body = ''
    request.on('data', (part: Buffer) => (body += part.toString('utf8')))
    request.on('end', () => {
      calls.push(request.url ?? '')
      const answer = (status: number, json: unknown): void =>
        void reply.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json))
      if (request.url === '/tenant-7/token') {
        const form = new URLSearchParams(body)
        if (form.get('client_secret') !== secret) return answer(401, { error: 'invalid_client', was: body })
        tokens.issued += 1
        current = `token-${tokens.issued}`
        return answer(200, { access_token: current, token_type: 'Bearer', expires_in: tokens.lifetime })
      }
      const isIn =
        request.headers.authorization === `Bearer ${current}` || request.headers.authorization === 'Bearer person'
      if (!isIn) return answer(401, {})
      if (request.url === '/api/companies')
        return answer(200, { list: [{ id: '5', name: 'Five', address: provider.address }] })
      return answer(200, { data: [{ id: 1 }, { id: 2 }] })
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider: Provider = {
    origin,
    calls,
    tokens,
    address: `${origin}/company-5/`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return provider
}

function description(origin: string, signIn: string): string {
  return `format: 1
type: signed
engine: rest
title: Signed
needs: An app.
about: Items.
guide: [Ask for an app.]
settings:
  tenant: { label: Tenant }
  client: { label: Client id }
  secret: { label: Client secret, kind: secret }
base: ${origin}/api/
hosts: [127.0.0.1, api.signed.example]
signIn: ${signIn}
pace: { calls: 100, seconds: 1 }
paging: { kind: none }
check: { path: items }
streams:
  item:
    path: items
    records: /data
    key: [id]
    columns: { id: bigint }
`
}

const clientSignIn = (origin: string): string =>
  `{ kind: oauthClient, token: "${origin}/{tenant}/token", client: client, secret: secret, clientIn: body, scopes: [read] }`
const codeSignIn = (origin: string): string =>
  `{ kind: oauthCode, authorise: ${origin}/authorise, token: ${origin}/tenant-7/token, refreshTokenDays: 30, person: { path: me, id: /id }, companies: { path: companies, records: /list, id: /id, name: /name, address: /address } }`

function open(yaml: string, properties: ConnectorProperties, clock = sharedClock()): Promise<OpenSource> {
  const source = describedSource(requireDescription(yaml, 'rest'))
  const around = { network: openNetwork, clock, signal: new AbortController().signal }
  const usual = { 'signed.tenant': 'tenant-7', 'signed.client': 'app', 'signed.secret': secret }
  const accessTokens = { token: async () => 'person' }
  return source.open(source.parse({ ...usual, ...properties }), {
    ...around,
    ...(yaml.includes('oauthCode') && { accessTokens }),
  })
}

async function rowsOf(source: OpenSource): Promise<number> {
  const [stream] = await source.streams()
  if (stream === undefined) throw new Error('There is a stream.')
  return (await readAll(source, stream, null)).rows.get('item')?.length ?? 0
}

test('[SRC-2] client credentials: one token serves all calls until it expires, and a refused one is replaced once', async () => {
  await using provider = await startProvider()
  const clock = sharedClock()
  const yaml = description(provider.origin, clientSignIn(provider.origin))
  await using source = await open(yaml, {}, clock)
  expect(await rowsOf(source)).toBe(2)
  expect(await rowsOf(source)).toBe(2)
  expect(provider.tokens.issued).toBe(1)
  clock.advance(541_000)
  expect(await rowsOf(source)).toBe(2)
  expect(provider.tokens.issued).toBe(2)
  // The server ends the token early.
  provider.tokens.issued = 10
  await open(yaml, { 'signed.client': 'another' }, clock).then(rowsOf)
  expect(await rowsOf(source)).toBe(2)
  expect(provider.tokens.issued).toBe(12)
})

test('[SRC-2] a wrong secret is a fault of the sign-in that shows no secret', async () => {
  await using provider = await startProvider()
  const wrong = 'not-the-secret-0002'
  await using source = await open(description(provider.origin, clientSignIn(provider.origin)), {
    'signed.secret': wrong,
  })
  const fault: unknown = await source.streams().catch((error: unknown) => error)
  expect(fault).toMatchObject({ kind: 'signIn', code: 'signed.refused' })
  expect(`${String(fault)} ${String((fault as Error).cause)}`).not.toContain(wrong)
  expect(await source.check()).toContainEqual(expect.objectContaining({ name: 'Sign in', outcome: 'failed' }))
})

test('[SRC-2] the address of a company is looked up when the source is opened, and only hosts of the description are called', async () => {
  await using provider = await startProvider()
  const yaml = description(provider.origin, codeSignIn(provider.origin))
  await using source = await open(yaml, { 'signed.tenantId': '5' })
  expect(await rowsOf(source)).toBe(2)
  expect(provider.calls).toContain('/company-5/items')
  for (const [address, code] of [
    ['https://elsewhere.example/', 'signed.host'],
    ['http://api.signed.example/', 'signed.address'],
    ['https://api.signed.example.elsewhere.example/', 'signed.host'],
  ] as const) {
    provider.address = address
    await using other = await open(yaml, { 'signed.tenantId': '5' })
    expect([address, await other.streams().catch((error: unknown) => error)]).toMatchObject([address, { code }])
  }
  await using gone = await open(yaml, { 'signed.tenantId': '6' })
  expect(await gone.streams().catch((error: unknown) => error)).toMatchObject({
    kind: 'signIn',
    code: 'signed.company_gone',
  })
})

test('[SRC-7] a description whose token address is on no host of its own is refused, since the secret would go there', () => {
  const yaml = description('https://api.signed.example', clientSignIn('https://elsewhere.example'))
  expect(parseDescription(yaml).problems.map(({ message }) => message)).toEqual([
    'signIn.token: its host elsewhere.example is not one of hosts',
  ])
})
