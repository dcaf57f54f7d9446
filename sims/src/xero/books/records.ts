/** The records of a simulated company's books. Amounts are cents of the document's currency, days are their midnight in UTC. */

export interface Account {
  readonly id: string
  readonly code: string
  name: string
  readonly type: string
  readonly class: AccountClass
  status: 'ACTIVE' | 'ARCHIVED'
  /** The part that it plays for Xero itself; empty for most. */
  readonly system: string
  readonly taxType: string
  readonly bankNumber: string | null
  updatedAt: number
}

export type AccountClass = 'ASSET' | 'EQUITY' | 'EXPENSE' | 'LIABILITY' | 'REVENUE'

export interface TaxRate {
  readonly type: string
  readonly name: string
  readonly reportType: string
  readonly percent: number
}

export interface Option {
  readonly id: string
  name: string
  status: 'ACTIVE' | 'ARCHIVED'
}

export interface TrackingCategory extends Option {
  readonly options: Option[]
}

export interface Group {
  readonly id: string
  readonly name: string
}

export interface Contact {
  readonly id: string
  readonly number: string
  name: string
  readonly firstName: string
  readonly lastName: string
  readonly email: string
  readonly side: Side
  readonly currency: string
  readonly rate: number
  readonly place: { readonly City: string; readonly State: string; readonly Postcode: string; readonly Country: string }
  readonly phone: string
  readonly people: readonly { readonly firstName: string; readonly lastName: string; readonly email: string }[]
  readonly groups: readonly Group[]
  status: 'ACTIVE' | 'ARCHIVED'
  updatedAt: number
}

/** Whom the company sells to or buys from. */
export type Side = 'sell' | 'buy'

export interface Item {
  readonly id: string
  readonly code: string
  name: string
  readonly description: string
  readonly isTracked: boolean
  saleUnits: number
  readonly buyUnits: number
  updatedAt: number
}

export interface Line {
  readonly id: string
  readonly description: string
  readonly quantity: number
  readonly price: number
  readonly discountPercent: number
  readonly item: Item | null
  account: Account
  readonly tax: TaxRate
  readonly cents: number
  readonly taxCents: number
  readonly tracking: readonly Tracked[]
}

export interface Tracked {
  readonly category: TrackingCategory
  readonly option: Option
}

export type LineAmountTypes = 'Exclusive' | 'Inclusive' | 'NoTax'

/** Whatever has lines: invoices, credit notes, bank transactions, orders, quotes, receipts. */
export interface Document {
  readonly id: string
  readonly type: string
  readonly number: string
  reference: string
  readonly contact: Contact
  readonly date: number
  dueDate: number | null
  status: string
  readonly lineAmountTypes: LineAmountTypes
  lines: Line[]
  subTotalCents: number
  taxCents: number
  totalCents: number
  readonly currency: string
  readonly rate: number
  updatedAt: number
  /** What it brought into the ledger, until it is voided or amended. */
  journal: Journal | null
}

export interface Invoice extends Document {
  readonly type: 'ACCREC' | 'ACCPAY'
  isSent: boolean
  readonly payments: Payment[]
  readonly allocations: Allocation[]
}

/** What can be set off against invoices: a credit note, or money that came too much or too early. */
export interface Credit extends Document {
  readonly kind: CreditKind
  readonly side: Side
  readonly payments: Payment[]
  readonly allocations: Allocation[]
}

export type CreditKind = 'creditNote' | 'overpayment' | 'prepayment'

export interface Allocation {
  readonly id: string
  readonly cents: number
  readonly date: number
  readonly invoice: Invoice
  readonly credit: Credit
  readonly journal: Journal | null
}

export interface Payment {
  readonly id: string
  readonly type: string
  readonly date: number
  readonly cents: number
  readonly rate: number
  readonly account: Account
  readonly of: Invoice | Credit
  readonly batch: BatchPayment | null
  readonly reference: string
  status: 'AUTHORISED' | 'DELETED'
  isReconciled: boolean
  updatedAt: number
  readonly journal: Journal
}

export interface BatchPayment {
  readonly id: string
  readonly type: 'PAYBATCH' | 'RECBATCH'
  readonly account: Account
  readonly date: number
  readonly payments: Payment[]
  status: 'AUTHORISED' | 'DELETED'
  updatedAt: number
}

export interface BankTransaction extends Document {
  readonly bank: Account
  isReconciled: boolean
  readonly credit: Credit | null
}

export interface BankTransfer {
  readonly id: string
  readonly date: number
  readonly createdAt: number
  readonly from: Account
  readonly to: Account
  readonly cents: number
  /** Of the two bank transactions that come with it: what left, what arrived. */
  readonly legIds: readonly [string, string]
  readonly reference: string
  status: 'AUTHORISED' | 'DELETED'
  updatedAt: number
  readonly journal: Journal
}

export interface ManualJournal {
  readonly id: string
  readonly narration: string
  readonly date: number
  status: 'DRAFT' | 'POSTED' | 'DELETED' | 'VOIDED'
  readonly lineAmountTypes: LineAmountTypes
  readonly lines: readonly ManualLine[]
  updatedAt: number
  journal: Journal | null
}

export interface ManualLine {
  account: Account
  readonly description: string
  /** Debits are positive. */
  readonly cents: number
  readonly tax: TaxRate
  readonly taxCents: number
  readonly tracking: readonly Tracked[]
}

/** One double entry; an amendment reverses it and posts another. */
export interface Journal {
  readonly id: string
  readonly number: number
  readonly date: number
  readonly createdAt: number
  readonly reference: string
  readonly source: { readonly id: string; readonly type: string } | null
  readonly postings: readonly Posting[]
}

export interface Posting {
  readonly account: Account
  /** In the base currency; debits are positive. */
  readonly cents: number
  readonly description?: string
  readonly tracking?: readonly Tracked[]
}

export interface User {
  readonly id: string
  readonly email: string
  readonly firstName: string
  readonly lastName: string
  readonly role: string
  updatedAt: number
}

export interface ExpenseClaim {
  readonly id: string
  readonly user: User
  readonly date: number
  readonly receipts: readonly Document[]
  readonly totalCents: number
  readonly payments: { readonly id: string; readonly date: number; readonly cents: number; readonly account: Account }[]
  status: 'SUBMITTED' | 'AUTHORISED' | 'PAID' | 'VOIDED'
  updatedAt: number
  journal: Journal | null
}

export interface RepeatingInvoice {
  readonly document: Document
  readonly period: number
  readonly unit: 'MONTHLY' | 'WEEKLY'
  readonly nextDate: number
}

export interface LinkedTransaction {
  readonly id: string
  readonly bill: Invoice
  readonly line: Line
  readonly customer: Contact
  readonly invoice: Invoice | null
  updatedAt: number
}

export interface Budget {
  readonly id: string
  readonly type: 'OVERALL' | 'TRACKING'
  readonly description: string
  readonly tracking: readonly Tracked[]
  readonly lines: readonly {
    readonly account: Account
    readonly balances: readonly { readonly month: string; readonly cents: number }[]
  }[]
  readonly updatedAt: number
}
