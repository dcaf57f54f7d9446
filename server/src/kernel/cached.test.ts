import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { cachedByCost } from './cached.ts'

/** A value that takes so long on a clock of the test. */
function rig(tookMs: number) {
  let now = 0
  let loads = 0
  let finish: () => void = () => undefined
  const clock = { now: () => now, sleep: () => Promise.resolve() }
  const read = cachedByCost(clock, { maxAgeMs: 5_000, share: 0.1 }, async () => {
    loads += 1
    const value = loads
    await new Promise<void>((resolve) => (finish = resolve))
    now += tookMs
    return value
  })
  const end = async () => {
    finish()
    await setImmediate()
  }
  return { read, end, pass: (ms: number) => (now += ms), count: () => loads }
}

test('a fast value is loaded again after its age, and callers wait for it', async () => {
  const { read, end, pass } = rig(10)
  const first = read()
  await end()
  expect(await first).toBe(1)
  pass(4_000)
  expect(await read()).toBe(1)
  pass(1_000)
  const second = read()
  await end()
  expect(await second).toBe(2)
})

test('a slow value is loaded for a part of the time only; meanwhile callers get the last one at once', async () => {
  const { read, end, pass, count } = rig(2_000)
  const first = read()
  await end()
  expect(await first).toBe(1)
  pass(19_000)
  expect(await read()).toBe(1)
  expect(count()).toBe(1)
  pass(1_000)
  expect(await read()).toBe(1)
  expect(count()).toBe(2)
  await end()
  expect(await read()).toBe(2)
})
