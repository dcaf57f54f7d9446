import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Mishap } from '@tributary/sims/xero/api/injected-faults'
import type { XeroSimulator } from '@tributary/sims/xero/server'
import { connectXero } from '../../engine/apis/xero-connector.ts'
import type { XeroConnector } from '../../engine/apis/xero-connector.ts'

/** Five months, for each month costs three reports. */
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
/** What Xero changes without saying so, and no figure tells: it is found within a week. */
const changedQuietly = /^(due_date|sent_to_contact|contact_name|.*_(outstanding|overdue))$/
const completed = { status: 'completed', fault: null }

test.each([2, 9, 21, 34])(
  '[ENG-1] a run killed at call %i, and again later, goes on where it was while the company goes on, and loses and doubles nothing',
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
      goOn(xero)
    }
    await runToTheEnd(xero)
    expect(await xero.differences(/./, changedQuietly)).toEqual([])
  },
)

test('[ENG-1] a full refresh that is killed shows the former rows until its own run has gone on to the end', async () => {
  await using xero = await connectXero({ size })
  await xero.run()
  const invoices = 'select invoice_id, status, total from invoice order by invoice_id'
  const before = await xero.query(invoices)
  goOn(xero)

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

test('[ENG-1] answers that are lost or cut are asked for again, and nothing is lost or doubled', async () => {
  await using xero = await connectXero({ size })
  const { mishaps } = xero.sim
  for (const after of [0, 5, 12, 20]) {
    mishaps.order({ kind: 'drop', after }, { kind: 'cut', after: after + 1 })
    expect([after, await xero.run({ syncMode: 'full' })]).toMatchObject([after, completed])
    expect(await xero.differences()).toEqual([])
    mishaps.clear()
    goOn(xero)
  }
})

test('[ENG-1] a token that dies in the middle of a run is renewed once, and the run goes on', async () => {
  await using xero = await connectXero({ size, slowMs: 70_000 })
  expect(await xero.run()).toMatchObject(completed)
  const refused = xero.sim.requests.filter(({ status }) => status === 401)
  expect(refused.length).toBeGreaterThan(0)
  expect(await xero.differences()).toEqual([])
})

test("[ENG-1] when the day's calls are used up the run says when to go on, and goes on the next day where it was", async () => {
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
  expect(xero.sim.beyondLimits).toBe(0)
})

test('[ENG-1] a company that is disconnected keeps its rows and asks to be authorised again; afterwards the next run brings what was missed', async () => {
  await using xero = await connectXero({ size })
  await xero.run()
  const before = await xero.query('select count(*) as rows from invoice')
  xero.sim.disconnect(xero.tenantId)
  goOn(xero)
  expect(await xero.run()).toMatchObject({ status: 'failed', fault: { kind: 'signIn' } })
  expect(await xero.query('select count(*) as rows from invoice')).toEqual(before)
  xero.authorisation.grantAnew()
  await runToTheEnd(xero)
  expect(await xero.differences(/./, changedQuietly)).toEqual([])
})

test('[ENG-1] more documents than Xero looks through at once are read by their dates, with kills in between', async () => {
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

test('[ENG-1] keys that nobody knows, and figures that come as text, change nothing of what is moved', async () => {
  await using xero = await connectXero({ size })
  const odd = (path: string): Mishap => ({ kind: 'reshape', path, times: Infinity, reshape: withOddities })
  xero.sim.mishaps.order(
    ...['invoices', 'payments', 'contacts', 'accounts', 'banktransactions', 'organisation'].map(odd),
  )
  expect(await xero.run()).toMatchObject({ ...completed, tieOut: { state: 'green' } })
  expect(await xero.differences()).toEqual([])
})

/** Every object of an answer with one key more, and its amounts as text. */
function withOddities(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withOddities)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, inner]) => {
    const isAmount = typeof inner === 'number' && /Amount|Total|Rate|Quantity/.test(key)
    return [key, isAmount ? String(inner) : withOddities(inner)]
  })
  return { Surprise: { deep: [1] }, ...Object.fromEntries(entries) }
}

/** A few hours in which the company trades. */
function goOn({ sim, clock, tenantId }: XeroConnector): void {
  for (let hour = 1; hour <= 4; hour += 1) {
    clock.advance(hourMs)
    sim.tick(tenantId)
  }
}

/** What has vanished is found a day later. */
async function runToTheEnd(xero: XeroConnector): Promise<void> {
  expect(await xero.run()).toMatchObject(completed)
  xero.clock.advance(dayMs)
  expect(await xero.run()).toMatchObject({ ...completed, tieOut: { state: 'green' } })
}

/** Resolves once so many calls have been made, with the run stopped in its tracks. */
async function killedAt(sim: XeroSimulator, requests: number, stop: AbortController): Promise<'killed'> {
  while (sim.requests.length < requests && !stop.signal.aborted) await new Promise((resolve) => setImmediate(resolve))
  stop.abort(new Error('killed'))
  return 'killed'
}
