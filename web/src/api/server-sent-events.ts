/** Server-sent events, read with `fetch`: a browser's own reader cannot send the token. */
import { CallError } from './call-error.ts'

export interface ServerEvent {
  readonly name: string
  readonly text: string
}

interface Following {
  /** Opens the stream anew; what it throws counts as a failure. */
  readonly open: (signal: AbortSignal) => Promise<ReadableStream<Uint8Array>>
  /** Answers 'stop' after the last event. */
  readonly onEvent: (event: ServerEvent) => 'go on' | 'stop'
  /** Whether events arrive at the moment; while they do not, somebody else must ask. */
  readonly onLive: (isLive: boolean) => void
}

/** The server says at least that it is there every 15 s; after three times that long nobody is at the other end. */
const silenceMs = 45_000
const firstPauseMs = 1_000
const longestPauseMs = 30_000

/** Reads the stream and opens it again whenever it breaks, waiting longer each time, until `signal` or the last event ends it. */
export async function followEvents({ open, onEvent, onLive }: Following, signal: AbortSignal): Promise<void> {
  let failures = 0
  while (!signal.aborted) {
    const hear = (event: ServerEvent) => {
      failures = 0
      return onEvent(event)
    }
    try {
      if ((await followOnce({ open, onEvent: hear, onLive }, signal)) === 'stop') return
    } catch (error) {
      if (isRefused(error)) return
    } finally {
      if (!signal.aborted) onLive(false)
    }
    await pause(pauseMs(failures), signal)
    failures += 1
  }
}

export function pauseMs(failures: number): number {
  return Math.min(longestPauseMs, firstPauseMs * 2 ** failures)
}

/** Asking again would only be refused again. */
function isRefused(error: unknown): boolean {
  return error instanceof CallError && error.statusCode >= 400 && error.statusCode < 500 && error.statusCode !== 429
}

async function followOnce({ open, onEvent, onLive }: Following, signal: AbortSignal): Promise<'go on' | 'stop'> {
  const attempt = new AbortController()
  const stop = () => attempt.abort()
  signal.addEventListener('abort', stop)
  let timer = setTimeout(stop, silenceMs)
  const hear = () => {
    clearTimeout(timer)
    timer = setTimeout(stop, silenceMs)
  }
  try {
    const stream = await open(attempt.signal)
    onLive(true)
    for await (const event of parseEvents(stream, hear)) if (onEvent(event) === 'stop') return 'stop'
    return 'go on'
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', stop)
    attempt.abort()
  }
}

/** The events of a stream until it ends, by the rules of the HTML standard. Comments and what is cut off at the end are passed over. */
export async function* parseEvents(
  stream: ReadableStream<Uint8Array>,
  onPiece: () => void,
): AsyncGenerator<ServerEvent> {
  const reader = stream.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  try {
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      onPiece()
      // A line break may be cut in two: what ends with its first half waits for the second.
      const text = rest + decoder.decode(piece.value, { stream: true })
      const isCut = text.endsWith('\r')
      const blocks = (isCut ? text.slice(0, -1) : text).replaceAll(/\r\n?/g, '\n').split('\n\n')
      rest = `${blocks.pop() ?? ''}${isCut ? '\r' : ''}`
      yield* blocks.map(parseEvent).filter((event) => event !== null)
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

function parseEvent(block: string): ServerEvent | null {
  const lines = block.split('\n')
  const valuesOf = (field: string) =>
    lines
      .filter((line) => line === field || line.startsWith(`${field}:`))
      .map((line) => line.slice(field.length + 1).replace(/^ /, ''))
  const data = valuesOf('data')
  return data.length === 0 ? null : { name: valuesOf('event').at(-1) ?? 'message', text: data.join('\n') }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const timer = setTimeout(done, ms)
    signal.addEventListener('abort', done)
    function done() {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
  })
}
