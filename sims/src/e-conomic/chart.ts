/** The chart of accounts of the simulated agreement, its years, and its settings. */
import type { EconomicRecord } from './records.ts'

export interface SimulatedYear {
  /** Such as 2023/2024. */
  readonly year: string
  readonly from: string
  readonly to: string
  readonly isClosed: boolean
  readonly periods: readonly SimulatedPeriod[]
}

export interface SimulatedPeriod {
  readonly number: number
  readonly from: string
  readonly to: string
}

export interface Chart {
  readonly accounts: readonly EconomicRecord[]
  readonly settings: Readonly<Record<string, readonly EconomicRecord[]>>
}

const account = (
  accountNumber: number,
  name: string,
  [accountType, debitCredit]: readonly [string, 'debit' | 'credit'],
  more: EconomicRecord = {},
): EconomicRecord => ({ accountNumber, name, accountType, debitCredit, balance: 0, ...more })

export const chart: Chart = {
  accounts: [
    account(1000, 'Resultatopgørelse', ['heading', 'debit']),
    account(1010, 'Salg af varer', ['profitAndLoss', 'credit'], { vatAccount: { vatCode: 'U25' } }),
    account(1020, 'Salg af ydelser', ['profitAndLoss', 'credit'], { vatAccount: { vatCode: 'U25' } }),
    account(1099, 'Omsætning i alt', ['sumInterval', 'debit'], {
      accountsSummed: [{ fromAccount: { accountNumber: 1010 }, toAccount: { accountNumber: 1020 } }],
    }),
    account(1310, 'Vareforbrug', ['profitAndLoss', 'debit'], { vatAccount: { vatCode: 'I25' } }),
    account(3600, 'Husleje', ['profitAndLoss', 'debit'], { contraAccount: { accountNumber: 5820 } }),
    account(3999, 'Resultat før skat', ['totalFrom', 'debit'], { totalFromAccount: { accountNumber: 1000 } }),
    account(5600, 'Debitorer', ['status', 'debit'], { blockDirectEntries: true }),
    account(5820, 'Bank', ['status', 'debit']),
    account(6800, 'Kreditorer', ['status', 'credit'], { blockDirectEntries: true }),
    account(6902, 'Salgsmoms', ['status', 'credit']),
    account(6903, 'Købsmoms', ['status', 'debit'], { barred: true }),
  ],
  settings: {
    journals: [
      {
        journalNumber: 1,
        name: 'Daglig',
        settings: { voucherNumbers: { minimumVoucherNumber: 1, maximumVoucherNumber: 49_999 } },
      },
      { journalNumber: 2, name: 'Løn', settings: { entryTypeRestrictedTo: 'financeVoucher' } },
    ],
    'customer-groups': [
      { customerGroupNumber: 1, name: 'Indland', account: { accountNumber: 5600 } },
      { customerGroupNumber: 2, name: 'Udland', account: { accountNumber: 5600 } },
    ],
    'product-groups': [
      { productGroupNumber: 1, name: 'Varer', inventoryEnabled: true },
      { productGroupNumber: 2, name: 'Ydelser' },
    ],
    'payment-terms': [
      { paymentTermsNumber: 1, name: 'Netto 14 dage', paymentTermsType: 'net', daysOfCredit: 14 },
      { paymentTermsNumber: 2, name: 'Løbende måned', paymentTermsType: 'invoiceMonth', daysOfCredit: 0 },
    ],
    'vat-accounts': [
      {
        vatCode: 'U25',
        name: 'Salgsmoms',
        ratePercentage: 25,
        account: { accountNumber: 6902 },
        vatType: { vatTypeNumber: 1, name: 'Salgsmoms' },
      },
      {
        vatCode: 'I25',
        name: 'Købsmoms',
        ratePercentage: 25,
        account: { accountNumber: 6903 },
        vatType: { vatTypeNumber: 2, name: 'Købsmoms' },
      },
    ],
    'departmental-distributions': [
      {
        departmentalDistributionNumber: 1,
        name: 'Odense',
        distributionType: 'department',
        distributions: [{ percentage: 100, department: { departmentNumber: 1 } }],
      },
      {
        departmentalDistributionNumber: 2,
        name: 'Fælles',
        distributionType: 'distribution',
        distributions: [
          { percentage: 62.5, department: { departmentNumber: 1 } },
          { percentage: 37.5, department: { departmentNumber: 2 } },
        ],
      },
    ],
    employees: [
      {
        employeeNumber: 1,
        name: 'Søren Ågård',
        email: 'soren@example.dk',
        phone: '+45 12 34 56 78',
        employeeGroup: { employeeGroupNumber: 1 },
      },
      { employeeNumber: 2, name: 'Bodil Kjær', employeeGroup: { employeeGroupNumber: 1 }, barred: true },
    ],
  },
}

/** A long first year over two calendar years, and the two after it. */
export function makeYears(now: number): readonly SimulatedYear[] {
  const spans = [
    { year: `${now - 3}/${now - 2}`, from: `${now - 3}-07-01`, to: `${now - 2}-12-31`, isClosed: true },
    { year: String(now - 1), from: `${now - 1}-01-01`, to: `${now - 1}-12-31`, isClosed: false },
    { year: String(now), from: `${now}-01-01`, to: `${now}-12-31`, isClosed: false },
  ]
  let number = 0
  return spans.map((span) => ({
    ...span,
    periods: monthsBetween(span.from, span.to).map((from) => {
      number += 1
      return { number, from, to: lastDay(from) }
    }),
  }))
}

function monthsBetween(from: string, to: string): readonly string[] {
  const months: string[] = []
  for (let month = from; month <= to; month = nextMonth(month)) months.push(month)
  return months
}

function nextMonth(month: string): string {
  return new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5, 7)), 1)).toISOString().slice(0, 10)
}

function lastDay(month: string): string {
  return new Date(Date.parse(nextMonth(month)) - 86_400_000).toISOString().slice(0, 10)
}
