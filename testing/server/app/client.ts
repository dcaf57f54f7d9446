/** An HTTP client that works like a browser: an access token in a header, cookies in a jar. */
import type { Route } from '@tributary/contract/route'
import type { SessionReply, SignInReply } from '@tributary/contract/sign-in'
import type { FastifyInstance } from 'fastify'
import type * as z from 'zod'

export interface TestReply<T = unknown> {
  readonly status: number
  /** Parsed JSON; null without a body. */
  readonly body: T
  readonly headers: Readonly<Record<string, unknown>>
}

export interface CallOptions {
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export interface RouteInput {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string | number | boolean>>
  readonly body?: unknown
}

interface TestAccount {
  readonly emailAddress: string
  readonly password: string
}

export type ReadCode = () => Promise<string>

type ReplyOf<R extends Route> = R['reply'] extends z.ZodType ? z.output<R['reply']> : null

export class TestClient {
  readonly #http: FastifyInstance
  readonly #account: { readonly emailAddress: string; readonly password: string } | null
  readonly cookies = new Map<string, string>()
  #session: Promise<SessionReply> | undefined
  readonly #readCode: ReadCode | undefined

  /** @param readCode returns the code of the second factor; without it, a sign-in that requires one fails */
  constructor(http: FastifyInstance, account: TestAccount | null, readCode?: ReadCode) {
    this.#http = http
    this.#account = account
    this.#readCode = readCode
  }

  /** Returns the session, and signs in at the first call; null for a visitor. */
  async session(): Promise<SessionReply | null> {
    if (this.#account !== null) this.#session ??= this.signIn()
    return (await this.#session) ?? null
  }

  /** Starts a new session. */
  async signIn(): Promise<SessionReply> {
    this.#session = this.#prove()
    return this.#session
  }

  /** Exchanges the refresh cookie. Later calls use the new token. */
  async refresh(organisationId?: string): Promise<SessionReply> {
    this.#session = this.#exchange('/api/auth/refresh', organisationId === undefined ? {} : { organisationId })
    return this.#session
  }

  /** Signs in with the password and, if a second factor is required, the code. */
  async #prove(): Promise<SessionReply> {
    const path = '/api/auth/signin'
    const answer = await this.#exchange<SignInReply>(path, this.#account)
    if ('accessToken' in answer) return answer
    if (!('verificationReference' in answer) || this.#readCode === undefined)
      throw new Error(`${path} needs more: ${JSON.stringify(answer)}`)
    const { verificationReference } = answer
    return this.#exchange(path, { verificationReference, verificationCode: await this.#readCode() })
  }

  async #exchange<T = SessionReply>(path: string, body: unknown): Promise<T> {
    const reply = await this.#inject<T>('POST', path, { body })
    if (reply.status !== 200) throw new Error(`${path} answered ${reply.status}: ${JSON.stringify(reply.body)}`)
    return reply.body
  }

  /** Calls a route of the contract: `as.admin.call(organisations.users, { query: { orgId } })`. */
  async call<R extends Route>(
    route: R,
    { params = {}, query = {}, body }: RouteInput = {},
  ): Promise<TestReply<ReplyOf<R>>> {
    const path = route.path.replaceAll(/:(\w+)/gu, (_, name: string) => encodeURIComponent(params[name] ?? ''))
    const search = new URLSearchParams(
      Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
    ).toString()
    const address = `/api${path}${search === '' ? '' : `?${search}`}`
    return this.send<ReplyOf<R>>(route.method, address, body === undefined ? {} : { body })
  }

  /** Sends any request, by method and full path. */
  async send<T = unknown>(method: Route['method'], path: string, sending: CallOptions = {}): Promise<TestReply<T>> {
    const session = await this.session()
    const headers = session === null ? {} : { authorization: `Bearer ${session.accessToken}` }
    return this.#inject<T>(method, path, { ...sending, headers: { ...headers, ...sending.headers } })
  }

  async #inject<T>(method: Route['method'], path: string, { body, headers = {} }: CallOptions): Promise<TestReply<T>> {
    const json = body === undefined ? {} : { 'content-type': 'application/json' }
    const payload = typeof body === 'string' || body === undefined ? body : JSON.stringify(body)
    const cookies = Object.fromEntries(this.cookies)
    const response = await this.#http.inject({
      method,
      url: path,
      headers: { host: 'localhost:3000', ...json, ...headers },
      cookies,
      ...(payload !== undefined && { payload }),
    })
    for (const { name, value, maxAge } of response.cookies) {
      if (value === '' || maxAge === 0) this.cookies.delete(name)
      else this.cookies.set(name, value)
    }
    return {
      status: response.statusCode,
      body: (response.body === '' ? null : parse(response.body)) as T,
      headers: response.headers,
    }
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
