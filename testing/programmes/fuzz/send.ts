/** Sends requests over real connections, with path and headers unchanged. */
import { Agent, request, type IncomingHttpHeaders } from 'node:http'

export interface FuzzRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** Sent unchanged. */
  readonly body?: string | Buffer
}

/** `alone` uses a separate connection, because the server may close it. */
export type FuzzConnection = 'shared' | 'alone'

export interface FuzzResponse {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

/** No call takes longer unless it hangs. */
const timeoutMs = 120_000

export class RequestSender {
  readonly #port: number
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 8 })

  constructor(port: number) {
    this.#port = port
  }

  send({ method, path, headers, body }: FuzzRequest, line: FuzzConnection = 'shared'): Promise<FuzzResponse> {
    const { promise, resolve, reject } = Promise.withResolvers<FuzzResponse>()
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
    const outgoing = request(
      {
        host: '127.0.0.1',
        port: this.#port,
        method,
        path,
        agent: line === 'alone' ? false : this.#agent,
        headers: { host: 'localhost:3000', ...length, ...headers },
        signal: AbortSignal.timeout(timeoutMs),
      },
      (incoming) => {
        const { statusCode: status = 0, headers: responseHeaders } = incoming
        // An event stream lasts as long as the run, so its headers are the response.
        if (responseHeaders['content-type']?.startsWith('text/event-stream') === true) {
          incoming.destroy()
          resolve({ status, headers: responseHeaders, text: '' })
          return
        }
        const parts: Buffer[] = []
        incoming.on('data', (part: Buffer) => parts.push(part))
        incoming.on('end', () => resolve({ status, headers: responseHeaders, text: Buffer.concat(parts).toString() }))
        incoming.on('error', reject)
      },
    )
    outgoing.on('error', reject)
    outgoing.end(body)
    return promise
  }

  close(): void {
    this.#agent.destroy()
  }
}
