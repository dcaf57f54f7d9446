/** One HTTP/1.1 exchange over the engine's network: kept-alive, unzipped, limited in time and size. */
import { Agent, request } from 'node:http'
import type { ClientRequestArgs, IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import type { Duplex } from 'node:stream'
import { connect } from 'node:tls'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { Fault } from '../../ports/faults.ts'
import type { Network } from '../../ports/network.ts'

export interface Reply {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly body: Buffer
}

export interface Exchange {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly timeoutMs: number
  readonly bodyMax: number
}

const unzip = promisify(gunzip)

type Connected = (error: Error | null, stream: Duplex) => void

/** Keeps connections to one origin open between exchanges; every one of them is dialled by the network. */
export class Line extends Agent {
  readonly #origin: URL
  readonly #network: Network
  readonly #signal: AbortSignal

  constructor(origin: URL, network: Network, signal: AbortSignal) {
    super({ keepAlive: true, maxSockets: 8 })
    this.#origin = origin
    this.#network = network
    this.#signal = signal
  }

  override createConnection(_options: ClientRequestArgs, done: Connected): undefined {
    void this.#connect(done)
  }

  async #connect(done: Connected): Promise<void> {
    try {
      done(null, await this.#dial())
    } catch (error) {
      done(error as Error, undefined as unknown as Duplex) // Node reads the stream only where there is no error.
    }
  }

  async #dial(): Promise<Duplex> {
    const { protocol, hostname } = this.#origin
    const host = hostname.replace(/^\[|\]$/g, '')
    const socket = await this.#network.dial(host, portOf(this.#origin), this.#signal, 'http')
    socket.setNoDelay(true)
    if (protocol !== 'https:') return socket
    const { promise, resolve, reject } = Promise.withResolvers<Duplex>()
    const encrypted = connect({ socket, servername: isIP(host) === 0 ? host : '', ALPNProtocols: ['http/1.1'] })
    encrypted.once('secureConnect', () => resolve(encrypted))
    encrypted.once('error', reject)
    return promise
  }
}

function portOf({ protocol, port }: URL): number {
  if (port !== '') return Number(port)
  return protocol === 'https:' ? 443 : 80
}

/** Sends a GET and answers whatever came back, whatever its status. Throws what the network threw, or a plain Error. */
export async function exchange(line: Line, asked: Exchange, signal: AbortSignal): Promise<Reply> {
  const message = await send(line, asked, AbortSignal.any([signal, AbortSignal.timeout(asked.timeoutMs)]))
  const packed = await collect(message, asked.bodyMax)
  const body =
    message.headers['content-encoding'] === 'gzip' ? await unzip(packed, { maxOutputLength: asked.bodyMax }) : packed
  return { status: message.statusCode ?? 0, headers: message.headers, body }
}

function send(line: Line, { url, headers }: Exchange, signal: AbortSignal): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const sent = request({
    agent: line,
    host: url.hostname,
    port: portOf(url),
    path: url.pathname + url.search,
    headers: { ...headers, host: url.host, 'accept-encoding': 'gzip' },
    signal,
  })
  sent.once('response', resolve)
  // After the reply has begun, what goes wrong is told by the reply itself.
  sent.on('error', reject)
  sent.end()
  return promise
}

async function collect(message: IncomingMessage, bodyMax: number): Promise<Buffer> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of message as AsyncIterable<Buffer>) {
    size += part.length
    if (size > bodyMax) throw tooLarge(bodyMax)
    parts.push(part)
  }
  return parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts, size)
}

function tooLarge(bodyMax: number): Fault {
  return new Fault('bug', {
    code: 'http.reply_too_large',
    notice: `A reply was larger than ${Math.round(bodyMax / 1_048_576)} MiB, which Tributary does not accept. Please report this.`,
  })
}
