/** The balance sheet: assets, liabilities and equity at the end of a day. */
import { RequestError } from '../api/responses.ts'
import { dayMs, midnight } from '../books/company.ts'
import type { XeroCompany } from '../books/company.ts'
import type { XeroQueryParameters } from '../api/query.ts'
import { balances, cellsOf, header, periodsOf, shortDay, summary, text } from './report-rows.ts'
import type { SimulatedReportRow } from './report-rows.ts'
import { yearStart } from '../books/financial-years.ts'
import type { XeroAccount } from '../books/records.ts'

interface SheetSection {
  readonly title: string
  readonly types: readonly string[]
  readonly sign: 1 | -1
}

const assets: readonly SheetSection[] = [
  { title: 'Bank', types: ['BANK'], sign: 1 },
  { title: 'Current Assets', types: ['CURRENT', 'INVENTORY', 'PREPAYMENT'], sign: 1 },
  { title: 'Fixed Assets', types: ['FIXED', 'NONCURRENT'], sign: 1 },
]
const liabilities: readonly SheetSection[] = [
  { title: 'Current Liabilities', types: ['CURRLIAB'], sign: -1 },
  { title: 'Non-current Liabilities', types: ['TERMLIAB', 'LIABILITY'], sign: -1 },
]

type BalanceColumn = ReadonlyMap<XeroAccount, number>

export function balanceSheet(company: XeroCompany, query: XeroQueryParameters, now: number) {
  const day = query['date'] === undefined ? midnight(now) : Date.parse(`${query['date']}T00:00:00Z`)
  if (Number.isNaN(day)) throw new RequestError(`'${query['date']}' is not a valid date`)
  // By default it is compared with the same day of the previous year.
  const periodQuery = query['periods'] === undefined ? { periods: '1', timeframe: 'YEAR' } : query
  const days = periodsOf(periodQuery, { from: -Infinity, to: day }).map(({ to }) => to)
  const columns = days.map((to) => balances(company, { from: -Infinity, to }))
  const owned = group(company, columns, { parts: assets, title: 'Assets' })
  const owed = group(company, columns, { parts: liabilities, title: 'Liabilities' })
  const net = owned.sums.map((sum, index) => sum - (owed.sums[index] ?? 0))
  return {
    about: `As at ${shortDay(day)}`,
    rows: [
      header(['', ...days.map(shortDay)]),
      ...owned.rows,
      ...owed.rows,
      { RowType: 'Section', Title: '', Rows: [row('Net Assets', net)] } satisfies SimulatedReportRow,
      equity(company, columns, days),
    ],
  }
}

function group(
  company: XeroCompany,
  columns: readonly BalanceColumn[],
  { parts, title }: { parts: readonly SheetSection[]; title: string },
) {
  const made = parts.map((part) => section(company, columns, part)).filter(({ rows }) => rows.length > 1)
  const sums = columns.map((_, index) => made.reduce((sum, part) => sum + (part.sums[index] ?? 0), 0))
  const rows: SimulatedReportRow[] = [
    { RowType: 'Section', Title: title, Rows: [] },
    ...made.map(({ title, rows }): SimulatedReportRow => ({ RowType: 'Section', Title: title, Rows: rows })),
    { RowType: 'Section', Title: '', Rows: [summary(`Total ${title}`, sums.map(text))] },
  ]
  return { sums, rows }
}

function section({ accounts }: XeroCompany, columns: readonly BalanceColumn[], { title, types, sign }: SheetSection) {
  const shown = accounts.filter(
    (account) => types.includes(account.type) && columns.some((column) => column.has(account)),
  )
  const sums = columns.map((column) => shown.reduce((sum, account) => sum + sign * (column.get(account) ?? 0), 0))
  const rows: SimulatedReportRow[] = shown.map((account) => ({
    RowType: 'Row',
    Cells: cellsOf(
      account,
      account.name,
      columns.map((column) => text(sign * (column.get(account) ?? 0))),
    ),
  }))
  return { title, sums, rows: [...rows, summary(`Total ${title}`, sums.map(text))] }
}

/** Includes current and retained earnings, although they are not posted. */
function equity(company: XeroCompany, columns: readonly BalanceColumn[], days: readonly number[]): SimulatedReportRow {
  const own = section(company, columns, { title: 'Equity', types: ['EQUITY'], sign: -1 })
  const current = days.map((to) => earned(balances(company, { from: yearStart(company, to), to })))
  const earlier = days.map((to) => earned(balances(company, { from: -Infinity, to: yearStart(company, to) - dayMs })))
  const total = own.sums.map((sum, index) => sum + (current[index] ?? 0) + (earlier[index] ?? 0))
  const rows = [
    row('Current Year Earnings', current),
    ...own.rows.slice(0, -1),
    row('Retained Earnings', earlier),
    summary('Total Equity', total.map(text)),
  ]
  return { RowType: 'Section', Title: 'Equity', Rows: rows }
}

function earned(column: BalanceColumn): number {
  return [...column].reduce(
    (sum, [account, cents]) => (['REVENUE', 'EXPENSE'].includes(account.class) ? sum - cents : sum),
    0,
  )
}

function row(title: string, sums: readonly number[]): SimulatedReportRow {
  return { RowType: 'Row', Cells: [title, ...sums.map(text)].map((Value) => ({ Value })) }
}
