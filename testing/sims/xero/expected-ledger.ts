/**
 * Posts the documents that the API returns by accounting rules, independently of the simulator: a cross-check of its
 * ledger.
 */
import type { XeroRow } from '@tributary/sims/xero/api/value-format'

/** Cents by month and account, `2026-05 200`; zero sums are left out. */
export type LedgerSums = ReadonlyMap<string, number>

export type ReadDocuments = (endpoint: string) => readonly XeroRow[]

interface ExpectedEntry {
  readonly month: string
  readonly account: string
  readonly cents: number
}

const live = ['AUTHORISED', 'PAID', 'POSTED']

export function postDocuments(read: ReadDocuments): LedgerSums {
  const system = new Map(read('Accounts').map((row) => [row['SystemAccount'], String(row['Code'])]))
  const part = (name: string): string => system.get(name) ?? name
  const rates = new Map(
    ['Invoices', 'CreditNotes', 'Overpayments', 'Prepayments'].flatMap(read).map((row) => [idOf(row), rateOf(row)]),
  )
  const entries = [
    ...read('Invoices').flatMap((row) =>
      ofDocument(row, part, row['Type'] === 'ACCREC' ? ['DEBTORS', 1] : ['CREDITORS', -1]),
    ),
    ...read('CreditNotes').flatMap((row) =>
      ofDocument(row, part, row['Type'] === 'ACCRECCREDIT' ? ['DEBTORS', -1] : ['CREDITORS', 1]),
    ),
    ...['CreditNotes', 'Overpayments', 'Prepayments'].flatMap(read).flatMap((row) => ofAllocations(row, part, rates)),
    ...read('Payments').flatMap((row) => ofPayment(row, part, rates)),
    ...read('BankTransactions').flatMap((row) => ofBankTransaction(row, part)),
    ...read('BankTransfers').flatMap(ofTransfer),
    ...read('ManualJournals').flatMap((row) => ofManual(row, part)),
    ...ofClaims(read, part),
  ]
  return summed(entries)
}

export function summed(entries: readonly ExpectedEntry[]): LedgerSums {
  const sums = new Map<string, number>()
  for (const { month, account, cents } of entries) {
    const key = `${month} ${account}`
    sums.set(key, (sums.get(key) ?? 0) + cents)
  }
  return new Map([...sums].filter(([, cents]) => cents !== 0).toSorted())
}

type SystemAccountOf = (name: string) => string

const cents = (value: unknown): number => Math.round(Number(value) * 100)
const list = (value: unknown): readonly XeroRow[] => value as readonly XeroRow[]
const at = (value: unknown, key: string): string => String((value as XeroRow)[key])
const monthOf = (value: unknown): string => new Date(Number(/-?\d+/.exec(String(value))?.[0])).toISOString().slice(0, 7)
const idOf = (row: XeroRow): string =>
  String(row['InvoiceID'] ?? row['CreditNoteID'] ?? row['OverpaymentID'] ?? row['PrepaymentID'])
const rateOf = (row: XeroRow): number => Number(row['CurrencyRate'] ?? 1)

function base(amount: number, rate: number): number {
  const exact = (Math.abs(amount) / rate) * (1 + Number.EPSILON)
  return Math.sign(amount) * Math.round(exact)
}

const net = (line: XeroRow, kind: unknown): number =>
  cents(line['LineAmount']) - (String(kind) === 'Inclusive' ? cents(line['TaxAmount']) : 0)

function ofDocument(row: XeroRow, part: SystemAccountOf, [counter, sign]: readonly [string, number]): ExpectedEntry[] {
  if (!live.includes(String(row['Status']))) return []
  const [month, rate] = [monthOf(row['Date']), rateOf(row)]
  const entries = [
    { month, account: part(counter), cents: sign * base(cents(row['Total']), rate) },
    ...list(row['LineItems']).map((line) => ({
      month,
      account: String(line['AccountCode']),
      cents: -sign * base(net(line, row['LineAmountTypes']), rate),
    })),
    { month, account: part('GST'), cents: -sign * base(cents(row['TotalTax']), rate) },
  ]
  return rounded(entries, part, month)
}

function rounded(entries: ExpectedEntry[], part: SystemAccountOf, month: string): ExpectedEntry[] {
  return [
    ...entries,
    { month, account: part('ROUNDING'), cents: -entries.reduce((sum, entry) => sum + entry.cents, 0) },
  ]
}

function ofAllocations(row: XeroRow, part: SystemAccountOf, rates: ReadonlyMap<string, number>): ExpectedEntry[] {
  const type = String(row['Type'])
  const isSale = type.startsWith('ACCREC') || type.startsWith('RECEIVE')
  return list(row['Allocations']).flatMap((allocation) => {
    const amount = cents(allocation['Amount'])
    const owed = base(amount, rates.get(at(allocation['Invoice'], 'InvoiceID')) ?? 1)
    const gain = (isSale ? 1 : -1) * (owed - base(amount, rateOf(row)))
    const month = monthOf(allocation['Date'])
    return [
      { month, account: part('REALISEDCURRENCYGAIN'), cents: gain },
      { month, account: part(isSale ? 'DEBTORS' : 'CREDITORS'), cents: -gain },
    ]
  })
}

function ofPayment(row: XeroRow, part: SystemAccountOf, rates: ReadonlyMap<string, number>): ExpectedEntry[] {
  if (row['Status'] !== 'AUTHORISED') return []
  const type = String(row['PaymentType'])
  const isSale = type.startsWith('A') && type.startsWith('AR') ? true : type === 'ACCRECPAYMENT'
  const comesIn = type === 'ACCRECPAYMENT' || type.startsWith('AP')
  const of = row['Invoice'] ?? row['CreditNote'] ?? row['Overpayment'] ?? row['Prepayment']
  const sign = comesIn ? 1 : -1
  const money = sign * base(cents(row['Amount']), rateOf(row))
  const owed = sign * base(cents(row['Amount']), rates.get(idOf(of as XeroRow)) ?? 1)
  const month = monthOf(row['Date'])
  return [
    { month, account: at(row['Account'], 'Code'), cents: money },
    { month, account: part(isSale ? 'DEBTORS' : 'CREDITORS'), cents: -owed },
    { month, account: part('REALISEDCURRENCYGAIN'), cents: owed - money },
  ]
}

function ofBankTransaction(row: XeroRow, part: SystemAccountOf): ExpectedEntry[] {
  const type = String(row['Type'])
  if (row['Status'] !== 'AUTHORISED' || type.endsWith('TRANSFER')) return []
  const sign = type.startsWith('RECEIVE') ? 1 : -1
  const bank = at(row['BankAccount'], 'Code')
  if (!type.includes('-')) return ofDocument(row, (name) => (name === 'BANK' ? bank : part(name)), ['BANK', sign])
  const total = sign * base(cents(row['Total']), rateOf(row))
  const month = monthOf(row['Date'])
  return [
    { month, account: bank, cents: total },
    { month, account: part(sign === 1 ? 'DEBTORS' : 'CREDITORS'), cents: -total },
  ]
}

function ofTransfer(row: XeroRow): ExpectedEntry[] {
  if (row['Status'] === 'DELETED') return []
  const month = monthOf(row['Date'])
  return [
    { month, account: at(row['FromBankAccount'], 'Code'), cents: -cents(row['Amount']) },
    { month, account: at(row['ToBankAccount'], 'Code'), cents: cents(row['Amount']) },
  ]
}

function ofManual(row: XeroRow, part: SystemAccountOf): ExpectedEntry[] {
  if (row['Status'] !== 'POSTED') return []
  const month = monthOf(row['Date'])
  const entries = list(row['JournalLines']).flatMap((line) => [
    { month, account: String(line['AccountCode']), cents: net(line, row['LineAmountTypes']) },
    { month, account: part('GST'), cents: cents(line['TaxAmount']) },
  ])
  return rounded(entries, part, month)
}

function ofClaims(read: ReadDocuments, part: SystemAccountOf): ExpectedEntry[] {
  const receipts = new Map(read('Receipts').map((row) => [String(row['ReceiptID']), row]))
  return read('ExpenseClaims').flatMap((claim) => {
    const month = monthOf(claim['ReportingDate'])
    const lines = list(claim['Receipts']).flatMap(({ ReceiptID }) => {
      const receipt = receipts.get(String(ReceiptID)) ?? {}
      return [
        ...list(receipt['LineItems']).map((line) => ({
          month,
          account: String(line['AccountCode']),
          cents: net(line, 'Inclusive'),
        })),
        { month, account: part('GST'), cents: cents(receipt['TotalTax']) },
      ]
    })
    const paid = list(claim['Payments']).flatMap((payment) => [
      { month: monthOf(payment['Date']), account: part('UNPAIDEXPCLM'), cents: cents(payment['Amount']) },
      { month: monthOf(payment['Date']), account: at(payment['Account'], 'Code'), cents: -cents(payment['Amount']) },
    ])
    return [...lines, { month, account: part('UNPAIDEXPCLM'), cents: -cents(claim['Total']) }, ...paid]
  })
}
