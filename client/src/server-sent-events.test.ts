import { afterEach, expect, test, vi } from 'vitest'
import { CallError } from './call-error.ts'
import { backoffMs, followEvents, parseEvents, type ServerEvent } from './server-sent-events.ts'

afterEach(() => vi.useRealTimers())

function streamOf(...chunks: string[]): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(encoder.encode(chunk))
      controller.close()
    },
  })
}

async function read(...chunks: string[]): Promise<ServerEvent[]> {
  const events: ServerEvent[] = []
  for await (const event of parseEvents(streamOf(...chunks), () => undefined)) events.push(event)
  return events
}

test('events are complete whatever the chunk boundaries and line endings', async () => {
  const expected = [
    { name: 'run', text: '{"a":1}' },
    { name: 'message', text: 'two\nlines' },
  ]
  const text = 'event: run\ndata: {"a":1}\n\ndata: two\ndata:lines\n\n'
  expect(await read(text)).toEqual(expected)
  expect(await read(...text)).toEqual(expected)
  expect(await read(...text.replaceAll('\n', '\r\n'))).toEqual(expected)
  expect(await read(text.replaceAll('\n', '\r'), '\n')).toEqual(expected)
})

test('heartbeats, events without data and an incomplete last event are skipped', async () => {
  expect(await read(': still here\n\n', 'event: end\n\n', 'id: 7\ndata: {}\n\n', 'data: cut')).toEqual([
    { name: 'message', text: '{}' },
  ])
})

test('a character that is split over two chunks is decoded correctly', async () => {
  const bytes = new TextEncoder().encode('data: Māori\n\n')
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(bytes.slice(0, 8))
      controller.enqueue(bytes.slice(8))
      controller.close()
    },
  })
  const events: ServerEvent[] = []
  for await (const event of parseEvents(stream, () => undefined)) events.push(event)
  expect(events).toEqual([{ name: 'message', text: 'Māori' }])
})

/** Follows streams one after the other; each entry is the outcome of opening one. */
function follow(outcomes: readonly (string[] | Error)[]) {
  const leaving = new AbortController()
  const seen: string[] = []
  let opened = 0
  const done = followEvents(
    {
      async open() {
        const outcome = outcomes[Math.min(opened, outcomes.length - 1)] ?? []
        opened += 1
        if (outcome instanceof Error) throw outcome
        return streamOf(...outcome)
      },
      onEvent({ name, text }) {
        seen.push(`${name} ${text}`)
        return name === 'end' ? 'stop' : 'continue'
      },
      onLive: (isLive) => seen.push(isLive ? 'live' : 'not live'),
    },
    leaving.signal,
  )
  return { seen, done, leaving, opened: () => opened }
}

test('a stream that breaks is reopened until its last event, and reported as not live in between', async () => {
  vi.useFakeTimers()
  const { seen, done, opened } = follow([
    ['event: run\ndata: 1\n\n'],
    CallError.unreachable(),
    ['event: run\ndata: 2\n\nevent: end\ndata: {}\n\n'],
  ])
  await vi.advanceTimersByTimeAsync(10_000)
  await done
  expect(opened()).toBe(3)
  expect(seen).toEqual(['live', 'run 1', 'not live', 'not live', 'live', 'run 2', 'end {}', 'not live'])
})

test('the backoff doubles after each failure, up to half a minute', () => {
  expect([0, 1, 2, 3, 9].map(backoffMs)).toEqual([1_000, 2_000, 4_000, 8_000, 30_000])
})

test('a refused stream is not reopened', async () => {
  const { done, opened } = follow([new CallError({ statusCode: 404, message: 'There is nothing here.' })])
  await done
  expect(opened()).toBe(1)
})

test('a stream that is refused by a rate limit is reopened after a pause', async () => {
  vi.useFakeTimers()
  const { done, opened } = follow([
    new CallError({ statusCode: 429, message: 'Too many.' }),
    ['event: end\ndata: {}\n\n'],
  ])
  await vi.advanceTimersByTimeAsync(2_000)
  await done
  expect(opened()).toBe(2)
})

test('leaving the page stops it at once, also during a pause', async () => {
  vi.useFakeTimers()
  const { done, leaving, opened } = follow([CallError.unreachable()])
  await vi.advanceTimersByTimeAsync(100)
  leaving.abort()
  await done
  expect(opened()).toBe(1)
})

test('a connection without data for 45 seconds counts as broken', async () => {
  vi.useFakeTimers()
  const leaving = new AbortController()
  let opened = 0
  const done = followEvents(
    {
      open: (signal) => {
        opened += 1
        return new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))))
      },
      onEvent: () => 'continue',
      onLive: () => undefined,
    },
    leaving.signal,
  )
  await vi.advanceTimersByTimeAsync(46_500)
  expect(opened).toBe(2)
  leaving.abort()
  await done
})
