import { expect, test } from 'vitest'
import { makeCompany } from './history.ts'
import { liveOn } from './simulated-activity.ts'
import { quietly } from './silent-changes.ts'
import { tell } from '../api/api.ts'
import { trialSize } from './company.ts'
import type { Company } from './company.ts'
import { postedBy, summed } from '@tributary/testing/sims/xero/expected-ledger.ts'
import type { Sums } from '@tributary/testing/sims/xero/expected-ledger.ts'
import { start } from '@tributary/testing/sims/xero/api-caller.ts'
import type { Row } from '../api/value-format.ts'

const founded = { tenantId: 'c1', name: 'Harbour Trading', country: 'NZ', currency: 'NZD', yearEndMonth: 3 }
const make = (seed: number, size = trialSize): Company => makeCompany(founded, seed, size, start)

const hourMs = 3_600_000

function lived(seed: number, steps: number): Company {
  const company = make(seed)
  for (let step = 1; step <= steps; step += 1) liveOn(company, start + step * hourMs)
  return company
}

const lastDays = Array.from({ length: trialSize.months + 2 }, (_, index) =>
  new Date(Date.UTC(2026, 11 - trialSize.months + index, 0)).toISOString().slice(0, 10),
)

interface ReportRow {
  readonly Cells: readonly { readonly Value: string }[]
}

const rowsOf = (report: Row = {}): readonly Row[] => report['Rows'] as readonly Row[]

interface Figure {
  readonly account: string
  readonly month: number
  readonly year: number
}

/** The accounts of a trial balance, debits positive. */
function trialBalance(company: Company, date: string): readonly Figure[] {
  const [report] = tell(company, 'Reports/TrialBalance', { date }, start)
  const sections = rowsOf(report).filter(({ RowType, Title }) => RowType === 'Section' && Title !== '')
  return sections.flatMap(({ Rows }) =>
    (Rows as readonly ReportRow[]).map(({ Cells }) => {
      const [name = '', ...figures] = Cells.map(({ Value }) => Value)
      const [debit = 0, credit = 0, yearDebit = 0, yearCredit = 0] = figures.map((text) =>
        Math.round(Number(text) * 100),
      )
      return { account: /\((\w+)\)$/.exec(name)?.[1] ?? '', month: debit - credit, year: yearDebit - yearCredit }
    }),
  )
}

function reported(company: Company): Sums {
  return summed(
    lastDays.flatMap((date) =>
      trialBalance(company, date).map(({ account, month }) => ({ month: date.slice(0, 7), account, cents: month })),
    ),
  )
}

/** Conversion balances are no documents; they stand in the month before the first. */
const withoutConversion = (sums: Sums): Sums =>
  new Map([...sums].filter(([key]) => !key.startsWith(lastDays[0]?.slice(0, 7) ?? '')))

test.each([1, 2, 3])(
  'in every month debits equal credits to the cent, in the month and in the year to date (seed %i)',
  (seed) => {
    const company = lived(seed, 100)
    for (const date of lastDays) {
      const figures = trialBalance(company, date)
      expect(figures.length).toBeGreaterThan(3)
      expect(figures.reduce((sum, { month }) => sum + month, 0)).toBe(0)
      expect(figures.reduce((sum, { year }) => sum + year, 0)).toBe(0)
    }
  },
)

test.each([1, 2, 3, 4, 5])(
  'the ledger says what the documents say, whatever became of them since (seed %i)',
  (seed) => {
    const company = lived(seed, 400)
    const posted = postedBy((endpoint) => tell(company, endpoint, {}, start))
    expect(posted.size).toBeGreaterThan(150)
    expect(withoutConversion(reported(company))).toEqual(posted)
  },
)

test('a quiet change of an account moves the report and leaves the time of the document as it was', () => {
  const company = make(7)
  const before = { reported: reported(company), updated: company.invoices.map(({ updatedAt }) => updatedAt) }
  const { invoiceId } = quietly(company, start + hourMs, 'account')
  expect(reported(company)).not.toEqual(before.reported)
  expect(company.invoices.map(({ updatedAt }) => updatedAt)).toEqual(before.updated)
  expect(company.invoices.some(({ id }) => id === invoiceId)).toBe(true)
})

test('when a financial year begins, what the one before earned is retained and revenue starts from nothing', () => {
  const company = make(3)
  const [march, april] = ['2026-03-31', '2026-04-30'].map((date) => trialBalance(company, date))
  const isEarning = ({ account }: Figure): boolean => account >= '200' && account < '500'
  const sum = (figures: readonly Figure[] = []): number =>
    figures.filter(isEarning).reduce((all, { year }) => all + year, 0)
  const retained = (figures: readonly Figure[] = []): number =>
    figures.find(({ account }) => account === '960')?.year ?? 0
  expect(retained(march)).toBe(0)
  expect(retained(april)).toBe(sum(march))
  expect(sum(april)).toBe((april ?? []).filter(isEarning).reduce((all, { month }) => all + month, 0))
})

test('profit and loss and balance sheet agree with the trial balance and with each other', () => {
  const company = lived(2, 50)
  const value = (report: Row | undefined, title: string): string => {
    const rows = rowsOf(report).flatMap(({ Rows = [] }) => Rows as readonly ReportRow[])
    return rows.find(({ Cells }) => Cells[0]?.Value === title)?.Cells[1]?.Value ?? ''
  }
  const [loss] = tell(company, 'Reports/ProfitAndLoss', { fromdate: '2026-10-01', todate: '2026-10-31' }, start)
  const earned = trialBalance(company, '2026-10-31').filter(({ account }) => account >= '200' && account < '500')
  expect(Math.round(Number(value(loss, 'Net Profit')) * 100)).toBe(-earned.reduce((sum, { month }) => sum + month, 0))
  const [sheet] = tell(company, 'Reports/BalanceSheet', { date: '2026-10-31' }, start)
  expect(value(sheet, 'Net Assets')).not.toBe('0.00')
  expect(value(sheet, 'Net Assets')).toBe(value(sheet, 'Total Equity'))
})

test('the same seed makes the same company and lets it live the same life; another makes another', () => {
  const written = (seed: number): string => JSON.stringify(tell(lived(seed, 30), 'Invoices', {}, start))
  expect(written(5)).toBe(written(5))
  expect(written(5)).not.toBe(written(6))
})

test('foreign invoices bring realised gains, and tracked items bring no cost of sales', () => {
  const company = make(1)
  const gain = company.accounts.find(({ system }) => system === 'REALISEDCURRENCYGAIN')
  expect(company.journals.some(({ postings }) => postings.some(({ account }) => account === gain))).toBe(true)
  expect(company.items.some(({ isTracked }) => isTracked)).toBe(true)
  const stock = company.accounts.find(({ type }) => type === 'INVENTORY')
  expect(company.journals.some(({ postings }) => postings.some(({ account }) => account === stock))).toBe(false)
})
