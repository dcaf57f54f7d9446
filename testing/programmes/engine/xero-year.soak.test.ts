/** A company that keeps trading between runs: two rounds as a slice, a whole year in fifty with `npm run soak`. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createRandom } from '@tributary/sims/random'
import type { SyncOutcome } from '@tributary/engine/sync/sync-request'
import type { EndKind } from '../../engine/databases/database-ends.ts'
import { connectXero } from '../../engine/apis/xero-connector.ts'
import type { XeroConnector } from '../../engine/apis/xero-connector.ts'
import { isFull, seed } from '../extent.ts'

const rounds = isFull ? 50 : 2
const [minuteMs, dayMs] = [60_000, 86_400_000]
const tiesOut = { status: 'completed', fault: null, tieOut: { state: 'green' } }
const kinds: readonly EndKind[] = ['postgres', 'mysql']

describe.each(kinds)('a Xero company that keeps trading, into %s', (to) => {
  const random = createRandom(seed + to.length)
  let xero: XeroConnector

  beforeAll(async () => {
    xero = await connectXero({ seed, size: isFull ? 'year' : 'trial' }, to)
  })
  afterAll(() => xero[Symbol.asyncDispose]())

  test(`[ENG-1] the first run copies every row, and the sums equal Xero's trial balance in every month (seed ${seed})`, async () => {
    expectTiedOut(await xero.run())
    expect(await xero.differences()).toEqual([])
  }, 600_000)

  test(`[ENG-1] [ENG-2] after ${rounds} rounds of new, edited, paid, voided, deleted and quietly changed documents, and a week in which every document is read again, every table equals Xero row for row and every month ties out`, async () => {
    for (let round = 1; round <= rounds; round += 1) {
      xero.clock.advance(random.between(15 * minuteMs, dayMs))
      for (let steps = random.between(1, 6); steps > 0; steps -= 1) xero.sim.tick(xero.tenantId)
      xero.sim.recode(xero.tenantId)
      expectTiedOut(await xero.run(), `in round ${round}`)
    }
    for (let day = 1; day <= 7; day += 1) {
      xero.clock.advance(dayMs)
      expectTiedOut(await xero.run(), `on day ${day}`)
    }
    // Overdue amounts change at midnight, without a run in between.
    expect(await xero.differences(/./, /_overdue$/)).toEqual([])
    expect(xero.sim.refusedCalls).toBe(0)
  }, 3_600_000)
})

/** The difference is 0.00 for every account in every month. */
function expectTiedOut(outcome: SyncOutcome, when = 'first'): void {
  expect({ when, ...outcome }).toMatchObject({ when, ...tiesOut })
  const lines = outcome.tieOut?.lines ?? []
  expect(lines.length).toBeGreaterThan(100)
  expect(lines.filter(({ difference }) => Number(difference) !== 0)).toEqual([])
}
