/** An HTTP client with keep-alive connections for the measured server. */
import { type Agent, request } from 'node:http'

interface HttpReply {
  readonly status: number
  readonly text: string
}

export interface HttpCall {
  readonly method?: 'GET' | 'POST'
  readonly path: string
  readonly token?: string
  /** Sent as JSON. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export function call(
  agent: Agent,
  port: number,
  { method = 'GET', path, token, body, headers = {} }: HttpCall,
): Promise<HttpReply> {
  const all = {
    ...headers,
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    ...(body !== undefined && { 'content-type': 'application/json' }),
  }
  return new Promise((resolve, reject) => {
    const sent = request({ agent, host: '127.0.0.1', port, path, method, headers: all }, (response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text: Buffer.concat(parts).toString() }))
    })
    sent.on('error', reject)
    sent.end(body === undefined ? undefined : JSON.stringify(body))
  })
}

/** Returns a quantile of times; `share` 0.99 for the 99th percentile. */
export function quantile(times: readonly number[], share: number): number {
  return times.toSorted((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN
}
