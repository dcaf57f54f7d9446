import { expect, test } from 'vitest'
import { startCin7 } from '../../../../sims/src/cin7/server.ts'
import type { Cin7Simulator, SeenRequest } from '../../../../sims/src/cin7/server.ts'
import { openApi } from '../http/client.ts'
import type { ApiClient } from '../http/client.ts'
import { openNetwork, realClock } from '@tributary/testing/engine/sync/source-context.ts'
import { readAll } from '@tributary/testing/conformance/source/source-suite.ts'
import { simulated, streamOf } from '@tributary/testing/engine/apis/simulated-cin7.ts'

const large = {
  products: 250,
  customers: 60,
  suppliers: 8,
  sales: 400,
  purchases: 150,
  salesMax: 500,
  purchasesMax: 200,
}

test('over many minutes the limit is never met, and no minute holds more than 60 calls', async () => {
  await using there = await simulated({ size: large })
  const startedAt = there.clock.now()
  for (let run = 0; run < 3; run += 1) {
    await using source = await there.open()
    for (const stream of await source.streams()) await readAll(source, stream, null)
    there.sim.tick()
  }
  expect(there.clock.now() - startedAt).toBeGreaterThan(25 * 60_000)
  expect(there.sim.requests.filter(({ status }) => status !== 200)).toEqual([])
  expect(mostInAnyWindow(there.sim.requests, 60_000)).toBeLessThanOrEqual(60)
})

test('two runs with the same key share one pace, and so stay below the limit together', async () => {
  await using there = await simulated({ size: { ...large, sales: 120, purchases: 60 } })
  await using one = await there.open()
  await using other = await there.open()
  await Promise.all([one, other].map(async (source) => readAll(source, await streamOf(source, 'sale'), null)))
  expect(there.sim.requests).toHaveLength(2 * (3 + 1 + 120))
  expect(there.sim.requests.filter(({ status }) => status !== 200)).toEqual([])
  expect(mostInAnyWindow(there.sim.requests, 60_000)).toBeLessThanOrEqual(60)
})

test('an application that Cin7 Core allows more calls reads the whole trial company without waiting', async () => {
  await using there = await simulated({ callsPerMinute: 600, limits: { calls: 660 } })
  for (let step = 0; step < 200; step += 1) there.sim.tick()
  await using source = await there.open()
  for (const stream of await source.streams()) await readAll(source, stream, null)
  expect(there.sim.requests.length).toBeGreaterThan(60)
  expect(there.clock.sleeps).toEqual([])
})

test('on the real clock, too, a smaller limit is kept', async () => {
  const limits = { calls: 6, windowMs: 300 }
  const sim = await startCin7({ clock: realClock, seed: 5, size: 'trial', limits })
  // A busy computer may deliver a call most of a second late; the simulator counts when it arrives.
  using client = impatient(sim, { calls: 5, windowMs: 1_000, timeoutMs: 5_000 })
  await Promise.all(Array.from({ length: 12 }, () => client.get('me')))
  expect(sim.requests.map(({ status }) => status)).toEqual(Array.from({ length: 12 }, () => 200))
  expect(mostInAnyWindow(sim.requests, limits.windowMs)).toBeLessThanOrEqual(limits.calls)
  await sim.close()
})

test('an answer that does not come in time is a passing fault, and the next call is answered', async () => {
  const sim = await startCin7({ clock: realClock, seed: 5, size: 'trial' })
  sim.mishaps.order({ kind: 'hang' })
  using client = impatient(sim, { calls: 5, windowMs: 320, timeoutMs: 150 })
  await expect(client.get('me', {}, 'once')).rejects.toMatchObject({ kind: 'passing', code: 'cin7.unreachable' })
  await expect(client.get('me', {}, 'once')).resolves.toMatchObject({ json: { Company: 'Harbour Trading Ltd' } })
  await sim.close()
})

function impatient(
  sim: Cin7Simulator,
  { calls, windowMs, timeoutMs }: { calls: number; windowMs: number; timeoutMs: number },
): ApiClient {
  const headers = { 'api-auth-accountid': sim.accountId, 'api-auth-applicationkey': sim.applicationKey }
  const api = {
    title: 'Cin7 Core',
    code: 'cin7',
    base: new URL(sim.url),
    headers,
    pacedBy: `${sim.url} ${timeoutMs}`,
    pace: { calls, windowMs, pausesMs: [500] },
    timeoutMs,
  }
  return openApi(api, { network: openNetwork, clock: realClock, signal: new AbortController().signal })
}

function mostInAnyWindow(requests: readonly SeenRequest[], windowMs: number): number {
  return Math.max(
    ...requests.map(({ at: end }) => requests.filter(({ at }) => at > end - windowMs && at <= end).length),
  )
}
