/** Sends requests to catalogs and object storage over the engine's network, and repeats those that may be repeated. */
import { type HttpResponse, OriginAgent, sendBytes } from '../../../apis/http/exchange.ts'
import { Fault } from '../../../ports/faults.ts'
import type { ConnectionContext } from '../../../ports/source.ts'

export interface HttpRequest {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE'
  readonly url: URL
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Uint8Array
}

/** Headers that sign a request. `refused` are those of the attempt before, which were refused with 401. */
export type Authorize = (request: HttpRequest, refused: HttpHeaders | null) => Promise<HttpHeaders>

type HttpHeaders = Readonly<Record<string, string>>

const attemptsMax = 5
const timeoutMs = 120_000
const bodyMax = 1_073_741_824
const firstPauseMs = 200
const pauseMaxMs = 30_000
const repeatable: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504])

export type HttpContext = Pick<ConnectionContext, 'network' | 'clock' | 'signal'>

export class HttpSession implements Disposable {
  readonly context: HttpContext
  readonly #agents = new Map<string, OriginAgent>()

  constructor(context: HttpContext) {
    this.context = context
  }

  /**
   * Sends a request that has the same effect if it is sent twice. Repeats it with exponential backoff while the server
   * is busy, failing or unreachable, and returns the last reply.
   * @throws Fault `passing` if the server could not be reached
   */
  async sendRepeatable(request: HttpRequest, authorize: Authorize): Promise<HttpResponse> {
    const { clock, signal } = this.context
    for (let attempt = 1; ; attempt += 1) {
      const reply = await this.sendOnce(request, authorize).catch((error: unknown) => {
        signal.throwIfAborted()
        if (attempt < attemptsMax && isPassing(error)) return null
        throw error
      })
      if (reply !== null && (attempt === attemptsMax || !repeatable.has(reply.status))) return reply
      await clock.sleep(pauseMs(attempt, reply), signal)
    }
  }

  /**
   * Sends a request once, and a second time only if its authorisation was refused.
   * @throws Fault `passing` if no connection was possible, so that nothing was sent; `HttpReplyLostError` if it may have
   *   been
   */
  async sendOnce(request: HttpRequest, authorize: Authorize): Promise<HttpResponse> {
    const headers = await authorize(request, null)
    const reply = await this.#exchange(request, headers)
    if (reply.status !== 401 && reply.status !== 419) return reply
    const renewed = await authorize(request, headers)
    return renewed === headers ? reply : this.#exchange(request, renewed)
  }

  [Symbol.dispose](): void {
    for (const agent of this.#agents.values()) agent.destroy()
    this.#agents.clear()
  }

  async #exchange({ method, url, headers, body }: HttpRequest, authorization: HttpHeaders): Promise<HttpResponse> {
    const { signal } = this.context
    const sent = { method, url, headers: { ...headers, ...authorization }, bytes: body ?? null, timeoutMs, bodyMax }
    try {
      return await sendBytes(this.#agentFor(url), sent, signal)
    } catch (error) {
      signal.throwIfAborted()
      throw error instanceof Fault ? error : new HttpReplyLostError(url, error)
    }
  }

  #agentFor(url: URL): OriginAgent {
    const known = this.#agents.get(url.origin)
    if (known !== undefined) return known
    const agent = new OriginAgent(url, this.context.network, this.context.signal)
    this.#agents.set(url.origin, agent)
    return agent
  }
}

/** The request may have been executed, because the connection ended before the reply was complete. */
export class HttpReplyLostError extends Fault {
  constructor({ host }: URL, cause: unknown) {
    super('passing', {
      code: 'iceberg.reply_lost',
      notice: `${host} did not answer, or not completely. Trying again shortly.`,
      cause,
    })
  }
}

function isPassing(error: unknown): boolean {
  return error instanceof Fault && error.kind === 'passing'
}

function pauseMs(attempt: number, reply: HttpResponse | null): number {
  const requested = Number(reply?.headers['retry-after']) * 1_000
  const backoff = firstPauseMs * 2 ** attempt * (0.5 + Math.random() / 2)
  return Math.min(Number.isFinite(requested) ? Math.max(requested, backoff) : backoff, pauseMaxMs)
}
