/** An assistant that connects by OAuth: the client of the MCP SDK, and each of its steps by hand for attacks. */
import { createHash, randomBytes } from 'node:crypto'
import { auth, type OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js'
import type { OAuthClientInformationMixed, OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js'
import { oauth } from '@tributary/contract/oauth'
import type { TestReply } from '../app/client.ts'
import type { TestApp } from '../app/test-app.ts'
import { confirmSecondFactor, type Reply, type TokenMaker } from './make-token.ts'

/** Switches assistants on, by the provider and in these organisations. */
export async function switchAssistantsOn(app: TestApp, ...organisationIds: readonly string[]): Promise<void> {
  await app.store.across(async (db) => {
    await db
      .insertInto('setting')
      .values({ key: 'Assistants', value: true })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: true }))
      .execute()
    await db
      .updateTable('organisation')
      .set({ allowsAssistants: true })
      .where('id', 'in', [...organisationIds])
      .execute()
  })
  app.services.settings.invalidate()
}

/** `fetch` to the server of the test. */
export function fetchFrom(app: TestApp): (url: string | URL, init?: RequestInit) => Promise<Response> {
  return async (url, { method = 'GET', headers, body } = {}) => {
    const { pathname, search } = new URL(url)
    const isForm = body instanceof URLSearchParams
    const given = Object.fromEntries(new Headers(headers))
    const reply = await app.http.inject({
      method: method as 'GET' | 'POST',
      url: `${pathname}${search}`,
      headers: {
        host: 'localhost:3000',
        ...(isForm && { 'content-type': 'application/x-www-form-urlencoded' }),
        ...given,
      },
      ...(body !== undefined && body !== null && { payload: isForm ? body.toString() : String(body) }),
    })
    return new Response(reply.body, { status: reply.statusCode, headers: reply.headers as Record<string, string> })
  }
}

const callback = 'https://assistant.example/callback'

/** Keeps what the SDK's client stores. */
export class TestAssistant implements OAuthClientProvider {
  readonly redirectUrl = callback
  readonly clientMetadata = { client_name: 'Ledger assistant', redirect_uris: [callback] }
  #client: OAuthClientInformationMixed | undefined
  #tokens: OAuthTokens | undefined
  #verifier = ''
  /** Where it sent the browser. */
  authorisationUrl: URL | undefined
  readonly app: TestApp

  constructor(app: TestApp) {
    this.app = app
  }

  state = () => 'a-state'
  clientInformation = () => this.#client
  saveClientInformation = (client: OAuthClientInformationMixed) => void (this.#client = client)
  tokens = () => this.#tokens
  saveTokens = (tokens: OAuthTokens) => void (this.#tokens = tokens)
  redirectToAuthorization = (url: URL) => void (this.authorisationUrl = url)
  saveCodeVerifier = (verifier: string) => void (this.#verifier = verifier)
  codeVerifier = () => this.#verifier
  invalidateCredentials = (scope: 'all' | 'client' | 'tokens' | 'verifier' | 'discovery') => {
    if (scope === 'all' || scope === 'client') this.#client = undefined
    if (scope === 'all' || scope === 'tokens') this.#tokens = undefined
  }

  /** Discovers, registers and sends the browser to the portal; or exchanges the code; or refreshes. */
  connect(authorizationCode?: string) {
    const options = { serverUrl: 'http://localhost:3000/mcp', fetchFn: fetchFrom(this.app) }
    return auth(this, authorizationCode === undefined ? options : { ...options, authorizationCode })
  }
}

export interface RequestParameters {
  readonly [name: string]: string | readonly string[] | null
}

export interface ManualClient {
  readonly id: string
  readonly verifier: string
  /** The query string of an authorisation request. Null leaves a parameter out. */
  request(changes?: RequestParameters): string
  /** Sends a code to the token endpoint. */
  exchange(code: string, changes?: RequestParameters): Promise<TestReply<Reply>>
  refresh(refreshToken: string, changes?: RequestParameters): Promise<TestReply<Reply>>
  revoke(token: string, changes?: RequestParameters): Promise<TestReply<Reply>>
}

export async function registerClient(
  app: TestApp,
  metadata: Readonly<Record<string, unknown>> = {},
): Promise<TestReply<Reply>> {
  return app.as.visitor.send('POST', '/oauth/register', {
    body: { client_name: 'Ledger assistant', redirect_uris: [callback], ...metadata },
  })
}

/** Registers a client whose every step can be changed. */
export async function manualClient(app: TestApp, redirectUri = callback): Promise<ManualClient> {
  const { status, body } = await registerClient(app, { redirect_uris: [redirectUri] })
  if (status !== 201) throw new Error(`the registration answered ${status}: ${JSON.stringify(body)}`)
  const id = String(body['client_id'])
  const verifier = randomBytes(32).toString('base64url')
  const post = async (path: string, parameters: RequestParameters): Promise<TestReply<Reply>> => {
    const reply = await fetchFrom(app)(`http://localhost:3000${path}`, {
      method: 'POST',
      body: new URLSearchParams(encode(parameters)),
    })
    return {
      status: reply.status,
      body: (await reply.json()) as Reply,
      headers: Object.fromEntries(reply.headers),
    }
  }
  const resource = 'http://localhost:3000/mcp'
  return {
    id,
    verifier,
    request: (changes = {}) =>
      encode({
        response_type: 'code',
        client_id: id,
        redirect_uri: redirectUri,
        state: 'a-state',
        scope: 'data.read status.read',
        code_challenge: createHash('sha256').update(verifier).digest('base64url'),
        code_challenge_method: 'S256',
        resource,
        ...changes,
      }),
    exchange: (code, changes = {}) =>
      post('/oauth/token', {
        grant_type: 'authorization_code',
        code,
        client_id: id,
        redirect_uri: redirectUri,
        code_verifier: verifier,
        resource,
        ...changes,
      }),
    refresh: (refreshToken, changes = {}) =>
      post('/oauth/token', { grant_type: 'refresh_token', refresh_token: refreshToken, client_id: id, ...changes }),
    revoke: (token, changes = {}) => post('/oauth/revoke', { token, client_id: id, ...changes }),
  }
}

function encode(parameters: RequestParameters): string {
  const pairs = Object.entries(parameters).flatMap(([name, value]) =>
    value === null ? [] : [value].flat().map((one): [string, string] => [name, one]),
  )
  return new URLSearchParams(pairs).toString()
}

/** Allows the request as the person, with their second factor. Returns the address to which the browser is sent. */
export async function allow(
  app: TestApp,
  maker: TokenMaker,
  { request, organisationId = app.harbour.id }: { readonly request: string; readonly organisationId?: string },
): Promise<URL> {
  for (let attempt = 1; ; attempt += 1) {
    const { status, body } = await maker.client.call(oauth.allow, { body: { organisationId, request } })
    if (status === 200) return new URL(body.RedirectUrl)
    if (attempt === 3) throw new Error(`the consent answered ${status}: ${JSON.stringify(body)}`)
    if ((body as unknown as Reply).code === 'factorNeeded') await confirmSecondFactor(app, maker)
    else await maker.client.signIn()
  }
}

export interface Connected {
  readonly client: ManualClient
  readonly access: string
  readonly refresh: string
}

/** A client that the person has allowed, with its tokens. */
export async function connect(app: TestApp, maker: TokenMaker, organisationId = app.harbour.id): Promise<Connected> {
  const client = await manualClient(app)
  const address = await allow(app, maker, { request: client.request(), organisationId })
  const { status, body } = await client.exchange(address.searchParams.get('code') ?? '')
  if (status !== 200) throw new Error(`the exchange answered ${status}: ${JSON.stringify(body)}`)
  return { client, access: String(body['access_token']), refresh: String(body['refresh_token']) }
}
