/** A webhook receiver that records all messages and responds as the test configures. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

interface ReceivedWebhook {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** Null never responds. */
export type WebhookResponse = {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
} | null

export interface WebhookReceiver extends AsyncDisposable {
  readonly url: string
  readonly received: ReceivedWebhook[]
  /** Called for each message after it was read. */
  respond: (message: ReceivedWebhook) => WebhookResponse | Promise<WebhookResponse>
}

/** @param port by default any free one */
export async function startWebhookReceiver(port = 0): Promise<WebhookReceiver> {
  const http = createServer((request, response) => {
    void answer(request, response)
  })
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = request
    const message = { method, path: url, headers, body: await text(request) }
    receiver.received.push(message)
    const reply = await receiver.respond(message)
    if (reply !== null) response.writeHead(reply.status, reply.headers).end(reply.body)
  }
  http.listen(port, '127.0.0.1')
  await once(http, 'listening')
  const receiver: WebhookReceiver = {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/hook`,
    received: [],
    respond: () => ({ status: 204 }),
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        http.close(() => resolve())
        http.closeAllConnections()
      }),
  }
  return receiver
}

/** Verifies a signature like a receiver. Returns whether it is valid, and its time in seconds since 1970. */
export function verifySignature(
  { headers, body }: ReceivedWebhook,
  secret: string,
): { readonly isGood: boolean; readonly at: number } {
  const [, at = '', given = ''] = /^t=(\d+),v1=([0-9a-f]{64})$/u.exec(String(headers['tributary-signature'])) ?? []
  const right = createHmac('sha256', secret).update(`${at}.${body}`).digest()
  const signature = Buffer.from(given, 'hex')
  return { isGood: signature.length === right.length && timingSafeEqual(signature, right), at: Number(at) }
}
