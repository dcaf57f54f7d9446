/** Calls over real connections, of which the path and the headers go out as they are written. */
import { Agent, request, type IncomingHttpHeaders } from 'node:http'

export interface Sent {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** Text as it is. */
  readonly body?: string | Buffer
}

/** `alone`: over a connection of its own, for the server may hang up. */
export type Line = 'shared' | 'alone'

export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

/** Nothing here takes longer; what does hangs. */
const patienceMs = 120_000

export class Sender {
  readonly #port: number
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 8 })

  constructor(port: number) {
    this.#port = port
  }

  send({ method, path, headers, body }: Sent, line: Line = 'shared'): Promise<Answer> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>()
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
    const outgoing = request(
      {
        host: '127.0.0.1',
        port: this.#port,
        method,
        path,
        agent: line === 'alone' ? false : this.#agent,
        headers: { host: 'localhost:3000', ...length, ...headers },
        signal: AbortSignal.timeout(patienceMs),
      },
      (incoming) => {
        const { statusCode: status = 0, headers: told } = incoming
        // Events go on for as long as the run; that they begin is the answer.
        if (told['content-type']?.startsWith('text/event-stream') === true) {
          incoming.destroy()
          resolve({ status, headers: told, text: '' })
          return
        }
        const parts: Buffer[] = []
        incoming.on('data', (part: Buffer) => parts.push(part))
        incoming.on('end', () => resolve({ status, headers: told, text: Buffer.concat(parts).toString() }))
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
