/** The books of a company in the simulated Exact Online. */
import type { Random } from '../random.ts'

export type ExactRecord = Record<string, unknown>

export interface ExactBooks {
  readonly glAccounts: ExactRecord[]
  readonly accounts: ExactRecord[]
  readonly transactionLines: ExactRecord[]
}

export function listsOf(books: ExactBooks): Readonly<Record<string, readonly ExactRecord[] | undefined>> {
  return {
    'sync/Financial/GLAccounts': books.glAccounts,
    'sync/CRM/Accounts': books.accounts,
    'sync/Financial/TransactionLines': books.transactionLines,
  }
}

export function makeBooks(division: number, random: Random, clock: { now(): number }): ExactBooks {
  const stamp = `/Date(${Math.floor(clock.now() / 1_000) * 1_000})/`
  const common = { Created: stamp, Modified: stamp, Division: division }
  const glAccounts = Array.from({ length: 12 }, (_, index): ExactRecord => ({
    ID: random.guid(),
    Code: String(1_000 + index * 10),
    Description: `Rekening ${index}`,
    Type: 20,
    TypeDescription: 'Debiteuren',
    BalanceSide: index % 2 === 0 ? 'D' : 'C',
    BalanceType: index < 6 ? 'B' : 'W',
    IsBlocked: false,
    ...common,
  }))
  const accounts = Array.from({ length: 9 }, (_, index): ExactRecord => ({
    ID: random.guid(),
    Code: String(index).padStart(18, ' '),
    Name: `Relatie ${index}`,
    Email: null,
    City: 'Delft',
    Country: 'NL',
    Status: 'C',
    IsSupplier: index % 3 === 0,
    Blocked: false,
    ...common,
  }))
  const transactionLines = Array.from({ length: 40 }, (_, index) => {
    const entry = random.guid()
    const amount = random.between(1, 99_999) / 100
    return [amount, -amount].map((part, line): ExactRecord => ({
      ID: random.guid(),
      EntryID: entry,
      EntryNumber: 26_000_000 + index,
      LineNumber: line + 1,
      Date: '/Date(1772409600000)/',
      FinancialYear: 2026,
      FinancialPeriod: 3,
      JournalCode: '70',
      GLAccount: random.pick(glAccounts)['ID'],
      Account: random.pick(accounts)['ID'],
      Description: `Boeking ${index}`,
      AmountDC: part,
      AmountFC: part,
      Currency: 'EUR',
      ExchangeRate: 1,
      Status: 50,
      Type: 20,
      ...common,
    }))
  }).flat()
  return { glAccounts, accounts, transactionLines }
}
