import { cin7Source } from '@tributary/engine/apis/cin7/source'
import type { CallMeter } from '@tributary/engine/ports/call-meter'
import type { RateLimiters } from '@tributary/engine/ports/rate-limit'
import { startCin7 } from '@tributary/sims/cin7/server'
import { tinySize } from '@tributary/testing/engine/apis/simulated-cin7.ts'
import { connectionContext } from '@tributary/testing/engine/sync/source-context.ts'
import { testApp } from '@tributary/testing/server/app/test-app.ts'
import { expect, test } from 'vitest'
import { systemClock } from '../../kernel/clock.ts'
import { createRateBudgets } from './rate-budgets.ts'

const workers = ['one', 'two', 'three', 'four']
/** The rule of Cin7 Core in a shorter window. The simulator answers 429 to the call after the last one that it allows. */
const allowed = { calls: 16, windowMs: 1_500 }
/** So often that no worker ends while another still waits for its first calls. */
const readings = 3

test('[SRC-6] four workers that read with one key are never refused by the source, which counts their calls, and each gets its part', async () => {
  await using app = await testApp()
  const limits = { ...allowed, daily: Infinity }
  const sim = await startCin7({ clock: systemClock, seed: 11, size: tinySize, limits })
  const stopping = new AbortController()
  const order: string[] = []
  const readAll = async (worker: string): Promise<void> => {
    const budgets = createRateBudgets({ store: app.store, log: app.services.log, stopSignal: stopping.signal })
    // One call less, because two calls may arrive closer together than they were sent.
    const rateLimiters: RateLimiters = {
      of: (key, rule) => budgets.of(key, { ...rule, calls: allowed.calls - 1, windowMs: allowed.windowMs }),
    }
    const calls: CallMeter = { admit: async () => {}, sent: () => void order.push(worker), received: () => {} }
    const settings = cin7Source.parse({
      'cin7.accountId': sim.accountId,
      'cin7.applicationKey': sim.applicationKey,
      'cin7.address': sim.url,
    })
    await using source = await cin7Source.open(settings, { ...connectionContext(), rateLimiters, calls })
    const streams = (await source.streams()).slice(0, 6)
    for (const stream of Array.from({ length: readings }, () => streams).flat())
      for await (const batch of source.read(stream, { since: null, encoding: 'text', log: () => {} })) void batch
  }
  await Promise.all(workers.map(readAll))
  stopping.abort()
  await sim.close()
  expect(sim.requests.length).toBeGreaterThan(2 * allowed.calls)
  expect(sim.requests.filter(({ status }) => status === 429)).toEqual([])
  expect(order).toHaveLength(sim.requests.length)
  // While all of them read: one that begins or ends alone leaves its part to the others.
  const begun = Math.max(...workers.map((worker) => order.indexOf(worker)))
  const together = order.slice(begun, Math.min(...workers.map((worker) => order.lastIndexOf(worker))) + 1)
  expect(together.length).toBeGreaterThan(allowed.calls / 2)
  for (const worker of workers)
    expect(together.filter((one) => one === worker).length).toBeGreaterThan(together.length / 12)
})
