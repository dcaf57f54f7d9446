import { createServer } from 'node:http'
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'
import { ApiFault } from '../../kernel/http/api-fault.ts'
import type { Store } from '../../kernel/store/store.ts'
import { SourcePaces } from './rate-budgets.ts'

const signal = new AbortController().signal
let app: TestApp

beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app[Symbol.asyncDispose]())

/** As another process would have them. */
function processPaces(store: Store = app.store): { paces: SourcePaces; end: () => void } {
  const leaving = new AbortController()
  return {
    paces: new SourcePaces({ store, log: app.services.log, leaving: leaving.signal }),
    end: () => leaving.abort(),
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
    const dying = processPaces()
    await dying.paces.of('counted', rule).acquire(signal)
    dying.end()
    const both = [processPaces(), processPaces()]
    await Promise.all(
      both.map(async ({ paces }) => {
        const pace = paces.of('counted', rule)
        for (let call = 0; call < 15; call += 1) {
          await pace.acquire(signal)
          await fetch(`http://127.0.0.1:${port}/`)
          pace.release()
        }
      }),
    )
    for (const one of both) one.end()
    source.close()
    expect(arrivals).toHaveLength(30)
    // What a call takes on its way may bring two closer together than they were sent.
    const slackMs = 200
    for (const at of arrivals) {
      expect(
        arrivals.filter((other) => other > at - rule.windowMs + slackMs && other <= at).length,
      ).toBeLessThanOrEqual(rule.calls)
    }
  })

  test('costs at most one transaction a second, and none once nobody calls', async () => {
    let transactions = 0
    const counted: Store = {
      ...app.store,
      across: (work) => {
        transactions += 1
        return app.store.across(work)
      },
    }
    const { paces, end } = processPaces(counted)
    const pace = paces.of('cheap', { calls: 6_000, windowMs: 60_000, pausesMs: [1_000] })
    const startedAt = performance.now()
    for (let call = 0; call < 30; call += 1) {
      await pace.acquire(signal)
      pace.release()
    }
    const seconds = (performance.now() - startedAt) / 1_000
    expect(transactions).toBeLessThanOrEqual(Math.ceil(seconds) + 1)
    await new Promise((resolve) => setTimeout(resolve, 2_500))
    const afterwards = transactions
    await new Promise((resolve) => setTimeout(resolve, 2_500))
    expect(transactions).toBe(afterwards)
    end()
  })

  test('is shared in turn by connectors of one process, however many calls each has waiting', async () => {
    const { paces, end } = processPaces()
    const rule = { calls: 100, windowMs: 60_000, pausesMs: [1_000], atOnce: 1 }
    const [greedy, modest] = [paces.of('fair', rule), paces.of('fair', rule)]
    const order: string[] = []
    const call = async (name: string, pace: typeof greedy) => {
      await pace.acquire(signal)
      order.push(name)
      await Promise.resolve()
      pace.release()
    }
    await Promise.all([...Array.from({ length: 6 }, () => call('greedy', greedy)), call('modest', modest)])
    expect(order.indexOf('modest')).toBeLessThanOrEqual(1)
    end()
  })

  test('a store that is away for a moment delays calls and fails none', async () => {
    let failures = 2
    const failing: Store = {
      ...app.store,
      across: async (work) => {
        failures -= 1
        if (failures >= 0) throw new ApiFault('unavailable')
        return app.store.across(work)
      },
    }
    const { paces, end } = processPaces(failing)
    await expect(
      paces.of('away', { calls: 5, windowMs: 1_000, pausesMs: [1_000] }).acquire(signal),
    ).resolves.toBeTypeOf('number')
    end()
  })

  test('a caller that gives up while waiting stops at once and leaves its place to the next', async () => {
    const { paces, end } = processPaces()
    const pace = paces.of('given up', { calls: 100, windowMs: 60_000, pausesMs: [1_000], atOnce: 1 })
    await pace.acquire(signal)
    const stop = new AbortController()
    const gaveUp = pace.acquire(stop.signal)
    const next = pace.acquire(signal)
    stop.abort(new Error('stopped by a person'))
    await expect(gaveUp).rejects.toThrow('stopped by a person')
    pace.release()
    await next
    end()
  })
})
