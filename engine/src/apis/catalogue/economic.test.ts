import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { BookedEntry } from '@tributary/sims/e-conomic/agreement'
import { connectEconomic, type EconomicConnector } from '@tributary/testing/engine/described/economic-connector.ts'

const [hourMs, dayMs] = [3_600_000, 86_400_000]
const completed = { status: 'completed', fault: null }

function trade({ sim, clock }: Pick<EconomicConnector, 'sim' | 'clock'>, steps = 5): void {
  for (let step = 0; step < steps; step += 1) {
    clock.advance(hourMs)
    sim.tick()
  }
}

describe('[SRC-8] e-conomic', () => {
  test.each(['postgres', 'mysql'] as const)(
    '[SRC-4] [SRC-5] a %s target equals the agreement after bookings, changes and deletions',
    async (to) => {
      await using economic = await connectEconomic({}, to)
      expect(await economic.run()).toMatchObject(completed)
      expect(await economic.differences()).toEqual([])
      for (let round = 0; round < 3; round += 1) {
        trade(economic)
        economic.clock.advance(dayMs)
        expect(await economic.run()).toMatchObject(completed)
        expect(await economic.differences()).toEqual([])
      }
      expect(economic.sim.requests.filter(({ status }) => status !== 200)).toEqual([])
    },
  )

  test('[SRC-3] a list in parts and numbered pages are read whole, also when the API gives smaller pages', async () => {
    await using economic = await connectEconomic({ size: 150, pageSizeMax: 40 })
    expect(await economic.run()).toMatchObject(completed)
    expect(await economic.differences()).toEqual([])
    const years = economic.sim.requests.filter(({ target }) =>
      target.startsWith('/accounting-years/2023_6_2024/entries'),
    )
    expect(years.length).toBeGreaterThan(2)
  })

  test('[SRC-3] [SRC-13] entries that are booked while pages are read hide no other one', async () => {
    let isTrading = false
    await using economic = await connectEconomic({
      size: 150,
      pageSizeMax: 40,
      beforeReply(agreement, path) {
        if (isTrading && path.endsWith('/entries')) agreement.drafts.pop()
        if (isTrading && path.endsWith('customers')) agreement.customers.shift()
      },
    })
    isTrading = true
    expect(await economic.run()).toMatchObject(completed)
    isTrading = false
    economic.clock.advance(dayMs)
    expect(await economic.run()).toMatchObject(completed)
    expect(await economic.differences()).toEqual([])
  })

  test('[SRC-6] an incremental run reads the lines of no invoice that is older than two weeks', async () => {
    await using economic = await connectEconomic()
    await economic.run()
    trade(economic, 3)
    const before = economic.sim.requests.length
    await economic.run()
    const read = economic.sim.requests.slice(before).flatMap(({ target }) => /booked\/(\d+)$/u.exec(target)?.[1] ?? [])
    const { invoices } = economic.sim.agreement
    const oldest = new Date(economic.clock.now() - 16 * dayMs).toISOString().slice(0, 10)
    const old = invoices.filter(({ date }) => date < oldest).map(({ number }) => String(number))
    expect(old.length).toBeGreaterThan(10)
    expect(read.filter((number) => old.includes(number))).toEqual([])
  })

  test('[SRC-5] an invoice that is dated back gets its lines within a day', async () => {
    await using economic = await connectEconomic()
    await economic.run()
    const [invoice] = economic.sim.agreement.invoices
    if (invoice === undefined) throw new Error('There is no invoice.')
    economic.sim.agreement.invoices.push({ ...invoice, number: 99_999 })
    economic.clock.advance(dayMs)
    expect(await economic.run()).toMatchObject(completed)
    expect(await economic.differences()).toEqual([])
  })

  test.each([3, 12, 31])(
    '[SRC-13] a run killed at call %i, and again later, loses and doubles no row',
    async (killAt) => {
      await using economic = await connectEconomic()
      for (let round = 0; round < 2; round += 1) {
        const runId = randomUUID()
        for (let kill = 1; kill <= 2; kill += 1) {
          const stop = new AbortController()
          const end = economic.sim.requests.length + killAt * kill
          const run = economic.run({ signal: stop.signal, runId })
          while (economic.sim.requests.length < end && !(await isSettled(run))) await new Promise(setImmediate)
          stop.abort(new Error('killed'))
          await run
          trade(economic, 1)
        }
        expect(await economic.run({ runId })).toMatchObject(completed)
        economic.clock.advance(dayMs)
        expect(await economic.run()).toMatchObject(completed)
        expect(await economic.differences()).toEqual([])
      }
    },
  )

  test('[SRC-6] [SRC-13] refusals with and without Retry-After, failures and cuts are repeated, and nothing is lost', async () => {
    await using economic = await connectEconomic()
    economic.sim.faults.inject(
      { kind: 'status', status: 429, retryAfterSeconds: 7, after: 2 },
      { kind: 'status', status: 429, after: 5 },
      { kind: 'status', status: 500, after: 9 },
      { kind: 'drop', after: 14 },
      { kind: 'cut', after: 17 },
    )
    expect(await economic.run()).toMatchObject(completed)
    expect(await economic.differences()).toEqual([])
  })

  test('a table that the app may not read fails alone, and says what to allow', async () => {
    await using economic = await connectEconomic()
    economic.sim.forbidden.add('departmental-distributions')
    const outcome = await economic.run()
    const failed = outcome.streams.filter(({ fault }) => fault !== null)
    expect(failed.map(({ stream }) => stream.name)).toEqual(['departmental_distribution'])
    expect(failed[0]?.fault?.notice).toContain('Give it the role')
  })

  test('the ledger ties out to the totals of every period to 0.00, also after bookings that are dated back', async () => {
    await using economic = await connectEconomic()
    expect((await economic.run()).tieOut).toMatchObject({
      state: 'green',
      company: 'Ærø Møbler ApS',
      currency: 'DKK',
      fault: null,
      mended: [],
    })
    trade(economic, 4)
    expect((await economic.run()).tieOut).toMatchObject({ state: 'green', mended: [] })
  })

  test('an entry that the list of the year lacks makes its account and month red', async () => {
    let hidden: BookedEntry | undefined
    await using economic = await connectEconomic({
      beforeReply({ entries }, path) {
        if (path.endsWith('/entries')) hidden ??= entries.splice(4, 1)[0]
        if (path.endsWith('/totals') && hidden !== undefined && !entries.includes(hidden)) entries.push(hidden)
      },
    })
    const { tieOut } = await economic.run()
    expect(tieOut?.state).toBe('red')
    const red = tieOut?.lines.filter(({ state }) => state === 'red') ?? []
    expect(red.map(({ period, code, name }) => [period, code, name])).toEqual([
      [`${hidden?.date.slice(0, 7)}-01`, String(hidden?.account), expect.any(String)],
    ])
  })

  test('[TRUST-5] every table is sampled, and an edit of the target is found with both values', async () => {
    await using economic = await connectEconomic()
    economic.clock.advance(30 * dayMs)
    await economic.run()
    expect((await economic.verify()).filter(({ outcome }) => outcome !== 'identical')).toEqual([])
    await economic.query('UPDATE entry SET amount = amount + 1 WHERE entry_number = 3')
    expect(await economic.verify({ streams: ['entry'] })).toMatchObject([
      { outcome: 'different', differences: [{ key: { entry_number: '3' }, columns: [{ name: 'amount' }] }] },
    ])
  })
})

async function isSettled(run: Promise<unknown>): Promise<boolean> {
  const pending = Symbol('pending')
  return (await Promise.race([run, Promise.resolve(pending)])) !== pending
}
