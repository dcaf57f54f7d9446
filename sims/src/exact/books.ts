/** The books of a company in the simulated Exact Online. */
import type { Random } from '../random.ts'

/** The year of the books from July 2025 to June 2026. */
const booksYear = 2026

export type ExactRecord = Record<string, unknown>

export interface ExactBooks {
  readonly glAccounts: ExactRecord[]
  readonly accounts: ExactRecord[]
  readonly transactionLines: ExactRecord[]
  readonly journals: ExactRecord[]
  readonly periods: ExactRecord[]
  readonly items: ExactRecord[]
}

export function listsOf(books: ExactBooks): Readonly<Record<string, readonly ExactRecord[] | undefined>> {
  return {
    'sync/Financial/GLAccounts': books.glAccounts,
    'sync/CRM/Accounts': books.accounts,
    'sync/Financial/TransactionLines': books.transactionLines,
    'sync/Logistics/Items': books.items,
    'financial/Journals': books.journals,
    'financial/FinancialPeriods': books.periods,
    'financial/ReportingBalance': balancesOf(books),
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
    const { date, ...period } = dayOf(index)
    return [amount, -amount].map((part, line): ExactRecord => ({
      ID: random.guid(),
      EntryID: entry,
      EntryNumber: 26_000_000 + index,
      LineNumber: line + 1,
      Date: stampOf(date),
      ...period,
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
  return { glAccounts, accounts, transactionLines, ...makeSettings(random, glAccounts, common) }
}

/** The year of the books begins in July. One entry is the opening balance, and one is dated after its period. */
function dayOf(index: number): {
  readonly date: string
  readonly FinancialYear: number
  readonly FinancialPeriod: number
} {
  const date = new Date(Date.UTC(2025, 6 + (index % 10), 1 + ((index * 7) % 28))).toISOString().slice(0, 10)
  if (index === 0) return { date: '2025-07-01', FinancialYear: booksYear, FinancialPeriod: 0 }
  if (index === 1) return { date: '2025-11-03', FinancialYear: booksYear, FinancialPeriod: 4 }
  return { date, FinancialYear: booksYear, FinancialPeriod: 1 + (index % 10) }
}

function stampOf(day: string): string {
  return `/Date(${Date.parse(day)})/`
}

function makeSettings(
  random: Random,
  glAccounts: readonly ExactRecord[],
  common: ExactRecord,
): Pick<ExactBooks, 'journals' | 'periods' | 'items'> {
  const journals = ['10', '70', '90'].map((Code, at): ExactRecord => ({
    ID: random.guid(),
    Code,
    Description: `Dagboek ${Code}`,
    Type: [12, 20, 90][at],
    Currency: 'EUR',
    GLAccount: glAccounts[at]?.['ID'],
    BankAccountIBAN: at === 0 ? 'NL91ABNA0417164300' : null,
    ...common,
  }))
  const periods = Array.from({ length: 12 }, (_, at): ExactRecord => ({
    ID: random.guid(),
    FinYear: booksYear,
    FinPeriod: at + 1,
    StartDate: `/Date(${Date.UTC(2025, 6 + at, 1)})/`,
    EndDate: `/Date(${Date.UTC(2025, 7 + at, 0)})/`,
    ...common,
  }))
  const items = Array.from({ length: 7 }, (_, at): ExactRecord => ({
    ID: random.guid(),
    Code: `ART-${at}`,
    Description: `Artikel ${at}`,
    Unit: 'pc',
    IsSalesItem: true,
    IsPurchaseItem: at % 2 === 0,
    IsStockItem: false,
    CostPriceStandard: random.between(1, 9_999) / 100,
    CostPriceCurrency: 'EUR',
    StartDate: stampOf('2020-01-01'),
    EndDate: null,
    GLRevenue: glAccounts[8]?.['ID'],
    ...common,
  }))
  return { journals, periods, items }
}

/** The sums that Exact Online reports, in cents while they are added. */
function balancesOf({ transactionLines, glAccounts }: ExactBooks): readonly ExactRecord[] {
  const groups = Map.groupBy(transactionLines, ({ GLAccount, FinancialYear, FinancialPeriod }) =>
    JSON.stringify([GLAccount, FinancialYear, FinancialPeriod]),
  )
  return [...groups.values()].map((lines, at) => {
    const [first] = lines
    const sum = (sign: 1 | -1): number =>
      lines.reduce((cents, { AmountDC }) => cents + Math.max(0, sign * Math.round(Number(AmountDC) * 100)), 0)
    const account = glAccounts.find(({ ID }) => ID === first?.['GLAccount'])
    return {
      ID: at + 1,
      Amount: (sum(1) - sum(-1)) / 100,
      AmountDebit: sum(1) / 100,
      AmountCredit: sum(-1) / 100,
      BalanceType: account?.['BalanceType'],
      Count: lines.length,
      GLAccount: first?.['GLAccount'],
      GLAccountCode: account?.['Code'],
      ReportingYear: first?.['FinancialYear'],
      ReportingPeriod: first?.['FinancialPeriod'],
      Status: 50,
      Type: 20,
      Division: first?.['Division'],
    }
  })
}
