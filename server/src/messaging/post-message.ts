/** Posts a message to an address that a user entered, over the egress control. */
import { Fault } from '@tributary/engine/ports/faults'
import type { SecurityServices } from '../security/security-services.ts'
import { fetchOver } from '../security/egress/fetch-over-network.ts'
import { waitMaxMs } from './next-attempt.ts'

export type PostServices = Pick<SecurityServices, 'config' | 'network'>

export interface DeliveryFailure {
  /** For people. Repeats nothing of the response, which may come from an internal server. */
  readonly notice: string
  /** The same message would be refused again. */
  readonly isFinal: boolean
  /** The wait that the receiver asked for with 429. Null: none. */
  readonly retryAfterMs: number | null
}

export interface PostAnswer {
  readonly status: number
  /** The beginning of the body. Only for comparison with known codes; never shown, stored or logged. */
  readonly text: string
  readonly retryAfterMs: number | null
}

export interface PostedMessage {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** JSON. */
  readonly body: string
}

/**
 * Posts the message once. Returns null if it was accepted. Redirects are not followed, and `fetchOver` limits the
 * duration and the size of the response.
 *
 * @param readAnswer null: the answer means that the message was accepted
 */
export async function postMessage(
  { config, network }: PostServices,
  { url, headers, body }: PostedMessage,
  readAnswer: (answer: PostAnswer) => DeliveryFailure | null,
): Promise<DeliveryFailure | null> {
  if (!url.startsWith('https:') && config.mode !== 'trial') return temporary('The address must begin with https://.')
  const allHeaders = { 'content-type': 'application/json', 'user-agent': 'Tributary', ...headers }
  try {
    const response = await fetchOver(network)(url, { method: 'POST', headers: allHeaders, body, redirect: 'manual' })
    const { status } = response
    if (status >= 300 && status < 400) return temporary(`It answered ${status}, a redirect, which is not followed.`)
    const text = (await response.text()).slice(0, readMax)
    return readAnswer({ status, text, retryAfterMs: parseRetryAfter(response.headers.get('retry-after')) })
  } catch (error) {
    return temporary(error instanceof Fault ? error.notice : 'It did not answer in time, or closed the connection.')
  }
}

const readMax = 4_000

export function temporary(notice: string, retryAfterMs: number | null = null): DeliveryFailure {
  return { notice, isFinal: false, retryAfterMs }
}

export function final(notice: string): DeliveryFailure {
  return { notice, isFinal: true, retryAfterMs: null }
}

const retryAfterMinMs = 1_000

/** @param header seconds or an HTTP date, as RFC 9110 defines it */
export function parseRetryAfter(header: string | null): number | null {
  if (header === null) return null
  const waitMs = /^\d{1,9}$/u.test(header) ? Number(header) * 1_000 : Date.parse(header) - Date.now()
  return Number.isNaN(waitMs) ? null : Math.min(Math.max(waitMs, retryAfterMinMs), waitMaxMs)
}
