/** `fetch` for identity and captcha providers: through the egress control, without redirects, with limits of time and size. */
import { request, type IncomingMessage } from 'node:http'
import { OriginAgent } from '@tributary/engine/apis/http/exchange'
import type { Network } from '@tributary/engine/ports/network'
import type { CustomFetch, CustomFetchOptions } from 'openid-client'

const timeoutMs = 10_000
const bodyMax = 1_048_576

export function fetchOver(network: Network): CustomFetch {
  return async (address, options) => {
    const url = new URL(address)
    const signal = AbortSignal.any([
      AbortSignal.timeout(timeoutMs),
      ...(options.signal === undefined ? [] : [options.signal]),
    ])
    const line = new OriginAgent(url, network, signal)
    try {
      const message = await send(line, { url, options, signal })
      const body = await collect(message)
      return new Response(hasNoBody(message) ? null : body, {
        status: message.statusCode ?? 500,
        headers: headersOf(message),
      })
    } finally {
      line.destroy()
    }
  }
}

interface OutgoingRequest {
  readonly url: URL
  readonly options: CustomFetchOptions
  readonly signal: AbortSignal
}

function send(line: OriginAgent, { url, options, signal }: OutgoingRequest): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const { host, hostname, pathname, search } = url
  const body = options.body?.toString() ?? ''
  const headers = { ...options.headers, host, 'content-length': String(Buffer.byteLength(body)) }
  const sent = request({
    agent: line,
    host: hostname,
    path: pathname + search,
    method: options.method,
    headers,
    signal,
  })
  sent.once('response', resolve)
  sent.on('error', reject)
  sent.end(body)
  return promise
}

async function collect(message: IncomingMessage): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of message as AsyncIterable<Buffer>) {
    size += part.length
    if (size > bodyMax) throw new Error('The reply of the provider is larger than 1 MiB.')
    parts.push(part)
  }
  return new Uint8Array(Buffer.concat(parts, size))
}

function hasNoBody({ statusCode }: IncomingMessage): boolean {
  return statusCode === 204 || statusCode === 304
}

function headersOf({ headersDistinct }: IncomingMessage): Headers {
  const headers = new Headers()
  for (const [name, values = []] of Object.entries(headersDistinct))
    for (const value of values) headers.append(name, value)
  return headers
}
