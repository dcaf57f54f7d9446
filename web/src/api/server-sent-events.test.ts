import { afterEach, expect, test, vi } from 'vitest'
import { CallError } from './call-error.ts'
import { followEvents, parseEvents, pauseMs, type ServerEvent } from './server-sent-events.ts'

afterEach(() => vi.useRealTimers())

function streamOf(...pieces: string[]): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream({
    start(controller) {
      for (const piece of pieces) controller.enqueue(encoder.encode(piece))
      controller.close()
    },
  })
}

async function read(...pieces: string[]): Promise<ServerEvent[]> {
  const events: ServerEvent[] = []
  for await (const event of parseEvents(streamOf(...pieces), () => undefined)) events.push(event)
  return events
}

test('events are read whole, wherever the network cut them, whatever ends their lines', async () => {
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

test('heartbeats, events without data and what was cut off at the end are passed over', async () => {
  expect(await read(': still here\n\n', 'event: end\n\n', 'id: 7\ndata: {}\n\n', 'data: cut')).toEqual([
    { name: 'message', text: '{}' },
  ])
})

test('a letter that was cut in two arrives as it was sent', async () => {
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

/** Follows streams given one after the other; each entry is what opening answers. */
function follow(answers: readonly (string[] | Error)[]) {
  const leaving = new AbortController()
  const seen: string[] = []
  let opened = 0
  const done = followEvents(
    {
      async open() {
        const answer = answers[Math.min(opened, answers.length - 1)] ?? []
        opened += 1
        if (answer instanceof Error) throw answer
        return streamOf(...answer)
      },
      onEvent({ name, text }) {
        seen.push(`${name} ${text}`)
        return name === 'end' ? 'stop' : 'go on'
      },
      onLive: (isLive) => seen.push(isLive ? 'live' : 'not live'),
    },
    leaving.signal,
  )
  return { seen, done, leaving, opened: () => opened }
}

test('a stream that breaks is opened again until its last event, and tells in between that nothing arrives', async () => {
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

test('it waits longer after each failure, never more than half a minute', () => {
  expect([0, 1, 2, 3, 9].map(pauseMs)).toEqual([1_000, 2_000, 4_000, 8_000, 30_000])
})

test('what is refused is not asked for again', async () => {
  const { done, opened } = follow([new CallError({ statusCode: 404, message: 'There is nothing here.' })])
  await done
  expect(opened()).toBe(1)
})

test('too many calls are no refusal: it waits and tries again', async () => {
  vi.useFakeTimers()
  const { done, opened } = follow([
    new CallError({ statusCode: 429, message: 'Too many.' }),
    ['event: end\ndata: {}\n\n'],
  ])
  await vi.advanceTimersByTimeAsync(2_000)
  await done
  expect(opened()).toBe(2)
})

test('leaving the page ends it at once, even while it waits', async () => {
  vi.useFakeTimers()
  const { done, leaving, opened } = follow([CallError.unreachable()])
  await vi.advanceTimersByTimeAsync(100)
  leaving.abort()
  await done
  expect(opened()).toBe(1)
})

test('a connection that has been silent for 45 seconds counts as broken', async () => {
  vi.useFakeTimers()
  const leaving = new AbortController()
  let opened = 0
  const done = followEvents(
    {
      open: (signal) => {
        opened += 1
        return new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))))
      },
      onEvent: () => 'go on',
      onLive: () => undefined,
    },
    leaving.signal,
  )
  await vi.advanceTimersByTimeAsync(46_500)
  expect(opened).toBe(2)
  leaving.abort()
  await done
})
