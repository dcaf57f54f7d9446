/** Makes access tokens as a person does: confirms a second factor with the code from the email, then makes the token. */
import type { Route } from '@tributary/contract/route'
import { reAuthentication } from '@tributary/contract/re-authentication'
import { type ApiToken, type CreatedToken, organisationTokens, tokens } from '@tributary/contract/tokens'
import { type TokenScope, tokenScopeNames } from '@tributary/contract/token-scopes'
import type { RouteInput, TestClient, TestReply } from '../app/client.ts'
import type { TestApp } from '../app/test-app.ts'

export interface TokenMaker {
  readonly client: TestClient
  readonly emailAddress: string
}

export async function confirmSecondFactor(app: TestApp, { client, emailAddress }: TokenMaker): Promise<void> {
  const { body: question } = await client.call(reAuthentication.ask, { body: { secondFactor: true } })
  const verificationCode = (await app.emailsTo(emailAddress)).findLast(({ code }) => code !== undefined)?.code
  const { verificationReference } = question
  const { status } = await client.call(reAuthentication.give, { body: { verificationReference, verificationCode } })
  if (status !== 204) throw new Error(`the second factor answered ${status}`)
}

export class MadeToken {
  readonly #app: TestApp
  readonly secret: string
  readonly token: ApiToken

  constructor(app: TestApp, { Secret, Token }: { readonly Secret: string; readonly Token: ApiToken }) {
    this.#app = app
    this.secret = Secret
    this.token = Token
  }

  /** Calls a route of the contract with the token. */
  async call(route: Route, { params = {}, query = {}, body }: RouteInput = {}): Promise<TestReply<Reply>> {
    const path = route.path.replaceAll(/:(\w+)/gu, (_, name: string) => encodeURIComponent(params[name] ?? ''))
    const search = new URLSearchParams(
      Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
    ).toString()
    return this.send(route.method, `/api${path}${search === '' ? '' : `?${search}`}`, body)
  }

  async send(method: Route['method'], path: string, body?: unknown): Promise<TestReply<Reply>> {
    const headers = { authorization: `Bearer ${this.secret}`, 'user-agent': 'export-script/1.0' }
    return this.#app.as.visitor.send<Reply>(method, path, body === undefined ? { headers } : { body, headers })
  }
}

/** The body of a reply whose fields a test names. */
export type Reply = { readonly code?: string; readonly message?: string } & Readonly<Record<string, unknown>>

interface NewToken {
  readonly organisationId?: string
  readonly scopes?: readonly TokenScope[]
  readonly days?: number
  readonly name?: string
}

/** With all scopes, in Harbour, unless the caller says otherwise. */
export async function makeToken(
  app: TestApp,
  maker: TokenMaker,
  { organisationId = app.harbour.id, scopes = tokenScopeNames, days = 90, name = 'Export' }: NewToken = {},
): Promise<MadeToken> {
  const body = { organisationId, name, scopes, days }
  return create(app, maker, () => maker.client.call(tokens.create, { body }))
}

/** Signs in and confirms a second factor where the server asks for it. Each code by email counts against a limit. */
async function create(
  app: TestApp,
  maker: TokenMaker,
  send: () => Promise<TestReply<CreatedToken>>,
): Promise<MadeToken> {
  for (let attempt = 1; ; attempt += 1) {
    const { status, body } = await send()
    if (status === 201) return new MadeToken(app, body)
    if (attempt === 3) throw new Error(`the token answered ${status}: ${JSON.stringify(body)}`)
    if ((body as unknown as Reply).code === 'factorNeeded') await confirmSecondFactor(app, maker)
    else await maker.client.signIn()
  }
}

interface NewServiceToken {
  readonly name?: string
  readonly scopes?: readonly TokenScope[]
}

/** With all scopes, of a new service account of Harbour with the role of a user. */
export async function makeServiceToken(
  app: TestApp,
  maker: TokenMaker,
  { name = 'Monthly import', scopes = tokenScopeNames }: NewServiceToken = {},
): Promise<{ readonly accountId: string; readonly made: MadeToken }> {
  const params = { clientId: app.harbour.id }
  const add = () => maker.client.call(organisationTokens.addServiceAccount, { params, body: { name, role: 'user' } })
  const first = await add()
  const { body: account } = first.status === 201 ? first : await maker.client.signIn().then(add)
  const to = { params: { ...params, serviceAccountId: account.Id }, body: { name: 'Import', scopes } }
  const made = await create(app, maker, () => maker.client.call(organisationTokens.createForServiceAccount, to))
  return { accountId: account.Id, made }
}
