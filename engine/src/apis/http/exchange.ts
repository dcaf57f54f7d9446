/** Sends one HTTP/1.1 request over the engine's network: keep-alive, gzip, limits on time and size. */
import { Agent, type ClientRequestArgs, type IncomingMessage, request } from 'node:http'
import { isIP } from 'node:net'
import type { Duplex } from 'node:stream'
import { connect } from 'node:tls'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { Fault } from '../../ports/faults.ts'
import type { Network } from '../../ports/network.ts'

export interface HttpResponse {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly body: Buffer
  /** Bytes of the body before it was decompressed. */
  readonly transferred: number
}

export interface ExchangeRequest {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly timeoutMs: number
  readonly bodyMax: number
}

const unzip = promisify(gunzip)

type ConnectCallback = (error: Error | null, stream: Duplex) => void

/** Keep-alive agent for one origin. Opens every connection through the engine's network. */
export class OriginAgent extends Agent {
  readonly #origin: URL
  readonly #network: Network
  readonly #signal: AbortSignal

  constructor(origin: URL, network: Network, signal: AbortSignal) {
    super({ keepAlive: true, maxSockets: 8 })
    this.#origin = origin
    this.#network = network
    this.#signal = signal
  }

  override createConnection(_options: ClientRequestArgs, done: ConnectCallback): undefined {
    void this.#connect(done)
  }

  async #connect(done: ConnectCallback): Promise<void> {
    try {
      done(null, await this.#dial())
    } catch (error) {
      done(error as Error, undefined as unknown as Duplex) // Node ignores the stream if there is an error.
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

export function portOf({ protocol, port }: URL): number {
  if (port !== '') return Number(port)
  return protocol === 'https:' ? 443 : 80
}

/** What a request sends. */
interface RequestContent {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly bytes: Uint8Array | null
}

const nothing: RequestContent = { method: 'GET', headers: {}, bytes: null }

/** Sends a GET and resolves with the response, whatever its status. Throws the network's error, or a plain Error. */
export function sendGet(
  agent: OriginAgent,
  exchangeRequest: ExchangeRequest,
  signal: AbortSignal,
): Promise<HttpResponse> {
  return exchange(agent, exchangeRequest, nothing, signal)
}

/** The same for a POST of a form. */
export function sendForm(
  agent: OriginAgent,
  { form, ...exchangeRequest }: ExchangeRequest & { readonly form: URLSearchParams },
  signal: AbortSignal,
): Promise<HttpResponse> {
  const bytes = Buffer.from(form.toString())
  const headers = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': String(bytes.length) }
  return exchange(agent, exchangeRequest, { method: 'POST', headers, bytes }, signal)
}

/** The same for any method, with a body or without. */
export function sendBytes(
  agent: OriginAgent,
  { method, bytes, ...exchangeRequest }: ExchangeRequest & Pick<RequestContent, 'method' | 'bytes'>,
  signal: AbortSignal,
): Promise<HttpResponse> {
  const hasLength = bytes !== null || method === 'POST' || method === 'PUT'
  const headers: Record<string, string> = hasLength ? { 'content-length': String(bytes?.length ?? 0) } : {}
  return exchange(agent, exchangeRequest, { method, headers, bytes }, signal)
}

async function exchange(
  agent: OriginAgent,
  exchangeRequest: ExchangeRequest,
  content: RequestContent,
  signal: AbortSignal,
): Promise<HttpResponse> {
  const message = await send(
    agent,
    exchangeRequest,
    content,
    AbortSignal.any([signal, AbortSignal.timeout(exchangeRequest.timeoutMs)]),
  )
  const compressed = await collect(message, exchangeRequest.bodyMax)
  const body =
    message.headers['content-encoding'] === 'gzip' && compressed.length > 0
      ? await unzip(compressed, { maxOutputLength: exchangeRequest.bodyMax })
      : compressed
  return { status: message.statusCode ?? 0, headers: message.headers, body, transferred: compressed.length }
}

function send(
  agent: OriginAgent,
  { url, headers }: ExchangeRequest,
  { method, headers: ofContent, bytes }: RequestContent,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const sent = request({
    agent,
    method,
    host: url.hostname,
    port: portOf(url),
    path: url.pathname + url.search,
    headers: { ...headers, ...ofContent, host: url.host, 'accept-encoding': 'gzip' },
    signal,
  })
  sent.once('response', resolve)
  // Once the response has begun, the response stream reports errors itself.
  sent.on('error', reject)
  sent.end(bytes ?? undefined)
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
