import { createServer } from 'node:http'
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'
import { ApiFault } from '../../kernel/http/api-fault.ts'
import type { Store } from '../../kernel/store/store.ts'
import type { RateLimiters } from '@tributary/engine/ports/rate-limit'
import { createRateBudgets } from './rate-budgets.ts'

const signal = new AbortController().signal
let app: TestApp

beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app[Symbol.asyncDispose]())

/** The budgets of another process. */
function openProcess(store: Store = app.store): { budgets: RateLimiters; end: () => void } {
  const stopping = new AbortController()
  return {
    budgets: createRateBudgets({ store, log: app.services.log, stopSignal: stopping.signal }),
    end: () => stopping.abort(),
  }
}

describe('the limit of a source key', () => {
  test('holds over all processes, one that dies holding permits included', async () => {
    const rule = { calls: 12, windowMs: 3_000, pausesMs: [1_000] }
    const arrivals: number[] = []
    const source = createServer((_, reply) => {
      arrivals.push(performance.now())
      reply.end('{}')
    }).listen(0, '127.0.0.1')
    await once(source, 'listening')
    const { port } = source.address() as { port: number }
    const dying = openProcess()
    await dying.budgets.of('counted', rule).acquire(signal)
    dying.end()
    const both = [openProcess(), openProcess()]
    await Promise.all(
      both.map(async ({ budgets }) => {
        const limiter = budgets.of('counted', rule)
        for (let call = 0; call < 15; call += 1) {
          await limiter.acquire(signal)
          await fetch(`http://127.0.0.1:${port}/`)
          limiter.release()
        }
      }),
    )
    for (const one of both) one.end()
    source.close()
    expect(arrivals).toHaveLength(30)
    // Network latency may bring two calls closer together than they were sent.
    const slackMs = 200
    for (const at of arrivals) {
      expect(
        arrivals.filter((other) => other > at - rule.windowMs + slackMs && other <= at).length,
      ).toBeLessThanOrEqual(rule.calls)
    }
  })

  test('costs at most one transaction a second, and none without calls', async () => {
    let transactions = 0
    const counted: Store = {
      ...app.store,
      across: (work) => {
        transactions += 1
        return app.store.across(work)
      },
    }
    const { budgets, end } = openProcess(counted)
    const limiter = budgets.of('cheap', { calls: 6_000, windowMs: 60_000, pausesMs: [1_000] })
    const startedAt = performance.now()
    for (let call = 0; call < 30; call += 1) {
      await limiter.acquire(signal)
      limiter.release()
    }
    const seconds = (performance.now() - startedAt) / 1_000
    expect(transactions).toBeLessThanOrEqual(Math.ceil(seconds) + 1)
    await new Promise((resolve) => setTimeout(resolve, 2_500))
    const afterwards = transactions
    await new Promise((resolve) => setTimeout(resolve, 2_500))
    expect(transactions).toBe(afterwards)
    end()
  })

  test('is shared round-robin by connectors of one process, however many calls each has waiting', async () => {
    const { budgets, end } = openProcess()
    const rule = { calls: 100, windowMs: 60_000, pausesMs: [1_000], atOnce: 1 }
    const [greedy, modest] = [budgets.of('fair', rule), budgets.of('fair', rule)]
    const order: string[] = []
    const call = async (name: string, limiter: typeof greedy) => {
      await limiter.acquire(signal)
      order.push(name)
      await Promise.resolve()
      limiter.release()
    }
    await Promise.all([...Array.from({ length: 6 }, () => call('greedy', greedy)), call('modest', modest)])
    expect(order.indexOf('modest')).toBeLessThanOrEqual(1)
    end()
  })

  test('a store that is briefly unavailable delays calls and fails none', async () => {
    let failures = 2
    const failing: Store = {
      ...app.store,
      across: async (work) => {
        failures -= 1
        if (failures >= 0) throw new ApiFault('unavailable')
        return app.store.across(work)
      },
    }
    const { budgets, end } = openProcess(failing)
    await expect(
      budgets.of('away', { calls: 5, windowMs: 1_000, pausesMs: [1_000] }).acquire(signal),
    ).resolves.toBeTypeOf('number')
    end()
  })

  test('a caller that aborts while waiting stops immediately, and the next caller is served', async () => {
    const { budgets, end } = openProcess()
    const limiter = budgets.of('given up', { calls: 100, windowMs: 60_000, pausesMs: [1_000], atOnce: 1 })
    await limiter.acquire(signal)
    const stop = new AbortController()
    const gaveUp = limiter.acquire(stop.signal)
    const next = limiter.acquire(signal)
    stop.abort(new Error('stopped by a person'))
    await expect(gaveUp).rejects.toThrow('stopped by a person')
    limiter.release()
    await next
    end()
  })
})
