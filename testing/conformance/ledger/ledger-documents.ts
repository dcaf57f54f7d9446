/** Builders of Xero API documents of a small company. Amounts are cents. */
import type { JsonObject } from '@tributary/engine/apis/http/exact-json'

/** Columns: code, name, type and system account. */
const chart = [
  ['090', 'Business Account', 'BANK', ''],
  ['091', 'Savings Account', 'BANK', ''],
  ['092', 'Dollar Account', 'BANK', '', 'USD'],
  ['200', 'Sales', 'REVENUE', ''],
  ['310', 'Purchases', 'DIRECTCOSTS', ''],
  ['416', 'Depreciation', 'DEPRECIATN', ''],
  ['429', 'General Expenses', 'EXPENSE', ''],
  ['497', 'Bank Revaluations', 'EXPENSE', 'BANKCURRENCYGAIN'],
  ['498', 'Unrealised Currency Gains', 'EXPENSE', 'UNREALISEDCURRENCYGAIN'],
  ['499', 'Realised Currency Gains', 'EXPENSE', 'REALISEDCURRENCYGAIN'],
  ['610', 'Accounts Receivable', 'CURRENT', 'DEBTORS'],
  ['630', 'Inventory', 'INVENTORY', ''],
  ['711', 'Accumulated Depreciation', 'FIXED', ''],
  ['800', 'Accounts Payable', 'CURRLIAB', 'CREDITORS'],
  ['801', 'Unpaid Expense Claims', 'CURRLIAB', 'UNPAIDEXPCLM'],
  ['820', 'GST', 'CURRLIAB', 'GST'],
  ['860', 'Rounding', 'CURRLIAB', 'ROUNDING'],
] as const

export const accountId = (code: string): string => `00000000-0000-4000-8000-${code.padStart(12, '0')}`
export const documentId = (number: number): string => `10000000-0000-4000-8000-${String(number).padStart(12, '0')}`

export const company: JsonObject = { OrganisationID: documentId(0), Name: 'Demo Company', BaseCurrency: 'NZD' }

export const accounts: readonly JsonObject[] = chart.map(([code, name, type, part, currency = 'NZD']) => ({
  AccountID: accountId(code),
  Code: code,
  Name: name,
  Type: type,
  SystemAccount: part,
  CurrencyCode: currency,
  Status: 'ACTIVE',
}))

export interface LedgerLine {
  readonly code: string
  readonly cents: number
  readonly tax?: number
}

export interface PricedXeroDocument {
  readonly number: number
  readonly type: string
  readonly lines: readonly LedgerLine[]
  readonly rate?: number
  readonly inclusive?: boolean
  readonly status?: string
  readonly date?: string
}

const usualDay = '2026-03-05'

/** The common fields of invoices, credit notes, bank transactions and receipts. */
export function priced({
  number,
  type,
  lines,
  rate,
  inclusive = false,
  status = 'AUTHORISED',
  date = usualDay,
}: PricedXeroDocument): JsonObject {
  const net = sum(lines.map(({ cents }) => cents))
  const tax = sum(lines.map(({ tax: of = 0 }) => of))
  return {
    Type: type,
    Status: status,
    Date: date,
    Reference: `ref ${number}`,
    Contact: { ContactID: documentId(0), Name: 'A contact' },
    LineAmountTypes: inclusive ? 'Inclusive' : 'Exclusive',
    LineItems: lines.map(lineItem),
    TotalTax: money(tax),
    Total: money(inclusive ? net : net + tax),
    ...(rate === undefined ? { CurrencyCode: 'NZD' } : { CurrencyCode: 'USD', CurrencyRate: rate }),
  }
}

export function lineItem({ code, cents, tax = 0 }: LedgerLine): JsonObject {
  return { LineAmount: money(cents), TaxAmount: money(tax), AccountCode: code, AccountID: accountId(code) }
}

export const invoice = (of: PricedXeroDocument): JsonObject => ({
  ...priced(of),
  InvoiceID: documentId(of.number),
  InvoiceNumber: `INV-${of.number}`,
})

export function creditNote(of: PricedXeroDocument, allocations: readonly JsonObject[] = []): JsonObject {
  return {
    ...priced(of),
    CreditNoteID: documentId(of.number),
    CreditNoteNumber: `CN-${of.number}`,
    Allocations: allocations,
  }
}

export interface BankDocument extends PricedXeroDocument {
  readonly bank?: string
}

export function bankTransaction({ bank = '090', ...of }: BankDocument): JsonObject {
  return {
    ...priced(of),
    BankTransactionID: documentId(of.number),
    BankAccount: { AccountID: accountId(bank), Code: bank },
  }
}

export interface PaymentDocument {
  readonly number: number
  readonly type: string
  readonly cents: number
  /** `{ Invoice: { InvoiceID: … } }` */
  readonly of: JsonObject
  readonly rate?: number
  readonly bank?: string
  readonly status?: string
  readonly date?: string
}

export function payment({
  number,
  type,
  cents,
  of,
  rate,
  bank = '090',
  status = 'AUTHORISED',
  date = usualDay,
}: PaymentDocument): JsonObject {
  return {
    PaymentID: documentId(number),
    PaymentType: type,
    Status: status,
    Date: date,
    Amount: money(cents),
    Account: { AccountID: accountId(bank), Code: bank },
    ...(rate === undefined ? {} : { CurrencyRate: rate }),
    ...of,
  }
}

export function allocation(number: number, cents: number, date = usualDay): JsonObject {
  return {
    AllocationID: documentId(number + 9_000),
    Amount: money(cents),
    Date: date,
    Invoice: { InvoiceID: documentId(number) },
  }
}

export interface ManualDocument {
  readonly number: number
  readonly lines: readonly LedgerLine[]
  readonly inclusive?: boolean
  readonly status?: string
  readonly date?: string
}

export function manualJournal({
  number,
  lines,
  inclusive = false,
  status = 'POSTED',
  date = usualDay,
}: ManualDocument): JsonObject {
  return {
    ManualJournalID: documentId(number),
    Narration: 'By hand',
    Status: status,
    Date: date,
    LineAmountTypes: inclusive ? 'Inclusive' : 'NoTax',
    JournalLines: lines.map(lineItem),
  }
}

export function transfer(number: number, cents: number, more: JsonObject = {}): JsonObject {
  return {
    BankTransferID: documentId(number),
    Date: usualDay,
    Amount: money(cents),
    FromBankAccount: { AccountID: accountId('090') },
    ToBankAccount: { AccountID: accountId('091') },
    Status: 'AUTHORISED',
    ...more,
  }
}

/** The report of one month with the movement of each account, debit positive. */
export function trialBalance(month: string, cents: Readonly<Record<string, number>>): JsonObject {
  return {
    Month: month,
    ReportName: 'Trial Balance',
    Lines: Object.entries(cents).map(([code, moved]) => ({
      AccountID: accountId(code),
      Code: code,
      Name: chart.find(([known]) => known === code)?.[1] ?? '',
      Debit: moved > 0 ? money(moved) : null,
      Credit: moved < 0 ? money(-moved) : null,
    })),
  }
}

/** Formats cents like the exact JSON of the API: `-12.50`. */
function money(cents: number): string {
  const digits = String(Math.abs(cents)).padStart(3, '0')
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, each) => all + each, 0)
}
