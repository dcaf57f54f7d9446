/** What reports are made of: sums of the ledger, and rows of cells that hold texts. */
import { dayMs } from '../books/company.ts'
import type { Company } from '../books/company.ts'
import type { Account } from '../books/records.ts'

export interface ReportRow {
  readonly RowType: 'Header' | 'Section' | 'Row' | 'SummaryRow'
  readonly Title?: string
  readonly Cells?: readonly Cell[]
  readonly Rows?: readonly ReportRow[]
}

interface Cell {
  readonly Value: string
  readonly Attributes?: readonly { readonly Value: string; readonly Id: string }[]
}

/** Both days included. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** What each account moved by; one that did not move is missing. */
export function balances({ journals }: Company, { from, to }: Span): ReadonlyMap<Account, number> {
  const sums = new Map<Account, number>()
  for (const { date, postings } of journals) {
    if (date < from || date >= to + dayMs) continue
    for (const { account, cents } of postings) sums.set(account, (sums.get(account) ?? 0) + cents)
  }
  for (const [account, cents] of sums) if (cents === 0) sums.delete(account)
  return sums
}

export const header = (titles: readonly string[]): ReportRow => ({
  RowType: 'Header',
  Cells: titles.map((Value) => ({ Value })),
})

export const summary = (title: string, values: readonly string[]): ReportRow => ({
  RowType: 'SummaryRow',
  Cells: [title, ...values].map((Value) => ({ Value })),
})

/** Every cell of an account's row names the account. */
export function cellsOf({ id }: Account, title: string, values: readonly string[]): readonly Cell[] {
  const Attributes = [{ Value: id, Id: 'account' }]
  return [title, ...values].map((Value) => ({ Value, Attributes }))
}

export const text = (cents: number): string => (cents / 100).toFixed(2)

/** Periods to compare, the latest first, of months, quarters or years. */
export function periodsOf(query: Readonly<Record<string, string>>, latest: Span): readonly Span[] {
  const count = Math.min(Number(query['periods'] ?? 0), 11) + 1
  const step = { MONTH: 1, QUARTER: 3, YEAR: 12 }[query['timeframe'] ?? 'MONTH'] ?? 1
  return Array.from({ length: count }, (_, index) => ({
    from: monthsBefore(latest.from, index * step),
    to: monthsBefore(latest.to, index * step),
  }))
}

/** The last day of a month goes to the last day of another. */
export function monthsBefore(day: number, months: number): number {
  if (months === 0 || day === -Infinity) return day
  const date = new Date(day)
  const isLast = new Date(day + dayMs).getUTCDate() === 1
  if (isLast) return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - months + 1, 0)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - months, date.getUTCDate())
}

/** `31 May 26`. */
export function shortDay(at: number): string {
  const date = new Date(at)
  return `${date.getUTCDate()} ${date.toLocaleString('en', { month: 'short', timeZone: 'UTC' })} ${String(date.getUTCFullYear()).slice(2)}`
}
