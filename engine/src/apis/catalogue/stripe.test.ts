import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { connectStripe, type StripeConnector } from '@tributary/testing/engine/described/stripe-connector.ts'

const [hourMs, dayMs] = [3_600_000, 86_400_000]
const completed = { status: 'completed', fault: null }

function trade({ sim, clock }: Pick<StripeConnector, 'sim' | 'clock'>, steps = 10): void {
  for (let step = 0; step < steps; step += 1) {
    clock.advance(hourMs)
    sim.tick()
  }
}

describe('[SRC-8] Stripe', () => {
  test.each(['postgres', 'mysql'] as const)(
    '[SRC-5] a %s target equals the account after inserts, changes and deletions',
    async (to) => {
      await using stripe = await connectStripe({}, to)
      expect(await stripe.run()).toMatchObject(completed)
      expect(await stripe.differences()).toEqual([])
      for (let round = 0; round < 4; round += 1) {
        trade(stripe)
        expect(await stripe.run()).toMatchObject(completed)
        expect(await stripe.differences()).toEqual([])
      }
      expect(stripe.sim.requests.filter(({ status }) => status !== 200 && status !== 404)).toEqual([])
    },
  )

  test('[SRC-5] an incremental run reads the records that events name, and not the lists', async () => {
    await using stripe = await connectStripe()
    await stripe.run()
    trade(stripe, 2)
    const before = stripe.sim.requests.length
    await stripe.run({ streams: ['charge', 'invoice', 'subscription', 'refund'] })
    const lists = stripe.sim.requests.slice(before).flatMap(({ target }) => /^\/v1\/(\w+)\?/u.exec(target)?.[1] ?? [])
    expect([...new Set(lists)]).toEqual(expect.not.arrayContaining(['charges', 'invoices', 'subscriptions', 'refunds']))
    expect(lists).toContain('events')
  })

  test('[SRC-5] after a pause that is longer than events are kept, everything is read, and deleted rows go', async () => {
    await using stripe = await connectStripe()
    await stripe.run()
    trade(stripe, 20)
    stripe.clock.advance(40 * dayMs)
    trade(stripe, 2)
    expect(await stripe.run()).toMatchObject(completed)
    expect(await stripe.differences()).toEqual([])
  })

  test('[SRC-3] records that are deleted while pages are read, also the one after which a page begins, hide no other', async () => {
    let isTrading = false
    await using stripe = await connectStripe({
      size: 700,
      beforeReply(account, path) {
        const customers = account.all('customers')
        // The last record of the page that was just given: the next page cannot begin after it.
        const at = customers.length - 100
        const last = customers[at]
        if (isTrading && path === 'customers' && last !== undefined && at > 20)
          account.remove('customers', last, 'customer.deleted')
      },
    })
    isTrading = true
    expect(await stripe.run()).toMatchObject(completed)
    isTrading = false
    const gone = stripe.sim.requests.filter(({ status }) => status === 400)
    expect(gone.length).toBeGreaterThan(0)
    expect(gone.every(({ target }) => target.includes('starting_after'))).toBe(true)
    stripe.clock.advance(dayMs)
    expect(await stripe.run()).toMatchObject(completed)
    expect(await stripe.differences()).toEqual([])
  })

  test.each([2, 9, 24])(
    '[SRC-13] a run killed at call %i, and again later, loses and doubles no row',
    async (killAt) => {
      await using stripe = await connectStripe({ size: 150 })
      for (const isFirst of [true, false]) {
        const runId = randomUUID()
        for (let kill = 1; kill <= 3; kill += 1) {
          const stop = new AbortController()
          const end = stripe.sim.requests.length + killAt * kill
          const run = stripe.run({ signal: stop.signal, runId })
          while (stripe.sim.requests.length < end && !(await isSettled(run))) await new Promise(setImmediate)
          stop.abort(new Error('killed'))
          await run
          trade(stripe, 1)
        }
        expect(await stripe.run({ runId })).toMatchObject(completed)
        expect([isFirst, await stripe.run()]).toMatchObject([isFirst, completed])
        expect(await stripe.differences()).toEqual([])
        trade(stripe, 12)
      }
    },
  )

  test('[SRC-6] [SRC-13] refusals with and without Retry-After, failures and cuts are repeated, and nothing is lost', async () => {
    await using stripe = await connectStripe()
    const { faults } = stripe.sim
    faults.inject(
      { kind: 'status', status: 429, retryAfterSeconds: 7, after: 2 },
      { kind: 'status', status: 429, after: 5 },
      { kind: 'status', status: 500, after: 9 },
      { kind: 'status', status: 409, after: 11 },
      { kind: 'drop', after: 14 },
      { kind: 'cut', after: 17 },
    )
    expect(await stripe.run()).toMatchObject(completed)
    expect(await stripe.differences()).toEqual([])
    expect(stripe.sim.requests.some(({ status }) => status === 429)).toBe(true)
  })

  test('[SRC-6] the pace stays within what Stripe allows', async () => {
    await using stripe = await connectStripe({ size: 400, callsPerSecond: 25 })
    expect(await stripe.run()).toMatchObject(completed)
    expect(stripe.sim.requests.filter(({ status }) => status === 429)).toEqual([])
  })

  test('a key that may not read a list fails that table alone, and says what to allow', async () => {
    await using stripe = await connectStripe()
    await stripe.run()
    stripe.sim.forbidden.add('disputes')
    const outcome = await stripe.run({ syncMode: 'full' })
    expect(outcome.streams.filter(({ fault }) => fault !== null).map(({ stream }) => stream.name)).toEqual(['dispute'])
    expect(outcome.streams.find(({ fault }) => fault !== null)?.fault?.notice).toContain('allow Read')
    expect(await stripe.differences()).toEqual([])
  })

  test('[SRC-4] amounts are the integers of Stripe, with the decimals of their currency', async () => {
    await using stripe = await connectStripe()
    await stripe.run()
    const rows = await stripe.query(
      'select distinct currency, currency_digits from (select currency, currency_digits from charge union select currency, currency_digits from price) as one where currency is not null order by currency',
    )
    expect(rows).toEqual([
      { currency: 'eur', currency_digits: 2 },
      { currency: 'jpy', currency_digits: 0 },
      { currency: 'kwd', currency_digits: 3 },
      { currency: 'usd', currency_digits: 2 },
    ])
  })

  test('[SRC-4] members without a column are kept as JSON', async () => {
    await using stripe = await connectStripe()
    await stripe.run()
    const [charge] = await stripe.query('select other from charge limit 1')
    expect(charge?.['other']).toMatchObject({ object: 'charge', billing_details: { name: 'Jenny Rosen' } })
  })
})

async function isSettled(run: Promise<unknown>): Promise<boolean> {
  const pending = Symbol('pending')
  return (await Promise.race([run, Promise.resolve(pending)])) !== pending
}
