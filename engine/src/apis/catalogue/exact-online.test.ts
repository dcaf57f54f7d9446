import { describe, expect, test } from 'vitest'
import { connectApi } from '@tributary/testing/engine/apis/api-connector.ts'
import { differencesOf } from '@tributary/testing/engine/databases/differences.ts'
import type { ExactBooks, ExactRecord } from '@tributary/sims/exact/books'
import { combineCompanies } from '../../companies/combine-companies.ts'
import { simulateExact } from '@tributary/testing/engine/described/simulated-exact.ts'

async function connectExact(to: 'postgres' | 'mysql' = 'postgres', beforeReply?: (path: string) => void) {
  const there = await simulateExact(beforeReply)
  const books = there.sim.books.get(103)
  if (books === undefined) throw new Error('There is no company 103.')
  const connector = await connectApi({ ...there, open: (signal) => there.open(signal) }, to)
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

  test.each(['postgres', 'mysql'] as const)(
    'the lines of all entries tie out to the balances that Exact Online reports, by period, to 0.00, in %s',
    async (to) => {
      await using exact = await connectExact(to)
      const { tieOut } = await exact.run()
      expect(tieOut).toMatchObject({
        state: 'green',
        company: 'Maas Techniek B.V.',
        currency: 'EUR',
        fault: null,
        notice: null,
      })
      const code = (id: unknown): unknown => exact.books.glAccounts.find(({ ID }) => ID === id)?.['Code']
      const booked = Map.groupBy(
        exact.books.transactionLines,
        (line) => `${monthOf(exact.books, line)} ${String(code(line['GLAccount']))}`,
      )
      const moved = [...booked].filter(([, lines]) => centsOf(lines) !== 0).map(([cell]) => cell)
      const compared = tieOut?.lines.map(({ period, code: account }) => `${period} ${account}`)
      expect(new Set(compared)).toEqual(new Set(moved))
    },
  )

  test('a line that the list lacks makes its account red in the month of its period', async () => {
    let books: ExactBooks | undefined
    let hidden: ExactRecord | undefined
    await using exact = await connectExact('postgres', (path) => {
      if (path.endsWith('/TransactionLines')) hidden ??= books?.transactionLines.splice(2, 1)[0]
      if (
        path.endsWith('/ReportingBalance') &&
        hidden !== undefined &&
        books?.transactionLines.includes(hidden) === false
      )
        books.transactionLines.push(hidden)
    })
    books = exact.books
    const { tieOut } = await exact.run()
    const code = exact.books.glAccounts.find(({ ID }) => ID === hidden?.['GLAccount'])?.['Code']
    expect(tieOut?.state).toBe('red')
    expect(tieOut?.lines.filter(({ state }) => state === 'red').map((line) => [line.period, line.code])).toEqual([
      [monthOf(exact.books, hidden ?? {}), code],
    ])
  })

  test('[SRC-12] of two companies in one set of tables, only the one that lacks a line is red, and the figures of the other stay', async () => {
    let hidden: ExactRecord | undefined
    const there = await simulateExact((path) => {
      if (path.includes('/101/') && path.endsWith('/TransactionLines'))
        hidden ??= there.sim.books.get(101)?.transactionLines.splice(2, 1)[0]
      if (path.includes('/101/') && path.endsWith('/ReportingBalance') && hidden !== undefined) {
        const lines = there.sim.books.get(101)?.transactionLines
        if (lines?.includes(hidden) === false) lines.push(hidden)
      }
    })
    const list = [101, 102].map((division) => ({ id: String(division), name: `Company ${division}`, division }))
    const open = (signal: AbortSignal) =>
      combineCompanies({
        companies: list.map((one) => ({
          ...one,
          country: 'NL',
          currency: 'EUR',
          open: () => there.openDivision(one.division, signal),
        })),
        kept: [],
        log: () => undefined,
        signal,
      })
    await using exact = await connectApi({ ...there, open }, 'postgres')
    const { tieOut } = await exact.run()
    expect(tieOut?.companies?.map(({ id, state }) => [id, state])).toEqual([
      ['101', 'red'],
      ['102', 'green'],
    ])
    expect(tieOut?.lines.filter(({ state }) => state === 'red')).toHaveLength(1)
  })

  test('[TRUST-5] every table is sampled', async () => {
    await using exact = await connectExact()
    await exact.run()
    expect((await exact.verify()).map(({ outcome, method }) => [outcome, method])).toEqual(
      Array.from({ length: 8 }, () => ['identical', 'sample']),
    )
  })
})

/** The month in which the period of a line begins. That of the opening balances is not listed: January of the year of the books. */
function monthOf({ periods }: ExactBooks, { FinancialYear, FinancialPeriod }: ExactRecord): string {
  const period = periods.find(({ FinYear, FinPeriod }) => FinYear === FinancialYear && FinPeriod === FinancialPeriod)
  const start = /\((\d+)\)/u.exec(String(period?.['StartDate']))?.[1]
  return start === undefined ? `${String(FinancialYear)}-01-01` : new Date(Number(start)).toISOString().slice(0, 10)
}

function centsOf(lines: readonly ExactRecord[]): number {
  return lines.reduce((sum, { AmountDC }) => sum + Math.round(Number(AmountDC) * 100), 0)
}
