/** Speaks HTTP to the server as a browser does: an access token in a header, cookies in a jar. */
import type { Route } from '@tributary/contract/route'
import type { Session } from '@tributary/contract/session'
import type { FastifyInstance } from 'fastify'
import type * as z from 'zod'

export interface Reply<T = unknown> {
  readonly status: number
  /** Parsed JSON; null where there is no body. */
  readonly body: T
  readonly headers: Readonly<Record<string, unknown>>
}

export interface Sending {
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export interface RouteInput {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string | number | boolean>>
  readonly body?: unknown
}

type ReplyOf<R extends Route> = R['reply'] extends z.ZodType ? z.output<R['reply']> : null

export class TestClient {
  readonly #http: FastifyInstance
  readonly #account: { readonly emailAddress: string; readonly password: string } | null
  readonly cookies = new Map<string, string>()
  #session: Promise<Session> | undefined

  constructor(http: FastifyInstance, account: { readonly emailAddress: string; readonly password: string } | null) {
    this.#http = http
    this.#account = account
  }

  /** The session, signed in when it is first asked for; null for a visitor. */
  async session(): Promise<Session | null> {
    if (this.#account !== null) this.#session ??= this.signIn()
    return (await this.#session) ?? null
  }

  /** Signs in anew. */
  async signIn(): Promise<Session> {
    this.#session = this.#exchange('/api/auth/signin', this.#account)
    return this.#session
  }

  /** Exchanges the refresh cookie; the client then speaks with the new token. */
  async refresh(organisationId?: string): Promise<Session> {
    this.#session = this.#exchange('/api/auth/refresh', organisationId === undefined ? {} : { organisationId })
    return this.#session
  }

  async #exchange(path: string, body: unknown): Promise<Session> {
    const reply = await this.#inject('POST', path, { body })
    if (reply.status !== 200) throw new Error(`${path} answered ${reply.status}: ${JSON.stringify(reply.body)}`)
    return reply.body as Session
  }

  /** A call of the contract by its route: `as.admin.call(organisations.users, { query: { orgId } })`. */
  async call<R extends Route>(route: R, { params = {}, query = {}, body }: RouteInput = {}): Promise<Reply<ReplyOf<R>>> {
    const path = route.path.replaceAll(/:(\w+)/gu, (_, name: string) => encodeURIComponent(params[name] ?? ''))
    const search = new URLSearchParams(Object.entries(query).map(([name, value]): [string, string] => [name, String(value)])).toString()
    const address = `/api${path}${search === '' ? '' : `?${search}`}`
    return this.send<ReplyOf<R>>(route.method, address, body === undefined ? {} : { body })
  }

  /** Any call, by method and full path. */
  async send<T = unknown>(method: Route['method'], path: string, sending: Sending = {}): Promise<Reply<T>> {
    const session = await this.session()
    const headers = session === null ? {} : { authorization: `Bearer ${session.accessToken}` }
    return this.#inject<T>(method, path, { ...sending, headers: { ...headers, ...sending.headers } })
  }

  async #inject<T>(method: Route['method'], path: string, { body, headers = {} }: Sending): Promise<Reply<T>> {
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
    return { status: response.statusCode, body: (response.body === '' ? null : parse(response.body)) as T, headers: response.headers }
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
