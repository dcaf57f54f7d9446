/**
 * Calls the API as clients do: through a list of web hosts, and again if no reply arrived or a gateway would have answered
 * (as `CallError.isTransient` of the portal's client), or a rate limit asks to wait. Any other failure counts, as does a call that takes too long.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { ServerHost } from './server-host.ts'

export interface CallFigures {
  calls: number
  repeated: number
  /** Refused by a rate limit, with the time to wait. */
  throttled: number
  attemptsMax: number
  slowestMs: number
  readonly failed: string[]
}

export interface ApiReply {
  readonly status: number
  readonly body: unknown
}

interface ClientIdentity {
  /** The client's address, as a proxy reports it. */
  readonly address: string
  readonly emailAddress: string
  readonly password: string
}

/** A proxy waits this long for a reply. */
const attemptMs = 15_000
/** A user has given up by then. */
const patienceMs = 90_000
const pauseMs = 500

export class RetryingClient {
  readonly figures: CallFigures
  readonly #hosts: readonly ServerHost[]
  readonly #identity: ClientIdentity
  #token = ''
  #next = 0

  constructor(hosts: readonly ServerHost[], identity: ClientIdentity, figures: CallFigures) {
    this.#hosts = hosts
    this.#identity = identity
    this.figures = figures
  }

  /** @param expected statuses that are no failure; after a reply was lost, a repeated call may find that it took effect */
  async call(method: string, path: string, body: object | undefined, expected: readonly number[]): Promise<ApiReply> {
    const startedAt = performance.now()
    this.figures.calls += 1
    for (let attempts = 1; ; attempts += 1) {
      const reply = await this.#attempt(method, path, body)
      const tookMs = performance.now() - startedAt
      this.figures.attemptsMax = Math.max(this.figures.attemptsMax, attempts)
      this.figures.slowestMs = Math.max(this.figures.slowestMs, tookMs)
      if (attempts === 2) this.figures.repeated += 1
      if (expected.includes(reply.status)) return reply
      if (reply.status === 401) await this.#signIn()
      else if (reply.status === 429) this.figures.throttled += 1
      else if (reply.status !== 0 && reply.status < 502) return this.#fail(method, path, reply)
      if (tookMs > patienceMs) return this.#fail(method, path, reply)
      await sleep(Math.min(pauseMs * attempts, 3_000))
    }
  }

  #fail(method: string, path: string, reply: ApiReply): ApiReply {
    this.figures.failed.push(`${method} ${path}: ${reply.status} ${JSON.stringify(reply.body)}`)
    return reply
  }

  async #signIn(): Promise<void> {
    const { emailAddress, password } = this.#identity
    const { status, body } = await this.#attempt('POST', '/api/auth/signin', { emailAddress, password })
    if (status === 200) this.#token = (body as { accessToken: string }).accessToken
  }

  /** Status 0 if no reply arrived. Then the next attempt uses the next host. */
  async #attempt(method: string, path: string, body: object | undefined): Promise<ApiReply> {
    const host = this.#hosts[this.#next % this.#hosts.length]
    const headers = {
      'content-type': 'application/json',
      'x-forwarded-for': this.#identity.address,
      ...(this.#token !== '' && { authorization: `Bearer ${this.#token}` }),
    }
    const init = {
      method,
      headers,
      signal: AbortSignal.timeout(attemptMs),
      ...(body && { body: JSON.stringify(body) }),
    }
    try {
      const reply = await fetch(`${host?.address}${path}`, init)
      const text = await reply.text()
      if (reply.status >= 502) this.#next += 1
      return { status: reply.status, body: text === '' ? null : JSON.parse(text) }
    } catch (error) {
      this.#next += 1
      return { status: 0, body: String(error) }
    }
  }
}
