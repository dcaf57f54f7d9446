import { expect, test } from 'vitest'
import { makeCompany } from './history.ts'
import { simulateStep } from './simulated-activity.ts'
import { changeSilently } from './silent-changes.ts'
import { readRows } from '../api/api.ts'
import { trialSize } from './company.ts'
import type { XeroCompany } from './company.ts'
import { postDocuments, summed } from '@tributary/testing/sims/xero/expected-ledger.ts'
import type { LedgerSums } from '@tributary/testing/sims/xero/expected-ledger.ts'
import { start } from '@tributary/testing/sims/xero/api-caller.ts'
import type { XeroRow } from '../api/value-format.ts'

const founded = { tenantId: 'c1', name: 'Harbour Trading', country: 'NZ', currency: 'NZD', yearEndMonth: 3 }
const make = (seed: number, size = trialSize): XeroCompany => makeCompany(founded, seed, size, start)

const hourMs = 3_600_000

function companyAfter(seed: number, steps: number): XeroCompany {
  const company = make(seed)
  for (let step = 1; step <= steps; step += 1) simulateStep(company, start + step * hourMs)
  return company
}

const lastDays = Array.from({ length: trialSize.months + 2 }, (_, index) =>
  new Date(Date.UTC(2026, 11 - trialSize.months + index, 0)).toISOString().slice(0, 10),
)

interface TestReportRow {
  readonly Cells: readonly { readonly Value: string }[]
}

const rowsOf = (report: XeroRow = {}): readonly XeroRow[] => report['Rows'] as readonly XeroRow[]

interface TrialBalanceFigure {
  readonly account: string
  readonly month: number
  readonly year: number
}

/** The accounts of a trial balance, debits positive. */
function trialBalance(company: XeroCompany, date: string): readonly TrialBalanceFigure[] {
  const [report] = readRows(company, 'Reports/TrialBalance', { date }, start)
  const sections = rowsOf(report).filter(({ RowType, Title }) => RowType === 'Section' && Title !== '')
  return sections.flatMap(({ Rows }) =>
    (Rows as readonly TestReportRow[]).map(({ Cells }) => {
      const [name = '', ...figures] = Cells.map(({ Value }) => Value)
      const [debit = 0, credit = 0, yearDebit = 0, yearCredit = 0] = figures.map((text) =>
        Math.round(Number(text) * 100),
      )
      return { account: /\((\w+)\)$/.exec(name)?.[1] ?? '', month: debit - credit, year: yearDebit - yearCredit }
    }),
  )
}

function reported(company: XeroCompany): LedgerSums {
  return summed(
    lastDays.flatMap((date) =>
      trialBalance(company, date).map(({ account, month }) => ({ month: date.slice(0, 7), account, cents: month })),
    ),
  )
}

/** Conversion balances are not documents; they belong to the month before the first. */
const withoutConversion = (sums: LedgerSums): LedgerSums =>
  new Map([...sums].filter(([key]) => !key.startsWith(lastDays[0]?.slice(0, 7) ?? '')))

test.each([1, 2, 3])('debits equal credits to the cent in every month and year to date (seed %i)', (seed) => {
  const company = companyAfter(seed, 100)
  for (const date of lastDays) {
    const figures = trialBalance(company, date)
    expect(figures.length).toBeGreaterThan(3)
    expect(figures.reduce((sum, { month }) => sum + month, 0)).toBe(0)
    expect(figures.reduce((sum, { year }) => sum + year, 0)).toBe(0)
  }
})

test.each([1, 2, 3, 4, 5])('the ledger matches the documents, even after later changes (seed %i)', (seed) => {
  const company = companyAfter(seed, 400)
  const posted = postDocuments((endpoint) => readRows(company, endpoint, {}, start))
  expect(posted.size).toBeGreaterThan(150)
  expect(withoutConversion(reported(company))).toEqual(posted)
})

test('a silent change of an account moves the report and keeps the document’s change date', () => {
  const company = make(7)
  const before = { reported: reported(company), updated: company.invoices.map(({ updatedAt }) => updatedAt) }
  const { invoiceId } = changeSilently(company, start + hourMs, 'account')
  expect(reported(company)).not.toEqual(before.reported)
  expect(company.invoices.map(({ updatedAt }) => updatedAt)).toEqual(before.updated)
  expect(company.invoices.some(({ id }) => id === invoiceId)).toBe(true)
})

test('a new financial year moves the previous year’s earnings to retained earnings and starts revenue from zero', () => {
  const company = make(3)
  const [march, april] = ['2026-03-31', '2026-04-30'].map((date) => trialBalance(company, date))
  const isEarning = ({ account }: TrialBalanceFigure): boolean => account >= '200' && account < '500'
  const sum = (figures: readonly TrialBalanceFigure[] = []): number =>
    figures.filter(isEarning).reduce((all, { year }) => all + year, 0)
  const retained = (figures: readonly TrialBalanceFigure[] = []): number =>
    figures.find(({ account }) => account === '960')?.year ?? 0
  expect(retained(march)).toBe(0)
  expect(retained(april)).toBe(sum(march))
  expect(sum(april)).toBe((april ?? []).filter(isEarning).reduce((all, { month }) => all + month, 0))
})

test('profit and loss and balance sheet agree with the trial balance and each other', () => {
  const company = companyAfter(2, 50)
  const value = (report: XeroRow | undefined, title: string): string => {
    const rows = rowsOf(report).flatMap(({ Rows = [] }) => Rows as readonly TestReportRow[])
    return rows.find(({ Cells }) => Cells[0]?.Value === title)?.Cells[1]?.Value ?? ''
  }
  const [loss] = readRows(company, 'Reports/ProfitAndLoss', { fromdate: '2026-10-01', todate: '2026-10-31' }, start)
  const earned = trialBalance(company, '2026-10-31').filter(({ account }) => account >= '200' && account < '500')
  expect(Math.round(Number(value(loss, 'Net Profit')) * 100)).toBe(-earned.reduce((sum, { month }) => sum + month, 0))
  const [sheet] = readRows(company, 'Reports/BalanceSheet', { date: '2026-10-31' }, start)
  expect(value(sheet, 'Net Assets')).not.toBe('0.00')
  expect(value(sheet, 'Net Assets')).toBe(value(sheet, 'Total Equity'))
})

test('the same seed generates the same company and the same activity; another seed differs', () => {
  const serialise = (seed: number): string => JSON.stringify(readRows(companyAfter(seed, 30), 'Invoices', {}, start))
  expect(serialise(5)).toBe(serialise(5))
  expect(serialise(5)).not.toBe(serialise(6))
})

test('foreign invoices cause realised gains, and tracked items no cost of sales', () => {
  const company = make(1)
  const gain = company.accounts.find(({ system }) => system === 'REALISEDCURRENCYGAIN')
  expect(company.journals.some(({ postings }) => postings.some(({ account }) => account === gain))).toBe(true)
  expect(company.items.some(({ isTracked }) => isTracked)).toBe(true)
  const stock = company.accounts.find(({ type }) => type === 'INVENTORY')
  expect(company.journals.some(({ postings }) => postings.some(({ account }) => account === stock))).toBe(false)
})
