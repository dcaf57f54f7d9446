/** Server-sent events, read with `fetch`, because a browser's EventSource cannot send the access token. */
import { createParser } from 'eventsource-parser'
import { CallError } from './call-error.ts'
import { delay } from './delay.ts'

export interface ServerEvent {
  readonly name: string
  readonly text: string
}

interface EventSubscription {
  /** Opens the stream. What it throws counts as a failure. */
  readonly open: (signal: AbortSignal) => Promise<ReadableStream<Uint8Array>>
  /** Returns 'stop' after the last event. */
  readonly onEvent: (event: ServerEvent) => 'continue' | 'stop'
  /** Reports whether the stream is open. While it is not, the caller must poll. */
  readonly onLive: (isLive: boolean) => void
}

/** The server sends a heartbeat at least every 15 s. After three missed ones the connection counts as broken. */
const silenceMs = 45_000
const firstBackoffMs = 1_000
const longestBackoffMs = 30_000

/**
 * Reads the stream and reopens it with exponential backoff whenever it breaks, until `signal` or the last event ends
 * it.
 */
export async function followEvents(subscription: EventSubscription, signal: AbortSignal): Promise<void> {
  const { onEvent, onLive } = subscription
  let failures = 0
  while (!signal.aborted) {
    const receive = (event: ServerEvent) => {
      failures = 0
      return onEvent(event)
    }
    try {
      if ((await readOnce({ ...subscription, onEvent: receive }, signal)) === 'stop') return
    } catch (error) {
      if (isPermanent(error)) return
    } finally {
      if (!signal.aborted) onLive(false)
    }
    await delay(backoffMs(failures), signal).catch(() => undefined)
    failures += 1
  }
}

export function backoffMs(failures: number): number {
  return Math.min(longestBackoffMs, firstBackoffMs * 2 ** failures)
}

/** A retry would be refused again. */
function isPermanent(error: unknown): boolean {
  return error instanceof CallError && error.statusCode >= 400 && error.statusCode < 500 && error.statusCode !== 429
}

async function readOnce(
  { open, onEvent, onLive }: EventSubscription,
  signal: AbortSignal,
): Promise<'continue' | 'stop'> {
  const attempt = new AbortController()
  const startTimer = () => setTimeout(() => attempt.abort(), silenceMs)
  let timer = startTimer()
  const restartTimer = () => {
    clearTimeout(timer)
    timer = startTimer()
  }
  try {
    const stream = await open(AbortSignal.any([signal, attempt.signal]))
    onLive(true)
    for await (const event of parseEvents(stream, restartTimer)) if (onEvent(event) === 'stop') return 'stop'
    return 'continue'
  } finally {
    clearTimeout(timer)
    attempt.abort()
  }
}

/** The events of a stream until it ends. Comments, events without data and an incomplete last event are skipped. */
export async function* parseEvents(
  stream: ReadableStream<Uint8Array>,
  onChunk: () => void,
): AsyncGenerator<ServerEvent> {
  const reader = stream.getReader()
  const decoder = new TextDecoder()
  const events: ServerEvent[] = []
  const parser = createParser({ onEvent: ({ event = 'message', data }) => events.push({ name: event, text: data }) })
  try {
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
      onChunk()
      parser.feed(decoder.decode(chunk.value, { stream: true }))
      yield* events.splice(0)
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}
