/** The month in which a company's books begin: that of its oldest document. What was carried over from before is no document. */
import { member } from '../http/fields.ts'
import { isTooMuch } from './api.ts'
import type { XeroApi } from './api.ts'
import { rowsOf } from './pages.ts'
import { always, halve, spanQuery } from './spans.ts'
import type { Span } from './spans.ts'
import { xeroStreams } from './streams.ts'
import { asDay, dayOf, monthOf } from './tables/dates.ts'
import type { Day, Month } from './tables/dates.ts'
import { byDate } from './tables/declare.ts'

const known = new WeakMap<XeroApi, Promise<Month | null>>()

/** Null where there is no document. Costs four calls, once a run. */
export function firstMonth(api: XeroApi): Promise<Month | null> {
  const found = known.get(api) ?? find(api)
  known.set(api, found)
  found.catch(() => known.delete(api))
  return found
}

async function find(api: XeroApi): Promise<Month | null> {
  let oldest: Day | null = null
  for (const name of ['Invoices', 'BankTransactions', 'Payments'])
    oldest = earlier(oldest, await oldestIn(api, name, always))
  // Manual journals forget their pages when they are asked for in an order, so only those before what is known are looked at.
  const before = oldest ?? dayOf(api.clock.now())
  oldest = earlier(
    oldest,
    await firstDay(api, 'ManualJournals', { ...spanQuery(byDate, { from: null, before }), pageSize: '1000' }),
  )
  return oldest === null ? null : monthOf(oldest)
}

/** Where Xero does not look through them all, they are looked through by parts, the earliest first. */
async function oldestIn(api: XeroApi, name: string, span: Span): Promise<Day | null> {
  try {
    return await firstDay(api, name, { ...spanQuery(byDate, span), order: 'Date ASC', pageSize: '1' })
  } catch (error) {
    const parts = isTooMuch(error) ? halve(span, dayOf(api.clock.now())) : null
    if (parts === null) throw error
    return (await oldestIn(api, name, parts[0])) ?? (await oldestIn(api, name, parts[1]))
  }
}

async function firstDay(api: XeroApi, name: string, query: Readonly<Record<string, string>>): Promise<Day | null> {
  const stream = xeroStreams.find((one) => one.name === name)
  if (stream === undefined) throw new Error(`Xero has no stream ${name}.`)
  const rows = rowsOf(await api.ask({ path: name, scope: stream.scope, query: { page: '1', ...query } }), stream)
  return rows.map((row) => asDay(member(row, 'Date'))).reduce(earlier, null)
}

function earlier(one: Day | null, other: Day | null): Day | null {
  if (one === null || other === null) return one ?? other
  return one < other ? one : other
}
