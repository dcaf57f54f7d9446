/** What the simulated chat services have in common: an HTTP server, faults that a test orders, and a rate limit. */
import { startWebhookReceiver, type WebhookReceiver, type WebhookResponse } from '../connectors/webhook-receiver.ts'

type ReceivedMessage = WebhookReceiver['received'][number]

export interface ChatReceiver extends AsyncDisposable {
  readonly origin: string
  /** All requests, accepted or not, in their order. */
  readonly received: readonly ReceivedMessage[]
  /** The next answers, instead of the service's own. Null never answers. */
  readonly faults: WebhookResponse[]
  /** Seconds that the service asks for with 429 once its rate limit is reached. */
  retryAfter: number
  /** The number of messages that are accepted until `resetLimit`. */
  limit: number
  resetLimit(): void
  clear(): void
}

/** @param answer the service's own answer, within the rate limit */
export async function startChatReceiver(
  answer: (message: ReceivedMessage) => NonNullable<WebhookResponse>,
  port?: number,
): Promise<ChatReceiver> {
  const http = await startWebhookReceiver(port)
  let accepted = 0
  const receiver: ChatReceiver = {
    origin: new URL(http.url).origin,
    received: http.received,
    faults: [],
    retryAfter: 30,
    limit: Infinity,
    resetLimit: () => {
      accepted = 0
    },
    clear: () => {
      http.received.length = 0
      receiver.faults.length = 0
      receiver.limit = Infinity
      accepted = 0
    },
    [Symbol.asyncDispose]: () => http[Symbol.asyncDispose](),
  }
  http.respond = (message) => {
    const fault = receiver.faults.shift()
    if (fault !== undefined) return fault
    if (accepted >= receiver.limit)
      return { status: 429, headers: { 'retry-after': String(receiver.retryAfter) }, body: 'rate_limited' }
    const own = answer(message)
    if (own.status < 300) accepted += 1
    return own
  }
  return receiver
}
