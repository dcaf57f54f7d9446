/** Calls of the services that actions start, over the egress control, and what they result in. */
import { Fault } from '@tributary/engine/ports/faults'
import type { Network } from '@tributary/engine/ports/network'
import { parseRetryAfter } from '../../../messaging/post-message.ts'
import { fetchOver } from '../../../security/egress/fetch-over-network.ts'

export interface ServiceCall {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

export interface ServiceReply {
  readonly status: number
  /** Undefined: the body is no JSON. */
  readonly json: unknown
  readonly headers: Headers
  readonly retryAfterMs: number | null
}

/** What one step of a run resulted in. `status`: of HTTP; null: the service gave no answer. `notice`: for people, without secrets. */
export type StepResult = { readonly status: number | null; readonly notice: string } & (
  | { readonly outcome: 'completed' | 'failed' | 'running' }
  | { readonly outcome: 'started'; readonly remoteId: string }
  /** It waits, and this does not count as an attempt. */
  | { readonly outcome: 'postponed'; readonly waitMs: number }
  /** The request failed; it is tried again. */
  | { readonly outcome: 'refused' }
)

/** Ends a step early, with its result. */
export class StepEnded extends Error {
  override readonly name = 'StepEnded'
  readonly result: StepResult

  constructor(result: StepResult) {
    super(result.notice)
    this.result = result
  }
}

/** Returns the result of a step, although it ends early. */
export async function resultOf(step: Promise<StepResult>): Promise<StepResult> {
  try {
    return await step
  } catch (error) {
    if (error instanceof StepEnded) return error.result
    throw error
  }
}

/** Throws `StepEnded` if the service gave no answer. Redirects are not followed. */
export async function callService(
  network: Network,
  { url, method, headers, body }: ServiceCall,
): Promise<ServiceReply> {
  const allHeaders = { accept: 'application/json', 'user-agent': 'Tributary', ...headers }
  try {
    const options = { method, headers: allHeaders, body, redirect: 'manual' } as const
    const response = await fetchOver(network)(url, options)
    const text = await response.text()
    return {
      status: response.status,
      json: parse(text),
      headers: response.headers,
      retryAfterMs: parseRetryAfter(response.headers.get('retry-after')),
    }
  } catch (error) {
    const notice =
      error instanceof Fault ? error.notice : 'The service did not answer in time, or closed the connection.'
    throw new StepEnded({ outcome: 'refused', status: null, notice })
  }
}

const rateLimitWaitMs = 60_000

/**
 * Throws `StepEnded` for an answer that is no success: a rate limit postpones, a problem of the service is tried again, and
 * any other refusal is final.
 *
 * @param words what a status means, for people
 */
export function requireSuccess(
  { status, retryAfterMs }: ServiceReply,
  service: string,
  words: Readonly<Record<number, string>>,
): void {
  if (status >= 200 && status < 300) return
  if (status === 429) {
    const waitMs = retryAfterMs ?? rateLimitWaitMs
    const notice = `${service} accepts no more requests for now (429). The next one follows in ${formatWait(waitMs)}.`
    throw new StepEnded({ outcome: 'postponed', status, waitMs, notice })
  }
  const notice = words[status] ?? `${service} answered ${status}.`
  const isTemporary = status >= 500 || status === 408
  throw new StepEnded({ outcome: isTemporary ? 'refused' : 'failed', status, notice })
}

export function formatWait(ms: number): string {
  const minutes = Math.ceil(ms / 60_000)
  if (minutes < 2) return `${Math.ceil(ms / 1_000)} seconds`
  return minutes < 120 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`
}

/** A code that a service answered, if it has the form of one, so that nothing else of its answer is stored. */
export function codeOf(value: unknown): string | null {
  return typeof value === 'string' && /^[\w.-]{1,80}$/u.test(value) ? value : null
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
