import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sharedClock } from '@tributary/testing/engine/apis/shared-clock.ts'
import { realClock } from '@tributary/testing/engine/sync/source-context.ts'
import { pacedByBoth, paceOf } from './rate-limit.ts'

const signal = new AbortController().signal
const rule = { calls: 5, windowMs: 1_000, pausesMs: [15_000, 30_000, 60_000] }

test('no window ever holds more calls than the rule allows, however the calls come', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 700 }), { minLength: 10, maxLength: 60 }), async (gaps) => {
      const clock = sharedClock()
      const pace = paceOf('key', rule, clock)
      const sent: number[] = []
      for (const gap of gaps) {
        clock.advance(gap)
        sent.push(await pace.take(signal))
      }
      for (const [index, at] of sent.entries())
        expect(at - (sent[index - rule.calls] ?? -Infinity)).toBeGreaterThanOrEqual(rule.windowMs)
    }),
    { numRuns: 100 },
  )
})

test('after a refusal everybody with the key waits 15, 30 and 60 seconds in turn, and an answer begins anew', async () => {
  const clock = sharedClock()
  const one = paceOf('shared', rule, clock)
  const other = paceOf('shared', rule, clock)
  const waits: number[] = []
  for (let refusal = 0; refusal < 4; refusal += 1) {
    const refusedAt = clock.now()
    one.refused(refusedAt)
    waits.push((await other.take(signal)) - refusedAt)
  }
  expect(waits).toEqual([15_000, 30_000, 60_000, 60_000])

  other.answered(clock.now())
  const refusedAt = clock.now()
  one.refused(refusedAt)
  expect((await one.take(signal)) - refusedAt).toBe(15_000)
})

test('calls that were under way together and are refused together count as one refusal', async () => {
  const clock = sharedClock()
  const pace = paceOf('together', rule, clock)
  const sentAt = [await pace.take(signal), await pace.take(signal), await pace.take(signal)]
  clock.advance(50)
  for (const at of sentAt) pace.refused(at)
  expect((await pace.take(signal)) - clock.now()).toBe(0)
  expect(clock.sleeps).toEqual([15_000])
})

test('another key is not held up', async () => {
  const clock = sharedClock()
  const refusedAt = clock.now()
  paceOf('refused', rule, clock).refused(refusedAt)
  expect(await paceOf('free', rule, clock).take(signal)).toBe(refusedAt)
})

test('who gives up while waiting in the queue stops at once', async () => {
  const pace = paceOf('queue', { calls: 1, windowMs: 60_000, pausesMs: [60_000] }, realClock)
  await pace.take(signal)
  const stop = new AbortController()
  const first = pace.take(stop.signal)
  const second = pace.take(stop.signal)
  const since = performance.now()
  stop.abort(new Error('stopped by a person'))
  await expect(first).rejects.toThrow('stopped by a person')
  await expect(second).rejects.toThrow('stopped by a person')
  expect(performance.now() - since).toBeLessThan(1_000)
})

test('no more calls are under way together than the rule allows, and one that gives up leaves its place to the next', async () => {
  const pace = paceOf('together at once', { ...rule, calls: 100, atOnce: 2 }, sharedClock())
  await pace.take(signal)
  await pace.take(signal)
  const stop = new AbortController()
  const gaveUp = pace.take(stop.signal)
  let isTaken = false
  const next = pace.take(signal).then(() => (isTaken = true))
  stop.abort(new Error('stopped by a person'))
  await expect(gaveUp).rejects.toThrow('stopped by a person')
  expect(isTaken).toBe(false)
  pace.over()
  await next
  expect(isTaken).toBe(true)
})

test('where the other side says that fewer calls are left than we have counted, it is believed', async () => {
  const clock = sharedClock()
  const pace = paceOf('left', rule, clock)
  const first = await pace.take(signal)
  pace.left(1)
  expect(await pace.take(signal)).toBe(first)
  expect((await pace.take(signal)) - first).toBe(rule.windowMs)
  pace.left(1_000)
  expect(await pace.take(signal)).toBe(clock.now())
})

test('a call that counts for two keys waits for both', async () => {
  const clock = sharedClock()
  const shared = paceOf('of all', { ...rule, calls: 3 }, clock)
  const one = pacedByBoth(paceOf('of one', rule, clock), shared)
  const other = pacedByBoth(paceOf('of another', rule, clock), shared)
  const sent = [await one.take(signal), await other.take(signal), await one.take(signal), await other.take(signal)]
  expect(sent.map((at) => at - (sent[0] ?? 0))).toEqual([0, 0, 0, rule.windowMs])
})
