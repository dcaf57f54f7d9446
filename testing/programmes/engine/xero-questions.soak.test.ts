/** The ready questions about a simulated company that keeps trading, against its own books and the tie-out. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connectXero, type XeroConnector } from '../../engine/apis/xero-connector.ts'
import {
  expectedAged,
  expectedBalances,
  expectedProfit,
  expectedProfitByTracking,
  type Figures,
} from '../../engine/apis/xero-figures.ts'
import { isFull } from '../extent.ts'

const quick = { callsPerMinute: 600, limits: { perMinute: 660 } }
const hourMs = 3_600_000

describe.each([
  { kind: 'postgres', rounds: isFull ? 6 : 1 },
  { kind: 'mysql', rounds: isFull ? 3 : 1 },
] as const)('the questions about a company in $kind', ({ kind, rounds }) => {
  let xero: XeroConnector
  beforeAll(async () => {
    xero = await connectXero(quick, kind)
  })
  afterAll(() => xero[Symbol.asyncDispose]())

  type Row = Readonly<Record<string, string | null>>

  async function rowsOf(view: string): Promise<readonly Row[]> {
    const { columns, rows } = await xero.target.read(view)
    if (columns.length === 0) throw new Error(`There is no view ${view}.`)
    return rows.map((row) => Object.fromEntries(columns.map((name, at) => [name, row[at] ?? null])))
  }

  const company = () => {
    const found = xero.sim.companies.find(({ tenantId }) => tenantId === xero.tenantId)
    if (found === undefined) throw new Error('There is a company.')
    return found
  }

  async function run(): Promise<void> {
    const { status, fault, tieOut } = await xero.run()
    expect([status, fault, tieOut?.state]).toEqual(['completed', null, 'green'])
    expect(xero.logLines.filter((line) => line.includes('view'))).toEqual([])
  }

  async function figures(view: string, key: (row: Row) => string, amount = 'profit'): Promise<Figures> {
    const sums = new Map<string, number>()
    for (const row of await rowsOf(view)) sums.set(key(row), (sums.get(key(row)) ?? 0) + cents(row[amount]))
    for (const [name, sum] of sums) if (sum === 0) sums.delete(name)
    return sums
  }

  async function compareAll(): Promise<void> {
    expect(sorted(await figures('profit_and_loss', ({ month, account_code: code }) => `${month} ${code}`))).toEqual(
      sorted(expectedProfit(company())),
    )
    const byTracking = await figures(
      'profit_and_loss_by_tracking',
      (row) => `${row['month']} ${row['account_code']} ${row['tracking_category']} ${row['tracking_option'] ?? ''}`,
    )
    expect(sorted(byTracking)).toEqual(sorted(expectedProfitByTracking(company())))
    await compareBalances()
    for (const side of ['receivable', 'payable'] as const) await compareAged(side)
  }

  async function compareBalances(): Promise<void> {
    const sheet = await rowsOf('balance_sheet')
    const months = [...new Set(sheet.map(({ month }) => month ?? ''))].toSorted()
    expect(months.length).toBeGreaterThanOrEqual(14)
    const debit = (row: Row): number => (row['side'] === 'Assets' ? 1 : -1) * cents(row['amount'])
    const found = new Map(
      sheet.map((row) => [`${row['month']} ${row['account_code'] ?? row['account_name']}`, debit(row)]),
    )
    expect(sorted(found)).toEqual(sorted(expectedBalances(company(), months)))
    for (const month of months)
      expect(sheet.filter((row) => row['month'] === month).reduce((sum, row) => sum + debit(row), 0)).toBe(0)
    const banks = new Map(
      sheet
        .filter(({ section }) => section === 'Bank')
        .map((row) => [`${row['month']} ${row['account_code']}`, debit(row)]),
    )
    const cash = await rowsOf('cash_by_month')
    expect(
      sorted(await figures('cash_by_month', ({ month, account_code: code }) => `${month} ${code}`, 'closing_balance')),
    ).toEqual(sorted(banks))
    for (const row of cash)
      expect(cents(row['opening_balance']) + cents(row['money_in']) - cents(row['money_out'])).toBe(
        cents(row['closing_balance']),
      )
  }

  const buckets = ['not_due', 'days_1_30', 'days_31_60', 'days_61_90', 'days_over_90'] as const

  async function compareAged(side: 'receivable' | 'payable'): Promise<void> {
    const control = side === 'receivable' ? '610' : '800'
    const sheet = await rowsOf('balance_sheet')
    const aged = [...(await rowsOf(`aged_${side}s_by_month`)), ...(await rowsOf(`aged_${side}s`))]
    const days = [...new Set(aged.map((row) => row['as_of'] ?? ''))]
    expect(days.length).toBeGreaterThan(14)
    for (const day of days) {
      const rows = aged.filter((row) => row['as_of'] === day)
      const found = new Map(
        rows.flatMap((row) => buckets.map((bucket) => [`${row['contact_id']} ${bucket}`, cents(row[bucket])] as const)),
      )
      expect([day, ...sorted(found)]).toEqual([day, ...sorted(expectedAged(company(), side, day))])
      const total = rows.reduce((sum, row) => sum + cents(row['total']), 0)
      const balance = sheet.find((row) => row['as_of'] === day && row['account_code'] === control)
      if (balance !== undefined) expect([day, total]).toEqual([day, cents(balance['amount'])])
    }
  }

  test('[SEE-7] every question equals the company’s own books after the first run', async () => {
    await run()
    await compareAll()
  })

  test('[SEE-7] they stay equal through voids, credit notes, part payments, deletions and back-dated changes', async () => {
    for (let round = 0; round < rounds; round += 1) {
      for (let step = 0; step < 12; step += 1) {
        xero.clock.advance(hourMs / 4)
        xero.sim.tick(xero.tenantId)
      }
      if (round % 2 === 0) xero.sim.recode(xero.tenantId)
      xero.clock.advance(24 * hourMs)
      await run()
      await compareAll()
    }
  })

  test('[SEE-7] a renamed tracking category, option or contact has its new name at once in all months', async () => {
    const [region] = company().tracking
    const [option] = region?.options ?? []
    if (region === undefined || option === undefined) throw new Error('There is tracking.')
    Object.assign(region, { name: 'Territory' })
    Object.assign(option, { name: 'Far North' })
    xero.clock.advance(24 * hourMs)
    await run()
    await compareAll()
  })
})

function cents(text: string | null | undefined): number {
  const found = /^(-?)(\d+)\.(\d\d)$/u.exec(text ?? '')
  if (found === null) throw new Error(`‘${text}’ is not an amount with two decimals.`)
  const [, sign = '', whole = '', part = ''] = found
  const value = Number(`${whole}${part}`)
  return sign === '' || value === 0 ? value : -value
}

function sorted(figures: Figures): readonly string[] {
  return [...figures]
    .filter(([, sum]) => sum !== 0)
    .map(([key, sum]) => `${key} ${sum}`)
    .toSorted()
}
