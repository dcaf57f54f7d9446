/** Reports, added up from the entries of the ledger and from nothing else. */
import { Refusal } from '../api/answer.ts'
import { dayMs, midnight } from '../books/company.ts'
import type { Company } from '../books/company.ts'
import { balanceSheet } from './balance-sheet.ts'
import { profitAndLoss } from './profit-and-loss.ts'
import { balances, cellsOf, header, summary } from './report-rows.ts'
import type { ReportRow } from './report-rows.ts'
import type { Query } from '../api/query.ts'
import { bareStamp } from '../api/value-format.ts'
import type { Row } from '../api/value-format.ts'
import { yearStart } from '../books/financial-years.ts'
import type { Account, AccountClass } from '../books/records.ts'

interface Report {
  readonly name: string
  readonly scope: string
  make(company: Company, query: Query, now: number): { readonly about: string; readonly rows: readonly ReportRow[] }
}

const reports: Readonly<Record<string, Report>> = {
  trialbalance: { name: 'Trial Balance', scope: 'trialbalance', make: trialBalance },
  profitandloss: { name: 'Profit and Loss', scope: 'profitandloss', make: profitAndLoss },
  balancesheet: { name: 'Balance Sheet', scope: 'balancesheet', make: balanceSheet },
}

/** Undefined where there is no such report. */
export function reportScopes(name: string): readonly string[] | undefined {
  const report = reports[name]
  return report && [`accounting.reports.${report.scope}`, 'accounting.reports']
}

export function reportAnswer(company: Company, name: string, { query, now }: { query: Query; now: number }): Row {
  const report = reports[name]
  if (report === undefined) throw new Refusal('There is no such report')
  const { about, rows } = report.make(company, query, now)
  const id = report.name.replaceAll(' ', '').replace('and', 'And')
  return {
    ReportID: id,
    ReportName: report.name,
    ReportType: id,
    ReportTitles: [report.name, company.name, about],
    ReportDate: longDay(now),
    UpdatedDateUTC: bareStamp(now),
    Fields: [],
    Rows: rows,
  }
}

/** `31 May 2026`. */
const longDay = (at: number): string => {
  const date = new Date(at)
  return `${date.getUTCDate()} ${date.toLocaleString('en', { month: 'long', timeZone: 'UTC' })} ${date.getUTCFullYear()}`
}

const sections: readonly (readonly [AccountClass, string])[] = [
  ['REVENUE', 'Revenue'],
  ['EXPENSE', 'Expenses'],
  ['ASSET', 'Assets'],
  ['LIABILITY', 'Liabilities'],
  ['EQUITY', 'Equity'],
]

/** What moved in the month of the day asked for, up to that day, and since the financial year began. */
function trialBalance(company: Company, query: Query, now: number) {
  const day = query['date'] === undefined ? midnight(now) : Date.parse(`${query['date']}T00:00:00Z`)
  if (Number.isNaN(day)) throw new Refusal(`'${query['date']}' is not a valid date`)
  const month = balances(company, { from: monthOf(day), to: day })
  const year = yearToDate(company, day)
  const rows = sections.flatMap(([kind, Title]): ReportRow[] => {
    const accounts = company.accounts.filter(
      (account) => account.class === kind && (month.has(account) || year.has(account)),
    )
    if (accounts.length === 0) return []
    const Rows = accounts.map((account) =>
      accountRow(account, [...sided(month.get(account) ?? 0), ...sided(year.get(account) ?? 0)]),
    )
    return [{ RowType: 'Section', Title, Rows }]
  })
  const totals = [...totalsOf(month), ...totalsOf(year)].map((cents) => (cents / 100).toFixed(2))
  const last: ReportRow = { RowType: 'Section', Title: '', Rows: [summary('Total', totals)] }
  return {
    about: `As at ${longDay(day)}`,
    rows: [header(['Account', 'Debit', 'Credit', 'YTD Debit', 'YTD Credit']), ...rows, last],
  }
}

function accountRow(account: Account, values: readonly string[]): ReportRow {
  return { RowType: 'Row', Cells: cellsOf(account, `${account.name} (${account.code})`, values) }
}

/** A debit and a credit; the one that is not is empty. */
function sided(cents: number): readonly [string, string] {
  const text = (Math.abs(cents) / 100).toFixed(2)
  if (cents === 0) return ['', '']
  return cents > 0 ? [text, ''] : ['', text]
}

function totalsOf(sums: ReadonlyMap<Account, number>): readonly [number, number] {
  const all = [...sums.values()]
  return [
    all.reduce((sum, cents) => sum + Math.max(cents, 0), 0),
    all.reduce((sum, cents) => sum - Math.min(cents, 0), 0),
  ]
}

/** Revenue and expenses count from the beginning of the financial year; what earlier years earned is retained. */
function yearToDate(company: Company, day: number): ReadonlyMap<Account, number> {
  const from = yearStart(company, day)
  const earlier = balances(company, { from: -Infinity, to: from - dayMs })
  const sums = new Map(balances(company, { from: -Infinity, to: day }))
  const retained = company.accounts.find(({ system }) => system === 'RETAINEDEARNINGS')
  for (const [account, cents] of earlier) {
    if (account.class !== 'REVENUE' && account.class !== 'EXPENSE') continue
    sums.set(account, (sums.get(account) ?? 0) - cents)
    if (retained !== undefined) sums.set(retained, (sums.get(retained) ?? 0) + cents)
  }
  for (const [account, cents] of sums) if (cents === 0) sums.delete(account)
  return sums
}

const monthOf = (day: number): number => Date.UTC(new Date(day).getUTCFullYear(), new Date(day).getUTCMonth(), 1)
