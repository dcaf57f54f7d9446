import { expect, test } from 'vitest'
import { startCin7 } from '../../../../sims/src/cin7/server.ts'
import type { Cin7Simulator, Cin7LoggedRequest } from '../../../../sims/src/cin7/server.ts'
import { openApiClient } from '../http/client.ts'
import type { ApiClient } from '../http/client.ts'
import { openNetwork, realClock } from '@tributary/testing/engine/sync/source-context.ts'
import { readAll } from '@tributary/testing/conformance/source/source-suite.ts'
import { simulateCin7, streamOf } from '@tributary/testing/engine/apis/simulated-cin7.ts'

const large = {
  products: 250,
  customers: 60,
  suppliers: 8,
  sales: 400,
  purchases: 150,
  salesMax: 500,
  purchasesMax: 200,
}

test('over many minutes the limit is never exceeded, and no minute has more than 60 calls', async () => {
  await using simulation = await simulateCin7({ size: large })
  const startedAt = simulation.clock.now()
  for (let run = 0; run < 3; run += 1) {
    await using source = await simulation.open()
    for (const stream of await source.streams()) await readAll(source, stream, null)
    simulation.sim.tick()
  }
  expect(simulation.clock.now() - startedAt).toBeGreaterThan(25 * 60_000)
  expect(simulation.sim.requests.filter(({ status }) => status !== 200)).toEqual([])
  expect(mostInAnyWindow(simulation.sim.requests, 60_000)).toBeLessThanOrEqual(60)
})

test('two runs with the same key share one pace, so together they stay below the limit', async () => {
  await using simulation = await simulateCin7({ size: { ...large, sales: 120, purchases: 60 } })
  await using one = await simulation.open()
  await using other = await simulation.open()
  await Promise.all([one, other].map(async (source) => readAll(source, await streamOf(source, 'sale'), null)))
  expect(simulation.sim.requests).toHaveLength(2 * (3 + 1 + 120))
  expect(simulation.sim.requests.filter(({ status }) => status !== 200)).toEqual([])
  expect(mostInAnyWindow(simulation.sim.requests, 60_000)).toBeLessThanOrEqual(60)
})

test('with a higher limit, the whole sample company is read without waiting', async () => {
  await using simulation = await simulateCin7({ callsPerMinute: 600, limits: { calls: 660 } })
  for (let step = 0; step < 200; step += 1) simulation.sim.tick()
  await using source = await simulation.open()
  for (const stream of await source.streams()) await readAll(source, stream, null)
  expect(simulation.sim.requests.length).toBeGreaterThan(60)
  expect(simulation.clock.sleeps).toEqual([])
})

test('a smaller limit holds on the real clock as well', async () => {
  const limits = { calls: 6, windowMs: 300 }
  const sim = await startCin7({ clock: realClock, seed: 5, size: 'trial', limits })
  // A busy machine may deliver a call most of a second late; the simulator counts on arrival.
  using client = impatient(sim, { calls: 5, windowMs: 1_000, timeoutMs: 5_000 })
  await Promise.all(Array.from({ length: 12 }, () => client.get('me')))
  expect(sim.requests.map(({ status }) => status)).toEqual(Array.from({ length: 12 }, () => 200))
  expect(mostInAnyWindow(sim.requests, limits.windowMs)).toBeLessThanOrEqual(limits.calls)
  await sim.close()
})

test('a response after the timeout is a passing fault, and the next call succeeds', async () => {
  const sim = await startCin7({ clock: realClock, seed: 5, size: 'trial' })
  sim.faults.inject({ kind: 'hang' })
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
    rateLimitKey: `${sim.url} ${timeoutMs}`,
    pace: { calls, windowMs, pausesMs: [500] },
    timeoutMs,
  }
  return openApiClient(api, { network: openNetwork, clock: realClock, signal: new AbortController().signal })
}

function mostInAnyWindow(requests: readonly Cin7LoggedRequest[], windowMs: number): number {
  return Math.max(
    ...requests.map(({ at: end }) => requests.filter(({ at }) => at > end - windowMs && at <= end).length),
  )
}
