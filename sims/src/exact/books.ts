/** The books of a company in the simulated Exact Online. */
import type { Random } from '../random.ts'

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

interface Bookkeeping {
  readonly random: Random
  readonly clock: { now(): number }
}

/** @param size how many entries there are, spread over the last fourteen months */
export function makeBooks(
  division: number,
  { random, clock, size }: Bookkeeping & { readonly size: number },
): ExactBooks {
  const common = commonOf(division, clock)
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
  const settings = makeSettings(random, glAccounts, { common, now: clock.now() })
  const books = { glAccounts, accounts, transactionLines: [], ...settings }
  for (let index = 0; index < size; index += 1)
    bookEntry(books, { division, random, clock, date: dateOf(index, size, clock.now()) })
  return books
}

/** Today, or at a date. The first entry is the opening balance of its year, and the second is dated after its period. */
export function bookEntry(
  { glAccounts, accounts, transactionLines }: ExactBooks,
  {
    division,
    random,
    clock,
    date = new Date(clock.now()),
  }: Bookkeeping & { readonly division: number; readonly date?: Date },
): void {
  const [entry, number] = [random.guid(), transactionLines.length / 2]
  const { year, period } = periodOf(date)
  const amount = random.between(1, 99_999) / 100
  for (const [line, part] of [amount, -amount].entries())
    transactionLines.push({
      ID: random.guid(),
      EntryID: entry,
      EntryNumber: 26_000_000 + number,
      LineNumber: line + 1,
      Date: stampOf(number === 1 ? addMonths(date, 1) : date),
      FinancialYear: year,
      FinancialPeriod: number === 0 ? 0 : period,
      JournalCode: '70',
      GLAccount: random.pick(glAccounts)['ID'],
      Account: random.pick(accounts)['ID'],
      Description: `Boeking ${number}`,
      AmountDC: part,
      AmountFC: part,
      Currency: 'EUR',
      ExchangeRate: 1,
      Status: 50,
      Type: 20,
      ...commonOf(division, clock),
    })
}

function commonOf(division: number, clock: { now(): number }): ExactRecord {
  const stamp = `/Date(${Math.floor(clock.now() / 1_000) * 1_000})/`
  return { Created: stamp, Modified: stamp, Division: division }
}

function dateOf(index: number, size: number, now: number): Date {
  return new Date(now - Math.round(((size - index) / size) * 425) * 86_400_000)
}

/** The year of the books begins in July. */
function periodOf(date: Date): { readonly year: number; readonly period: number } {
  const month = date.getUTCMonth()
  return { year: date.getUTCFullYear() + (month >= 6 ? 1 : 0), period: ((month + 6) % 12) + 1 }
}

function addMonths(date: Date, months: number): Date {
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1))
}

function stampOf(date: Date): string {
  return `/Date(${Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate())})/`
}

function makeSettings(
  random: Random,
  glAccounts: readonly ExactRecord[],
  { common, now }: { readonly common: ExactRecord; readonly now: number },
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
  const months = Array.from({ length: 36 }, (_, at) => addMonths(new Date(now), at - 24))
  const periods = months.map((first): ExactRecord => {
    const { year, period } = periodOf(first)
    const last = new Date(addMonths(first, 1).getTime() - 86_400_000)
    return {
      ID: random.guid(),
      FinYear: year,
      FinPeriod: period,
      StartDate: stampOf(first),
      EndDate: stampOf(last),
      ...common,
    }
  })
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
    StartDate: stampOf(new Date('2020-01-01')),
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
