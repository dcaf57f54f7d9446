/** The profit and loss report: income less costs, one column per period. */
import { RequestError } from '../api/responses.ts'
import { midnight } from '../books/company.ts'
import type { XeroCompany } from '../books/company.ts'
import type { XeroQueryParameters } from '../api/query.ts'
import { balances, cellsOf, header, periodsOf, shortDay, summary, text } from './report-rows.ts'
import type { SimulatedReportRow } from './report-rows.ts'
import type { XeroAccount } from '../books/records.ts'

const income = ['REVENUE', 'SALES', 'OTHERINCOME']
const costs = ['DIRECTCOSTS']

export function profitAndLoss(company: XeroCompany, query: XeroQueryParameters, now: number) {
  const today = new Date(midnight(now))
  const from = dayOf(query, 'fromdate', Date.UTC(today.getUTCFullYear(), today.getUTCMonth(), 1))
  const to = dayOf(query, 'todate', Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + 1, 0))
  const periods = periodsOf(query, { from, to })
  const columns = periods.map((period) => balances(company, period))
  const figures = (account: XeroAccount): readonly number[] => columns.map((column) => column.get(account) ?? 0)
  const section = (
    title: string,
    total: string,
    { sign, is }: { sign: 1 | -1; is: (account: XeroAccount) => boolean },
  ) => {
    const accounts = company.accounts.filter((account) => is(account) && columns.some((column) => column.has(account)))
    const sums = periods.map((_, index) =>
      accounts.reduce((sum, account) => sum + sign * (figures(account)[index] ?? 0), 0),
    )
    const rows = accounts.map((account): SimulatedReportRow => ({
      RowType: 'Row',
      Cells: cellsOf(
        account,
        account.name,
        figures(account).map((cents) => text(sign * cents)),
      ),
    }))
    return {
      sums,
      row: {
        RowType: 'Section',
        Title: title,
        Rows: [...rows, summary(total, sums.map(text))],
      } satisfies SimulatedReportRow,
    }
  }
  const earned = section('Income', 'Total Income', { sign: -1, is: ({ type }) => income.includes(type) })
  const spent = section('Less Cost of Sales', 'Total Cost of Sales', {
    sign: 1,
    is: ({ type }) => costs.includes(type),
  })
  const other = section('Less Operating Expenses', 'Total Operating Expenses', {
    sign: 1,
    is: (account) => account.class === 'EXPENSE' && !costs.includes(account.type),
  })
  const gross = earned.sums.map((sum, index) => sum - (spent.sums[index] ?? 0))
  const net = gross.map((sum, index) => sum - (other.sums[index] ?? 0))
  return {
    about: `${shortDay(from)} to ${shortDay(to)}`,
    rows: [
      header(['', ...periods.map((period) => shortDay(period.to))]),
      earned.row,
      spent.row,
      result('Gross Profit', gross),
      other.row,
      result('Net Profit', net),
    ],
  }
}

function result(title: string, sums: readonly number[]): SimulatedReportRow {
  return {
    RowType: 'Section',
    Title: '',
    Rows: [{ RowType: 'Row', Cells: [title, ...sums.map(text)].map((Value) => ({ Value })) }],
  }
}

function dayOf(query: XeroQueryParameters, name: string, missing: number): number {
  const text = query[name]
  const day = text === undefined ? missing : Date.parse(`${text}T00:00:00Z`)
  if (Number.isNaN(day)) throw new RequestError(`'${text}' is not a valid date`)
  return day
}
