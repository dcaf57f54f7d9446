/** What a simulated company's own books say, in cents: independent of the engine, for comparison with the ready questions. */
import type { XeroCompany } from '@tributary/sims/xero/books/company'
import { baseCents } from '@tributary/sims/xero/books/money'
import type { XeroAccount, XeroCredit, XeroInvoice } from '@tributary/sims/xero/books/records'

/** Cents by a key of the figure. */
export type Figures = ReadonlyMap<string, number>

const isoDay = (at: number): string => new Date(at).toISOString().slice(0, 10)
const monthOf = (at: number): string => `${isoDay(at).slice(0, 7)}-01`
const endOf = (month: string): number => Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5, 7)), 0)
const isEarned = ({ class: kind }: XeroAccount): boolean => kind === 'REVENUE' || kind === 'EXPENSE'

function summed(entries: Iterable<readonly [string, number]>): Figures {
  const sums = new Map<string, number>()
  for (const [key, cents] of entries) sums.set(key, (sums.get(key) ?? 0) + cents)
  for (const [key, cents] of sums) if (cents === 0) sums.delete(key)
  return sums
}

/** The effect on profit, by month and account. */
export function expectedProfit({ journals }: XeroCompany): Figures {
  return summed(
    journals.flatMap(({ date, postings }) =>
      postings
        .filter(({ account }) => isEarned(account))
        .map(({ account, cents }) => [`${monthOf(date)} ${account.code}`, -cents] as const),
    ),
  )
}

/** The effect on profit, by month, account, category and option; the rest of each category without an option. */
export function expectedProfitByTracking({ journals, tracking }: XeroCompany): Figures {
  return summed(
    journals.flatMap(({ date, postings }) =>
      postings
        .filter(({ account }) => isEarned(account))
        .flatMap(({ account, cents, tracking: assigned = [] }) =>
          tracking.map((category) => {
            const option = assigned.find((each) => each.category === category)?.option.name ?? ''
            return [`${monthOf(date)} ${account.code} ${category.name} ${option}`, -cents] as const
          }),
        ),
    ),
  )
}

/** Balances at the end of months by account, debit positive; earnings by their two names. */
export function expectedBalances(company: XeroCompany, months: readonly string[]): Figures {
  return summed(
    months.flatMap((month) => {
      const start = yearStart(company, month)
      return company.journals
        .filter(({ date }) => date <= endOf(month))
        .flatMap(({ date, postings }) =>
          postings.map(({ account, cents }) => {
            const earnings = date >= start ? 'Current year earnings' : 'Earnings of earlier years'
            return [`${month} ${isEarned(account) ? earnings : account.code}`, cents] as const
          }),
        )
    }),
  )
}

function yearStart({ yearEndMonth }: XeroCompany, month: string): number {
  const [year, number] = [Number(month.slice(0, 4)), Number(month.slice(5, 7))]
  return Date.UTC(number > yearEndMonth ? year : year - 1, yearEndMonth, 1)
}

/** What is owed on a day by contact and bucket, in base currency. */
export function expectedAged(company: XeroCompany, side: 'receivable' | 'payable', day: string): Figures {
  const at = Date.parse(`${day}T00:00:00Z`)
  const isSale = side === 'receivable'
  const invoices = company.invoices.filter(
    ({ type, status, date }) => isOpenable(status) && date <= at && (type === 'ACCREC') === isSale,
  )
  const credits = company.credits.filter(
    (each) => isOpenable(each.status) && each.date <= at && (each.side === 'sell') === isSale,
  )
  return summed(
    [...invoices.map((each) => item(each, 1, at)), ...credits.map((each) => item(each, -1, at))].map(
      ({ contact, days, cents }) => [`${contact} ${bucketOf(days)}`, cents] as const,
    ),
  )
}

const isOpenable = (status: string): boolean => status === 'AUTHORISED' || status === 'PAID'

function item(of: XeroInvoice | XeroCredit, sign: 1 | -1, at: number) {
  const { totalCents, rate, payments, allocations, contact, dueDate, date } = of
  const settled = [...payments.filter(({ status }) => status === 'AUTHORISED'), ...allocations]
    .filter((each) => each.date <= at)
    .reduce((sum, { cents }) => sum + baseCents(cents, rate), 0)
  const days = Math.round((at - (dueDate ?? date)) / 86_400_000)
  return { contact: contact.id, days, cents: sign * (baseCents(totalCents, rate) - settled) }
}

function bucketOf(days: number): string {
  if (days <= 0) return 'not_due'
  if (days <= 30) return 'days_1_30'
  if (days <= 60) return 'days_31_60'
  return days <= 90 ? 'days_61_90' : 'days_over_90'
}
