/** Reports, computed only from ledger entries. */
import { RequestError } from '../api/responses.ts'
import { dayMs, midnight } from '../books/company.ts'
import type { XeroCompany } from '../books/company.ts'
import { balanceSheet } from './balance-sheet.ts'
import { profitAndLoss } from './profit-and-loss.ts'
import { balances, cellsOf, header, summary } from './report-rows.ts'
import type { SimulatedReportRow } from './report-rows.ts'
import type { XeroQueryParameters } from '../api/query.ts'
import { bareStamp } from '../api/value-format.ts'
import type { XeroRow } from '../api/value-format.ts'
import { yearStart } from '../books/financial-years.ts'
import type { XeroAccount, AccountClass } from '../books/records.ts'

interface ReportDefinition {
  readonly name: string
  readonly scope: string
  make(
    company: XeroCompany,
    query: XeroQueryParameters,
    now: number,
  ): { readonly about: string; readonly rows: readonly SimulatedReportRow[] }
}

const reports: Readonly<Record<string, ReportDefinition>> = {
  trialbalance: { name: 'Trial Balance', scope: 'trialbalance', make: trialBalance },
  profitandloss: { name: 'Profit and Loss', scope: 'profitandloss', make: profitAndLoss },
  balancesheet: { name: 'Balance Sheet', scope: 'balancesheet', make: balanceSheet },
}

/** Undefined for an unknown report. */
export function reportScopes(name: string): readonly string[] | undefined {
  const report = reports[name]
  return report && [`accounting.reports.${report.scope}`, 'accounting.reports']
}

export function reportAnswer(
  company: XeroCompany,
  name: string,
  { query, now }: { query: XeroQueryParameters; now: number },
): XeroRow {
  const report = reports[name]
  if (report === undefined) throw new RequestError('There is no such report')
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

/** Movements of the month up to the requested day, and of the financial year to date. */
function trialBalance(company: XeroCompany, query: XeroQueryParameters, now: number) {
  const day = query['date'] === undefined ? midnight(now) : Date.parse(`${query['date']}T00:00:00Z`)
  if (Number.isNaN(day)) throw new RequestError(`'${query['date']}' is not a valid date`)
  const month = balances(company, { from: monthOf(day), to: day })
  const year = yearToDate(company, day)
  const rows = sections.flatMap(([kind, Title]): SimulatedReportRow[] => {
    const accounts = company.accounts.filter(
      (account) => account.class === kind && (month.has(account) || year.has(account)),
    )
    if (accounts.length === 0) return []
    const Rows = accounts.map((account) =>
      accountRow(account, [...debitAndCredit(month.get(account) ?? 0), ...debitAndCredit(year.get(account) ?? 0)]),
    )
    return [{ RowType: 'Section', Title, Rows }]
  })
  const totals = [...totalsOf(month), ...totalsOf(year)].map((cents) => (cents / 100).toFixed(2))
  const last: SimulatedReportRow = { RowType: 'Section', Title: '', Rows: [summary('Total', totals)] }
  return {
    about: `As at ${longDay(day)}`,
    rows: [header(['Account', 'Debit', 'Credit', 'YTD Debit', 'YTD Credit']), ...rows, last],
  }
}

function accountRow(account: XeroAccount, values: readonly string[]): SimulatedReportRow {
  return { RowType: 'Row', Cells: cellsOf(account, `${account.name} (${account.code})`, values) }
}

/** A debit and a credit; one of them is empty. */
function debitAndCredit(cents: number): readonly [string, string] {
  const text = (Math.abs(cents) / 100).toFixed(2)
  if (cents === 0) return ['', '']
  return cents > 0 ? [text, ''] : ['', text]
}

function totalsOf(sums: ReadonlyMap<XeroAccount, number>): readonly [number, number] {
  const all = [...sums.values()]
  return [
    all.reduce((sum, cents) => sum + Math.max(cents, 0), 0),
    all.reduce((sum, cents) => sum - Math.min(cents, 0), 0),
  ]
}

/** Revenue and expenses count from the start of the financial year; earlier earnings are retained. */
function yearToDate(company: XeroCompany, day: number): ReadonlyMap<XeroAccount, number> {
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
