import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { XeroInjectedFault } from '@tributary/sims/xero/api/injected-faults'
import type { XeroSimulator } from '@tributary/sims/xero/server'
import { connectXero } from '../../engine/apis/xero-connector.ts'
import type { XeroConnector } from '../../engine/apis/xero-connector.ts'
import { isFull } from '../extent.ts'

/** Five months, because each month takes three reports. */
const size = {
  months: 5,
  contacts: 16,
  items: 10,
  invoices: 120,
  invoicesMax: 150,
  linesPerInvoice: 2,
  paymentsPerInvoice: 1.1,
}
const [hourMs, dayMs] = [3_600_000, 86_400_000]
/** Columns that Xero changes without reporting it, and that no total depends on: found within a week. */
const changedQuietly = /^(due_date|sent_to_contact|contact_name|.*_(outstanding|overdue))$/
const completed = { status: 'completed', fault: null }

test.each(isFull ? [2, 9, 21, 34] : [9, 34])(
  '[ENG-1] a run killed at call %i, and again later, resumes while the company changes, and loses or duplicates no row',
  async (killAfter) => {
    await using xero = await connectXero({ size })
    const runId = randomUUID()
    for (let kill = 1; kill <= 3; kill += 1) {
      const stop = new AbortController()
      const outcome = await Promise.race([
        xero.run({ signal: stop.signal, runId }),
        killedAt(xero.sim, xero.sim.requests.length + killAfter * kill, stop),
      ])
      stop.abort()
      if (outcome !== 'killed') break
      trade(xero)
    }
    await runUntilCurrent(xero)
    expect(await xero.differences(/./, changedQuietly)).toEqual([])
  },
)

test('[ENG-1] during a killed full refresh readers see the previous rows, until its own run completes', async () => {
  await using xero = await connectXero({ size })
  await xero.run()
  const invoices = 'select invoice_id, status, total from invoice order by invoice_id'
  const before = await xero.query(invoices)
  trade(xero)

  const runId = randomUUID()
  const stop = new AbortController()
  const killed = xero.run({
    syncMode: 'full',
    runId,
    signal: stop.signal,
    report: ({ stream, rowsRead }) => stream === 'Invoices' && rowsRead > 0 && stop.abort(new Error('killed')),
  })
  expect(await killed).toMatchObject({ status: 'cancelled' })
  expect(await xero.query(invoices)).toEqual(before)
  expect(await xero.run({ syncMode: 'full', runId })).toMatchObject(completed)
  expect(await xero.differences()).toEqual([])
})

test('[ENG-1] lost or truncated responses are requested again, and no row is lost or duplicated', async () => {
  await using xero = await connectXero({ size })
  const { faults } = xero.sim
  for (const after of [0, 5, 12, 20]) {
    faults.inject({ kind: 'drop', after }, { kind: 'cut', after: after + 1 })
    expect([after, await xero.run({ syncMode: 'full' })]).toMatchObject([after, completed])
    expect(await xero.differences()).toEqual([])
    faults.clear()
    trade(xero)
  }
})

test('[ENG-1] a token that expires in the middle of a run is renewed once, and the run continues', async () => {
  await using xero = await connectXero({ size, slowMs: 70_000 })
  expect(await xero.run()).toMatchObject(completed)
  const refused = xero.sim.requests.filter(({ status }) => status === 401)
  expect(refused.length).toBeGreaterThan(0)
  expect(await xero.differences()).toEqual([])
})

test("[ENG-1] when the day's calls are used up the run reports when to continue, and resumes the next day", async () => {
  await using xero = await connectXero({ size, limits: { perDay: 300 } })
  const runId = randomUUID()
  let outcome = await xero.run({ runId })
  for (let day = 1; outcome.status !== 'completed' && day < 6; day += 1) {
    expect(outcome).toMatchObject({ status: 'failed', fault: { kind: 'busy' } })
    expect(outcome.fault?.waitMs).toBeGreaterThan(0)
    xero.clock.advance(dayMs)
    outcome = await xero.run({ runId })
  }
  expect(outcome).toMatchObject(completed)
  expect(await xero.differences(/./, /_overdue$/)).toEqual([])
  expect(xero.sim.refusedCalls).toBe(0)
})

test('[ENG-1] a disconnected company keeps its rows and requires a new sign-in; the next run then catches up', async () => {
  await using xero = await connectXero({ size })
  await xero.run()
  const before = await xero.query('select count(*) as rows from invoice')
  xero.sim.disconnect(xero.tenantId)
  trade(xero)
  expect(await xero.run()).toMatchObject({ status: 'failed', fault: { kind: 'signIn' } })
  expect(await xero.query('select count(*) as rows from invoice')).toEqual(before)
  xero.authorisation.grantAgain()
  await runUntilCurrent(xero)
  expect(await xero.differences(/./, changedQuietly)).toEqual([])
})

test('[ENG-1] more documents than Xero searches at once are read by date, even with kills in between', async () => {
  await using xero = await connectXero({ size, documentsMax: 40 })
  const runId = randomUUID()
  for (const killAfter of [8, 30, 60]) {
    const stop = new AbortController()
    await Promise.race([
      xero.run({ signal: stop.signal, runId }),
      killedAt(xero.sim, xero.sim.requests.length + killAfter, stop),
    ])
    stop.abort()
  }
  expect(await xero.run({ runId })).toMatchObject({ ...completed, tieOut: { state: 'green' } })
  expect(await xero.differences(/^(?!report)/)).toEqual([])
})

test('[ENG-1] unknown keys, and numbers as text, change no value', async () => {
  await using xero = await connectXero({ size })
  const odd = (path: string): XeroInjectedFault => ({ kind: 'reshape', path, times: Infinity, reshape: withOddities })
  xero.sim.faults.inject(
    ...['invoices', 'payments', 'contacts', 'accounts', 'banktransactions', 'organisation'].map(odd),
  )
  expect(await xero.run()).toMatchObject({ ...completed, tieOut: { state: 'green' } })
  expect(await xero.differences()).toEqual([])
})

/** Adds a key to every object of a response, and converts its amounts to text. */
function withOddities(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withOddities)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, inner]) => {
    const isAmount = typeof inner === 'number' && /Amount|Total|Rate|Quantity/.test(key)
    return [key, isAmount ? String(inner) : withOddities(inner)]
  })
  return { Surprise: { deep: [1] }, ...Object.fromEntries(entries) }
}

/** A few hours of trading. */
function trade({ sim, clock, tenantId }: XeroConnector): void {
  for (let hour = 1; hour <= 4; hour += 1) {
    clock.advance(hourMs)
    sim.tick(tenantId)
  }
}

/** Also finds deletions, which takes a day. */
async function runUntilCurrent(xero: XeroConnector): Promise<void> {
  expect(await xero.run()).toMatchObject(completed)
  xero.clock.advance(dayMs)
  expect(await xero.run()).toMatchObject({ ...completed, tieOut: { state: 'green' } })
}

/** Resolves after this many calls, with the run paused. */
async function killedAt(sim: XeroSimulator, requests: number, stop: AbortController): Promise<'killed'> {
  while (sim.requests.length < requests && !stop.signal.aborted) await new Promise((resolve) => setImmediate(resolve))
  stop.abort(new Error('killed'))
  return 'killed'
}
