/** The balance sheet: what the company owns and owes at the end of a day. */
import { Refusal } from '../api/answer.ts'
import { dayMs, midnight } from '../books/company.ts'
import type { Company } from '../books/company.ts'
import type { Query } from '../api/query.ts'
import { balances, cellsOf, header, periodsOf, shortDay, summary, text } from './report-rows.ts'
import type { ReportRow } from './report-rows.ts'
import { yearStart } from '../books/financial-years.ts'
import type { Account } from '../books/records.ts'

interface Part {
  readonly title: string
  readonly types: readonly string[]
  readonly sign: 1 | -1
}

const assets: readonly Part[] = [
  { title: 'Bank', types: ['BANK'], sign: 1 },
  { title: 'Current Assets', types: ['CURRENT', 'INVENTORY', 'PREPAYMENT'], sign: 1 },
  { title: 'Fixed Assets', types: ['FIXED', 'NONCURRENT'], sign: 1 },
]
const liabilities: readonly Part[] = [
  { title: 'Current Liabilities', types: ['CURRLIAB'], sign: -1 },
  { title: 'Non-current Liabilities', types: ['TERMLIAB', 'LIABILITY'], sign: -1 },
]

type Column = ReadonlyMap<Account, number>

export function balanceSheet(company: Company, query: Query, now: number) {
  const day = query['date'] === undefined ? midnight(now) : Date.parse(`${query['date']}T00:00:00Z`)
  if (Number.isNaN(day)) throw new Refusal(`'${query['date']}' is not a valid date`)
  // Without periods it is compared with the same day of the year before.
  const asked = query['periods'] === undefined ? { periods: '1', timeframe: 'YEAR' } : query
  const days = periodsOf(asked, { from: -Infinity, to: day }).map(({ to }) => to)
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
      { RowType: 'Section', Title: '', Rows: [row('Net Assets', net)] } satisfies ReportRow,
      equity(company, columns, days),
    ],
  }
}

function group(
  company: Company,
  columns: readonly Column[],
  { parts, title }: { parts: readonly Part[]; title: string },
) {
  const made = parts.map((part) => section(company, columns, part)).filter(({ rows }) => rows.length > 1)
  const sums = columns.map((_, index) => made.reduce((sum, part) => sum + (part.sums[index] ?? 0), 0))
  const rows: ReportRow[] = [
    { RowType: 'Section', Title: title, Rows: [] },
    ...made.map(({ title, rows }): ReportRow => ({ RowType: 'Section', Title: title, Rows: rows })),
    { RowType: 'Section', Title: '', Rows: [summary(`Total ${title}`, sums.map(text))] },
  ]
  return { sums, rows }
}

function section({ accounts }: Company, columns: readonly Column[], { title, types, sign }: Part) {
  const shown = accounts.filter(
    (account) => types.includes(account.type) && columns.some((column) => column.has(account)),
  )
  const sums = columns.map((column) => shown.reduce((sum, account) => sum + sign * (column.get(account) ?? 0), 0))
  const rows: ReportRow[] = shown.map((account) => ({
    RowType: 'Row',
    Cells: cellsOf(
      account,
      account.name,
      columns.map((column) => text(sign * (column.get(account) ?? 0))),
    ),
  }))
  return { title, sums, rows: [...rows, summary(`Total ${title}`, sums.map(text))] }
}

/** Earnings stand here, of this year and of those before, though nobody posts them. */
function equity(company: Company, columns: readonly Column[], days: readonly number[]): ReportRow {
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

function earned(column: Column): number {
  return [...column].reduce(
    (sum, [account, cents]) => (['REVENUE', 'EXPENSE'].includes(account.class) ? sum - cents : sum),
    0,
  )
}

function row(title: string, sums: readonly number[]): ReportRow {
  return { RowType: 'Row', Cells: [title, ...sums.map(text)].map((Value) => ({ Value })) }
}
