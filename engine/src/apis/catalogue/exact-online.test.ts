import { describe, expect, test } from 'vitest'
import { connectApi } from '@tributary/testing/engine/apis/api-connector.ts'
import { differencesOf } from '@tributary/testing/engine/databases/differences.ts'
import { simulateExact } from '@tributary/testing/engine/described/simulated-exact.ts'

async function connectExact() {
  const there = await simulateExact()
  const books = there.sim.books.get(103)
  if (books === undefined) throw new Error('There is no company 103.')
  const connector = await connectApi({ ...there, open: (signal) => there.open(signal) }, 'postgres')
  return { ...connector, books }
}

describe('[SRC-8] Exact Online', () => {
  test('[SRC-4] [SRC-5] a target equals the company, only fields of the reference are asked for, and deleted rows go', async () => {
    await using exact = await connectExact()
    const { books } = exact
    for (let round = 0; round < 2; round += 1) {
      expect(await exact.run()).toMatchObject({ status: 'completed', fault: null })
      const rows = new Map<string, readonly Readonly<Record<string, unknown>>[]>([
        [
          'journal',
          books.journals.map(({ ID, Code, Type, GLAccount }) => ({
            id: ID,
            code: Code,
            type: Type,
            gl_account: GLAccount,
          })),
        ],
        [
          'financial_period',
          books.periods.map(({ ID, FinYear, FinPeriod }) => ({ id: ID, year: FinYear, period: FinPeriod })),
        ],
        [
          'item',
          books.items.map(({ ID, Code, CostPriceStandard }) => ({
            id: ID,
            code: Code,
            cost_price_standard: CostPriceStandard,
          })),
        ],
        ['gl_account', books.glAccounts.map(({ ID, Code }) => ({ id: ID, code: Code }))],
        [
          'transaction_line',
          books.transactionLines.map(({ ID, AmountDC, EntryNumber }) => ({
            id: ID,
            amount_dc: AmountDC,
            entry_number: EntryNumber,
          })),
        ],
      ])
      expect(await differencesOf(exact.target, rows)).toEqual([])
      books.items.shift()
      books.transactionLines.splice(0, 2)
    }
  })

  test('the lines of all entries add up to the balances that Exact Online reports, to the cent', async () => {
    await using exact = await connectExact()
    await exact.run()
    const differing = await exact.query(`
      SELECT coalesce(l.gl_account, b.gl_account) FROM
        (SELECT gl_account, financial_year, financial_period, sum(amount_dc) AS amount FROM transaction_line GROUP BY 1, 2, 3) AS l
        FULL JOIN (SELECT gl_account, year, period, sum(amount) AS amount FROM reporting_balance GROUP BY 1, 2, 3) AS b
          ON b.gl_account = l.gl_account AND b.year = l.financial_year AND b.period = l.financial_period
      WHERE l.amount IS DISTINCT FROM b.amount`)
    expect(differing).toEqual([])
    expect(await exact.query('SELECT count(*) > 5 AS enough FROM reporting_balance')).toEqual([{ enough: true }])
  })

  test('[TRUST-5] every table is sampled', async () => {
    await using exact = await connectExact()
    await exact.run()
    expect((await exact.verify()).map(({ outcome, method }) => [outcome, method])).toEqual(
      Array.from({ length: 7 }, () => ['identical', 'sample']),
    )
  })
})
