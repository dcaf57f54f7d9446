import type { RateLimitRule } from '@tributary/engine/ports/rate-limit'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  emptyLedger,
  grantPermits,
  permitMs,
  type PermitGrant,
  type PermitLedger,
  type PermitRequest,
} from './permits.ts'

const rule: RateLimitRule = { calls: 20, windowMs: 10_000, pausesMs: [15_000, 30_000, 60_000], atOnce: 5 }
const idle = { sent: 0, underWay: 0, waiting: 0, clients: 0, hasReply: false }

/** A ledger and the processes that hold permits of it. */
class Budget {
  ledger: PermitLedger = emptyLedger
  now = 1_000_000

  request(holder: string, report: Partial<PermitRequest>): PermitGrant {
    const granted = grantPermits(this.ledger, rule, { ...idle, ...report, holder }, this.now)
    this.ledger = granted.ledger
    return granted.grant
  }
}

describe('the permits of one source key', () => {
  test('no window holds more calls than the rule allows, however processes ask, send and die', () => {
    const step = fc.record({
      holder: fc.constantFrom('one', 'two', 'three'),
      afterMs: fc.integer({ min: 0, max: 2_500 }),
      waiting: fc.integer({ min: 0, max: 30 }),
      /**
       * The share of its permits that it uses. The rest expires; if the process dies, it does not report them either.
       */
      used: fc.double({ min: 0, max: 1, noNaN: true }),
      dies: fc.boolean(),
    })
    fc.assert(
      fc.property(fc.array(step, { minLength: 20, maxLength: 200 }), (steps) => {
        const budget = new Budget()
        const calls: { at: number; count: number }[] = []
        const reported = new Map<string, number>()
        let lives = 0
        for (const { holder, afterMs, waiting, used, dies } of steps) {
          budget.now += afterMs
          const name = `${holder} ${lives}`
          const { permits } = budget.request(name, {
            sent: reported.get(name) ?? 0,
            waiting,
            clients: waiting === 0 ? 0 : 1,
          })
          const count = Math.round(permits * used)
          // As late as its permits allow.
          calls.push({ at: budget.now + permitMs, count })
          reported.set(name, count)
          if (dies) lives += 1
          else budget.now += permitMs
        }
        for (const { at } of calls) {
          const inWindow = calls.filter((other) => other.at > at - rule.windowMs && other.at <= at)
          expect(inWindow.reduce((sum, { count }) => sum + count, 0)).toBeLessThanOrEqual(rule.calls)
        }
      }),
      { numRuns: 500 },
    )
  })

  test('are shared by the number of clients that want calls; a process that is alone gets all', () => {
    const budget = new Budget()
    expect(budget.request('alone', { waiting: 50, clients: 1 }).permits).toBe(20)
    budget.now += 60_000
    const sent = { many: 0, few: 0 }
    const last = { many: 0, few: 0 }
    for (let second = 0; second < 600; second += 1) {
      budget.now += 1_000
      for (const [holder, clients] of [
        ['many', 3],
        ['few', 1],
      ] as const) {
        last[holder] = budget.request(holder, { sent: last[holder], waiting: 50, clients }).permits
        sent[holder] += last[holder]
      }
    }
    expect(sent.many / sent.few).toBeGreaterThan(2)
    expect(sent.many / sent.few).toBeLessThan(4.5)
    // Only permits that wait to expire reduce the throughput.
    expect(sent.many + sent.few).toBeGreaterThan(0.8 * 20 * 60)
  })

  test('unused ones are free again with the next request', () => {
    const budget = new Budget()
    expect(budget.request('one', { waiting: 50, clients: 1 }).permits).toBe(20)
    expect(budget.request('other', { waiting: 5, clients: 1 }).permits).toBe(0)
    budget.now += 1_000
    budget.request('one', { sent: 2 })
    expect(budget.request('other', { waiting: 50, clients: 1 }).permits).toBe(18)
  })

  test('those of a process that died count until their window has passed', () => {
    const budget = new Budget()
    expect(budget.request('dead', { waiting: 50, clients: 1 }).permits).toBe(20)
    budget.now += permitMs + rule.windowMs - 1
    expect(budget.request('heir', { waiting: 1, clients: 1 }).permits).toBe(0)
    budget.now += 1
    expect(budget.request('heir', { waiting: 10, clients: 1 }).permits).toBe(20)
  })

  test('calls under way together are limited over all processes, and a process with too many gets fewer', () => {
    const budget = new Budget()
    expect(budget.request('one', { waiting: 9, clients: 1 }).slots).toBe(5)
    expect(budget.request('two', { waiting: 9, clients: 1 }).slots).toBe(0)
    budget.now += 1_000
    expect(budget.request('one', { sent: 5, underWay: 5, waiting: 9, clients: 1 }).slots).toBe(2)
    // Five are still under way.
    expect(budget.request('two', { waiting: 9, clients: 1 }).slots).toBe(0)
    budget.now += 1_000
    budget.request('one', { underWay: 2, waiting: 9, clients: 1 })
    expect(budget.request('two', { waiting: 9, clients: 1 }).slots).toBe(2)
  })

  test('a refusal pauses all processes, a second one for longer, and an answer starts over', () => {
    const budget = new Budget()
    const paused = (report: Partial<PermitRequest>) => {
      budget.request('one', { waiting: 1, clients: 1, ...report })
      return budget.ledger.pausedUntil - budget.now
    }
    expect(paused({ refusal: {} })).toBe(15_000)
    expect(budget.request('two', { waiting: 1, clients: 1 }).permits).toBe(0)
    // The same refusal, seen by another process.
    expect(paused({ refusal: {} })).toBe(15_000)
    budget.now += 15_000
    expect(paused({ refusal: {} })).toBe(30_000)
    budget.now += 30_000
    budget.request('one', { hasReply: true })
    expect(paused({ refusal: {} })).toBe(15_000)
    expect(paused({ refusal: { waitMs: 66_975_000 } })).toBe(66_975_000)
  })

  test('a source that allows fewer calls than were counted is believed', () => {
    const budget = new Budget()
    expect(budget.request('one', { sent: 3, remaining: 4, waiting: 50, clients: 1 }).permits).toBe(4)
    expect(budget.request('one', { remaining: 1_000, waiting: 50, clients: 1 }).permits).toBe(4)
  })
})
