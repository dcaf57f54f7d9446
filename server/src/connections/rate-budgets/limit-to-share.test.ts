import { connectionContext } from '@tributary/testing/engine/sync/source-context.ts'
import { simulateCin7, type SimulatedCin7, tinySize } from '@tributary/testing/engine/apis/simulated-cin7.ts'
import type { Cin7LoggedRequest } from '@tributary/sims/cin7/server'
import { cin7Source } from '@tributary/engine/apis/cin7/source'
import { processRateLimiter, type RateLimiter, type RateLimiters } from '@tributary/engine/ports/rate-limit'
import type { OpenSource } from '@tributary/engine/ports/source'
import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { limitToShare } from './limit-to-share.ts'

const minuteMs = 60_000

/** The calls in a minute that Tributary takes by default, of the 60 that Cin7 Core allows. */
const cin7Calls = 55

function openVerification({ sim, clock }: SimulatedCin7): Promise<OpenSource> {
  const settings = cin7Source.parse({
    'cin7.accountId': sim.accountId,
    'cin7.applicationKey': sim.applicationKey,
    'cin7.address': sim.url,
  })
  const limiters: RateLimiters = { of: (key, rule) => processRateLimiter(key, rule, clock) }
  return cin7Source.open(settings, { ...connectionContext(), clock, rateLimiters: limitToShare(limiters) })
}

/** The documents of every list are read again. */
async function sampleAll(source: OpenSource): Promise<void> {
  for (const stream of await source.streams())
    await source.sample?.(stream, {
      calls: 6,
      documents: 10,
      rows: 100,
      checkpoint: null,
      position: 0.5,
      log: () => {},
    })
}

test('[TRUST-5] in no minute does a verification take more than a quarter of the calls that Cin7 Core allows', async () => {
  await using simulation = await simulateCin7({ size: tinySize })
  const verification = await openVerification(simulation)
  await sampleAll(verification)
  expect(simulation.sim.requests.length).toBeGreaterThan(60)
  expect(mostInAnyMinute(simulation.sim.requests)).toBe(Math.floor(cin7Calls / 4))
  expect(simulation.sim.requests.filter(({ status }) => status !== 200)).toEqual([])
})

test('[TRUST-5] while verifications wait for their part, a run with the same key gets all other calls at once', async () => {
  // Time stands still, so whatever must wait is not granted.
  const clock = { now: () => 0, sleep: () => new Promise<void>(() => undefined) }
  const limiters: RateLimiters = { of: (key, rule) => processRateLimiter(key, rule, clock) }
  const rule = { calls: 20, windowMs: minuteMs, pausesMs: [minuteMs] }
  const granted = { verification: 0, run: 0 }
  const call = async (limiter: RateLimiter, of: keyof typeof granted): Promise<void> => {
    await limiter.acquire(new AbortController().signal)
    granted[of] += 1
    limiter.release()
  }
  const verification = [1, 2].map(() => limitToShare(limiters).of('key', rule))
  for (let calls = 0; calls < 15; calls += 1) for (const each of verification) void call(each, 'verification')
  await turn()
  expect(granted).toEqual({ verification: 5, run: 0 })
  const run = limiters.of('key', rule)
  for (let calls = 0; calls < 30; calls += 1) void call(run, 'run')
  await turn()
  expect(granted).toEqual({ verification: 5, run: 15 })
})

function mostInAnyMinute(requests: readonly Cin7LoggedRequest[]): number {
  return Math.max(
    ...requests.map(({ at }) => requests.filter((other) => other.at > at - minuteMs && other.at <= at).length),
  )
}
