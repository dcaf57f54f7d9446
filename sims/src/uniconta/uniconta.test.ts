import { expect, test } from 'vitest'
import { rowsOf, trialSize } from './company.ts'
import { filterOf, orderOf, QueryError } from './query.ts'
import { ExactNumber, writeJson } from './rows.ts'
import { simulateStep, makeCompany, removeSome } from './trade.ts'

const now = Date.parse('2026-03-02T09:00:00Z')

function written(seed: number): string {
  const company = makeCompany(seed, 0, trialSize, now)
  for (let step = 1; step <= 20; step += 1) simulateStep(company, now + step * 3_600_000)
  removeSome(company)
  return writeJson([...company.rows])
}

test('the same seed generates the same company and the same activity; another seed differs', () => {
  expect(written(5)).toBe(written(5))
  expect(written(5)).not.toBe(written(6))
})

test('every journal of the sample company balances, and its accounts hold the sum of their entries', () => {
  const company = makeCompany(5, 0, trialSize, now)
  const cents = (cell: unknown): number => (cell instanceof ExactNumber ? Math.round(Number(cell.text) * 100) : 0)
  const entries = rowsOf(company, 'GLTransClient')
  for (const journal of Map.groupBy(entries, ({ JournalPostedId }) => JournalPostedId).values())
    expect(journal.reduce((sum, { Amount }) => sum + cents(Amount), 0)).toBe(0)
  for (const { Account, Balance } of rowsOf(company, 'GLAccountClient')) {
    const own = entries.filter((entry) => entry['Account'] === Account)
    expect(own.reduce((sum, { Amount }) => sum + cents(Amount), 0)).toBe(cents(Balance))
  }
})

const row = { Date: '2024-05-01T00:00:00', Account: '1100', Balance: new ExactNumber('12.50'), Note: null, Number: 7 }

test.each([
  ["Date ge datetime'2024-05-01T00:00:00' and Date lt datetime'2024-06-01T00:00:00'", true],
  ["Date lt datetime'2024-05-01T00:00:00'", false],
  ["Account eq '1100' or Account eq '1200'", true],
  ["(Account eq '1200' or Number gt 6) and Balance gt 12", true],
  ["startswith(Account,'12')", false],
  ['Note eq null', true],
  ['Note gt 5', false],
])('the filter %s matches the row: %s', (filter, isThrough) => {
  expect(filterOf(filter)(row)).toBe(isThrough)
})

test.each(['Date ge', 'Date like 5', "Account eq '1", 'Number gt 5 Number', '(Number gt 5', 'Number eq five'])(
  'the invalid filter %s is rejected',
  (filter) => {
    expect(() => filterOf(filter)).toThrow(QueryError)
  },
)

test('rows are ordered ascending or descending, by amount or text', () => {
  const rows = [3, 10, 2].map((Number) => ({ Number, Amount: new ExactNumber(`${Number}.00`) }))
  expect(rows.toSorted(orderOf('Number desc') ?? undefined).map(({ Number }) => Number)).toEqual([10, 3, 2])
  expect(rows.toSorted(orderOf('Amount asc') ?? undefined).map(({ Number }) => Number)).toEqual([2, 3, 10])
})
