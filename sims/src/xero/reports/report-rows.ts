/** Building blocks of reports: sums of the ledger, and rows of text cells. */
import { dayMs } from '../books/company.ts'
import type { XeroCompany } from '../books/company.ts'
import type { XeroAccount } from '../books/records.ts'

export interface SimulatedReportRow {
  readonly RowType: 'Header' | 'Section' | 'Row' | 'SummaryRow'
  readonly Title?: string
  readonly Cells?: readonly ReportCell[]
  readonly Rows?: readonly SimulatedReportRow[]
}

interface ReportCell {
  readonly Value: string
  readonly Attributes?: readonly { readonly Value: string; readonly Id: string }[]
}

/** Both days are inclusive. */
export interface ReportPeriod {
  readonly from: number
  readonly to: number
}

/** The movement of each account; accounts without movement are missing. */
export function balances({ journals }: XeroCompany, { from, to }: ReportPeriod): ReadonlyMap<XeroAccount, number> {
  const sums = new Map<XeroAccount, number>()
  for (const { date, postings } of journals) {
    if (date < from || date >= to + dayMs) continue
    for (const { account, cents } of postings) sums.set(account, (sums.get(account) ?? 0) + cents)
  }
  for (const [account, cents] of sums) if (cents === 0) sums.delete(account)
  return sums
}

export const header = (titles: readonly string[]): SimulatedReportRow => ({
  RowType: 'Header',
  Cells: titles.map((Value) => ({ Value })),
})

export const summary = (title: string, values: readonly string[]): SimulatedReportRow => ({
  RowType: 'SummaryRow',
  Cells: [title, ...values].map((Value) => ({ Value })),
})

/** Every cell of an account's row has the account's id. */
export function cellsOf({ id }: XeroAccount, title: string, values: readonly string[]): readonly ReportCell[] {
  const Attributes = [{ Value: id, Id: 'account' }]
  return [title, ...values].map((Value) => ({ Value, Attributes }))
}

export const text = (cents: number): string => (cents / 100).toFixed(2)

/** Periods to compare, latest first: months, quarters or years. */
export function periodsOf(query: Readonly<Record<string, string>>, latest: ReportPeriod): readonly ReportPeriod[] {
  const count = Math.min(Number(query['periods'] ?? 0), 11) + 1
  const step = { MONTH: 1, QUARTER: 3, YEAR: 12 }[query['timeframe'] ?? 'MONTH'] ?? 1
  return Array.from({ length: count }, (_, index) => ({
    from: monthsBefore(latest.from, index * step),
    to: monthsBefore(latest.to, index * step),
  }))
}

/** Month arithmetic: the last day of a month maps to the last day of another. */
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
