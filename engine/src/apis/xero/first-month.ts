/** Finds the first month of a company's books: that of its oldest document. Opening balances are not documents. */
import { readMember } from '../http/fields.ts'
import { isTooManyDocuments, type XeroApi } from './api.ts'
import { rowsOf } from './read-page.ts'
import { always, type DateSpan, halve, spanQuery } from './date-spans.ts'
import { findStream } from './streams.ts'
import { asDay, dayOf, monthOf, type XeroDay, type XeroMonth } from './tables/dates.ts'
import { byDate } from './tables/stream-kinds.ts'

const firstMonths = new WeakMap<XeroApi, Promise<XeroMonth | null>>()

/** Null without documents. Takes four calls, once per run. */
export function getFirstMonth(api: XeroApi): Promise<XeroMonth | null> {
  const month = firstMonths.get(api) ?? findFirstMonth(api)
  firstMonths.set(api, month)
  month.catch(() => firstMonths.delete(api))
  return month
}

async function findFirstMonth(api: XeroApi): Promise<XeroMonth | null> {
  let oldest: XeroDay | null = null
  for (const name of ['Invoices', 'BankTransactions', 'Payments'])
    oldest = earlierOf(oldest, await oldestIn(api, name, always))
  // Xero ignores paging of manual journals if an order is requested, so only those before the known oldest date are
  // read.
  const before = oldest ?? dayOf(api.clock.now())
  oldest = earlierOf(
    oldest,
    await firstDay(api, 'ManualJournals', { ...spanQuery(byDate, { from: null, before }), pageSize: '1000' }),
  )
  return oldest === null ? null : monthOf(oldest)
}

/** If Xero refuses to search all documents, searches halves of the span, the earliest first. */
async function oldestIn(api: XeroApi, name: string, span: DateSpan): Promise<XeroDay | null> {
  try {
    return await firstDay(api, name, { ...spanQuery(byDate, span), order: 'Date ASC', pageSize: '1' })
  } catch (error) {
    const parts = isTooManyDocuments(error) ? halve(span, dayOf(api.clock.now())) : null
    if (parts === null) throw error
    return (await oldestIn(api, name, parts[0])) ?? (await oldestIn(api, name, parts[1]))
  }
}

async function firstDay(api: XeroApi, name: string, query: Readonly<Record<string, string>>): Promise<XeroDay | null> {
  const stream = findStream({ name })
  const rows = rowsOf(await api.get({ path: name, scope: stream.scope, query: { page: '1', ...query } }), stream)
  return rows.map((row) => asDay(readMember(row, 'Date'))).reduce(earlierOf, null)
}

function earlierOf(first: XeroDay | null, second: XeroDay | null): XeroDay | null {
  if (first === null || second === null) return first ?? second
  return first < second ? first : second
}
