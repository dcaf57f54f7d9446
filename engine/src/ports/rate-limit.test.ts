import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sharedClock } from '@tributary/testing/engine/apis/shared-clock.ts'
import { realClock } from '@tributary/testing/engine/sync/source-context.ts'
import { combineRateLimiters, processRateLimiter } from './rate-limit.ts'

const signal = new AbortController().signal
const rule = { calls: 5, windowMs: 1_000, pausesMs: [15_000, 30_000, 60_000] }

test('no window ever has more calls than the rule allows, whatever their intervals', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 700 }), { minLength: 10, maxLength: 60 }), async (gaps) => {
      const clock = sharedClock()
      const limiter = processRateLimiter('key', rule, clock)
      const sent: number[] = []
      for (const gap of gaps) {
        clock.advance(gap)
        sent.push(await limiter.acquire(signal))
      }
      for (const [index, at] of sent.entries())
        expect(at - (sent[index - rule.calls] ?? -Infinity)).toBeGreaterThanOrEqual(rule.windowMs)
    }),
    { numRuns: 100 },
  )
})

test('consecutive refusals pause all clients of the key for 15, 30 and 60 seconds; a reply resets the backoff', async () => {
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

test('concurrent calls that are refused together count as one refusal', async () => {
  const clock = sharedClock()
  const limiter = processRateLimiter('together', rule, clock)
  const sentAt = [await limiter.acquire(signal), await limiter.acquire(signal), await limiter.acquire(signal)]
  clock.advance(50)
  for (const at of sentAt) limiter.recordRefusal(at)
  expect((await limiter.acquire(signal)) - clock.now()).toBe(0)
  expect(clock.sleeps).toEqual([15_000])
})

test('a refusal does not delay other keys', async () => {
  const clock = sharedClock()
  const refusedAt = clock.now()
  processRateLimiter('refused', rule, clock).recordRefusal(refusedAt)
  expect(await processRateLimiter('free', rule, clock).acquire(signal)).toBe(refusedAt)
})

test('aborting a caller in the queue rejects it immediately', async () => {
  const limiter = processRateLimiter('queue', { calls: 1, windowMs: 60_000, pausesMs: [60_000] }, realClock)
  await limiter.acquire(signal)
  const stop = new AbortController()
  const first = limiter.acquire(stop.signal)
  const second = limiter.acquire(stop.signal)
  const since = performance.now()
  stop.abort(new Error('stopped by a person'))
  await expect(first).rejects.toThrow('stopped by a person')
  await expect(second).rejects.toThrow('stopped by a person')
  expect(performance.now() - since).toBeLessThan(1_000)
})

test('never more concurrent calls than the rule allows; an aborted caller frees its slot', async () => {
  const limiter = processRateLimiter('together at once', { ...rule, calls: 100, atOnce: 2 }, sharedClock())
  await limiter.acquire(signal)
  await limiter.acquire(signal)
  const stop = new AbortController()
  const gaveUp = limiter.acquire(stop.signal)
  let isTaken = false
  const next = limiter.acquire(signal).then(() => (isTaken = true))
  stop.abort(new Error('stopped by a person'))
  await expect(gaveUp).rejects.toThrow('stopped by a person')
  expect(isTaken).toBe(false)
  limiter.release()
  await next
  expect(isTaken).toBe(true)
})

test('the remaining calls that the source reports override a higher count of our own', async () => {
  const clock = sharedClock()
  const limiter = processRateLimiter('left', rule, clock)
  const first = await limiter.acquire(signal)
  limiter.recordRemaining(1)
  expect(await limiter.acquire(signal)).toBe(first)
  expect((await limiter.acquire(signal)) - first).toBe(rule.windowMs)
  limiter.recordRemaining(1_000)
  expect(await limiter.acquire(signal)).toBe(clock.now())
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
