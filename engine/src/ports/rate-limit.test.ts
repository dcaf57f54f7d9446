import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sharedClock } from '@tributary/testing/engine/apis/shared-clock.ts'
import { realClock } from '@tributary/testing/engine/sync/source-context.ts'
import { combineRateLimiters, processRateLimiter } from './rate-limit.ts'

const signal = new AbortController().signal
const rule = { calls: 5, windowMs: 1_000, pausesMs: [15_000, 30_000, 60_000] }

test('no window ever holds more calls than the rule allows, however the calls come', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 700 }), { minLength: 10, maxLength: 60 }), async (gaps) => {
      const clock = sharedClock()
      const pace = processRateLimiter('key', rule, clock)
      const sent: number[] = []
      for (const gap of gaps) {
        clock.advance(gap)
        sent.push(await pace.acquire(signal))
      }
      for (const [index, at] of sent.entries())
        expect(at - (sent[index - rule.calls] ?? -Infinity)).toBeGreaterThanOrEqual(rule.windowMs)
    }),
    { numRuns: 100 },
  )
})

test('after a refusal everybody with the key waits 15, 30 and 60 seconds in turn, and an answer begins anew', async () => {
  const clock = sharedClock()
  const one = processRateLimiter('shared', rule, clock)
  const other = processRateLimiter('shared', rule, clock)
  const waits: number[] = []
  for (let refusal = 0; refusal < 4; refusal += 1) {
    const refusedAt = clock.now()
    one.recordRefusal(refusedAt)
    waits.push((await other.acquire(signal)) - refusedAt)
  }
  expect(waits).toEqual([15_000, 30_000, 60_000, 60_000])

  other.recordReply(clock.now())
  const refusedAt = clock.now()
  one.recordRefusal(refusedAt)
  expect((await one.acquire(signal)) - refusedAt).toBe(15_000)
})

test('calls that were under way together and are refused together count as one refusal', async () => {
  const clock = sharedClock()
  const pace = processRateLimiter('together', rule, clock)
  const sentAt = [await pace.acquire(signal), await pace.acquire(signal), await pace.acquire(signal)]
  clock.advance(50)
  for (const at of sentAt) pace.recordRefusal(at)
  expect((await pace.acquire(signal)) - clock.now()).toBe(0)
  expect(clock.sleeps).toEqual([15_000])
})

test('another key is not held up', async () => {
  const clock = sharedClock()
  const refusedAt = clock.now()
  processRateLimiter('refused', rule, clock).recordRefusal(refusedAt)
  expect(await processRateLimiter('free', rule, clock).acquire(signal)).toBe(refusedAt)
})

test('who gives up while waiting in the queue stops at once', async () => {
  const pace = processRateLimiter('queue', { calls: 1, windowMs: 60_000, pausesMs: [60_000] }, realClock)
  await pace.acquire(signal)
  const stop = new AbortController()
  const first = pace.acquire(stop.signal)
  const second = pace.acquire(stop.signal)
  const since = performance.now()
  stop.abort(new Error('stopped by a person'))
  await expect(first).rejects.toThrow('stopped by a person')
  await expect(second).rejects.toThrow('stopped by a person')
  expect(performance.now() - since).toBeLessThan(1_000)
})

test('no more calls are under way together than the rule allows, and one that gives up leaves its place to the next', async () => {
  const pace = processRateLimiter('together at once', { ...rule, calls: 100, atOnce: 2 }, sharedClock())
  await pace.acquire(signal)
  await pace.acquire(signal)
  const stop = new AbortController()
  const gaveUp = pace.acquire(stop.signal)
  let isTaken = false
  const next = pace.acquire(signal).then(() => (isTaken = true))
  stop.abort(new Error('stopped by a person'))
  await expect(gaveUp).rejects.toThrow('stopped by a person')
  expect(isTaken).toBe(false)
  pace.release()
  await next
  expect(isTaken).toBe(true)
})

test('where the other side says that fewer calls are left than we have counted, it is believed', async () => {
  const clock = sharedClock()
  const pace = processRateLimiter('left', rule, clock)
  const first = await pace.acquire(signal)
  pace.recordRemaining(1)
  expect(await pace.acquire(signal)).toBe(first)
  expect((await pace.acquire(signal)) - first).toBe(rule.windowMs)
  pace.recordRemaining(1_000)
  expect(await pace.acquire(signal)).toBe(clock.now())
})

test('a call that counts for two keys waits for both', async () => {
  const clock = sharedClock()
  const shared = processRateLimiter('of all', { ...rule, calls: 3 }, clock)
  const one = combineRateLimiters(processRateLimiter('of one', rule, clock), shared)
  const other = combineRateLimiters(processRateLimiter('of another', rule, clock), shared)
  const sent = [
    await one.acquire(signal),
    await other.acquire(signal),
    await one.acquire(signal),
    await other.acquire(signal),
  ]
  expect(sent.map((at) => at - (sent[0] ?? 0))).toEqual([0, 0, 0, rule.windowMs])
})
