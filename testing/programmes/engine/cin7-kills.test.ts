import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Cin7Simulator } from '@tributary/sims/cin7/server'
import type { SyncRunRequest } from '../../../engine/src/sync/sync-request.ts'
import { connectCin7, smallCompany as size } from '../../engine/apis/cin7-connector.ts'

const dayMs = 86_400_000

test('[ENG-1] a run killed at any call resumes while the company changes, and loses or duplicates no row', async () => {
  const streams = ['product', 'saleList', 'sale', 'purchase', 'stockTransfer', 'moneyTask', 'transactions']
  const tables =
    /^(product|product_(?!availability|family).*|sale|sale_(?!credit_note_list).*|purchase|purchase_(?!list|credit_note_list).*|stock_transfer.*|money_task.*|ledger_entry)$/
  for (const killAfter of [3, 24, 52, 70]) {
    await using cin7 = await connectCin7({ size })
    const runId = randomUUID()
    for (let kill = 1; kill <= 3; kill += 1) {
      const stop = new AbortController()
      const outcome = await Promise.race([
        cin7.run({ signal: stop.signal, runId, streams }),
        killedAt(cin7.sim, cin7.sim.requests.length + killAfter, stop),
      ])
      stop.abort()
      if (outcome !== 'killed') break
      cin7.clock.advance(600_000)
      cin7.sim.tick()
    }
    expect(await cin7.run({ streams })).toMatchObject({ status: 'completed' })
    cin7.clock.advance(dayMs)
    expect(await cin7.run({ streams })).toMatchObject({ status: 'completed' })
    expect([killAfter, await cin7.differences(tables)]).toEqual([killAfter, []])
  }
})

test('[ENG-1] a killed full refresh resumes in its own run, and readers see the previous rows until it is complete', async () => {
  await using cin7 = await connectCin7({ size, slowMs: 500 })
  await cin7.run()
  const sales = 'select id, status, order_total from sale order by id'
  const before = await cin7.query(sales)
  cin7.clock.advance(3_600_000)
  for (let step = 0; step < 10; step += 1) cin7.sim.tick()
  cin7.clock.advance(3_600_000)

  const runId = randomUUID()
  const stop = new AbortController()
  const killOnceKept: SyncRunRequest['report'] = ({ stream, rowsWritten }) => {
    if (stream === 'sale' && rowsWritten > 0) stop.abort(new Error('killed'))
  }
  expect(await cin7.run({ syncMode: 'full', runId, signal: stop.signal, report: killOnceKept })).toMatchObject({
    status: 'cancelled',
  })
  expect(await cin7.query(sales)).toEqual(before)

  const called = cin7.sim.requests.length
  expect(await cin7.run({ syncMode: 'full', runId })).toMatchObject({ status: 'completed' })
  expect(await cin7.differences()).toEqual([])
  const readAgain = cin7.sim.requests.slice(called).filter(({ path }) => path === 'sale')
  expect(readAgain.length).toBeLessThan(cin7.sim.company.sales.length)
})

/** Resolves after this many calls, with the run paused. */
async function killedAt(sim: Cin7Simulator, requests: number, stop: AbortController): Promise<'killed'> {
  while (sim.requests.length < requests && !stop.signal.aborted) await new Promise((resolve) => setImmediate(resolve))
  stop.abort(new Error('killed'))
  return 'killed'
}
