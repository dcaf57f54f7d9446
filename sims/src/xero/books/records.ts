/** Records of a simulated company's books. Amounts are cents of the document's currency, days are midnight UTC. */

export interface XeroAccount {
  readonly id: string
  readonly code: string
  name: string
  readonly type: string
  readonly class: AccountClass
  status: 'ACTIVE' | 'ARCHIVED'
  /** Xero's system role; empty for most accounts. */
  readonly system: string
  readonly taxType: string
  readonly bankNumber: string | null
  updatedAt: number
}

export type AccountClass = 'ASSET' | 'EQUITY' | 'EXPENSE' | 'LIABILITY' | 'REVENUE'

export interface XeroTaxRate {
  readonly type: string
  readonly name: string
  readonly reportType: string
  readonly percent: number
}

export interface TrackingOption {
  readonly id: string
  name: string
  status: 'ACTIVE' | 'ARCHIVED'
}

export interface TrackingCategory extends TrackingOption {
  readonly options: TrackingOption[]
}

export interface ContactGroup {
  readonly id: string
  readonly name: string
}

export interface XeroContact {
  readonly id: string
  readonly number: string
  name: string
  readonly firstName: string
  readonly lastName: string
  readonly email: string
  readonly side: TradeSide
  readonly currency: string
  readonly rate: number
  readonly place: { readonly City: string; readonly State: string; readonly Postcode: string; readonly Country: string }
  readonly phone: string
  readonly people: readonly { readonly firstName: string; readonly lastName: string; readonly email: string }[]
  readonly groups: readonly ContactGroup[]
  status: 'ACTIVE' | 'ARCHIVED'
  updatedAt: number
}

/** Sales or purchases. */
export type TradeSide = 'sell' | 'buy'

export interface XeroItem {
  readonly id: string
  readonly code: string
  name: string
  readonly description: string
  readonly isTracked: boolean
  saleUnits: number
  readonly buyUnits: number
  updatedAt: number
}

export interface DocumentLine {
  readonly id: string
  readonly description: string
  readonly quantity: number
  readonly price: number
  readonly discountPercent: number
  readonly item: XeroItem | null
  account: XeroAccount
  readonly tax: XeroTaxRate
  readonly cents: number
  readonly taxCents: number
  readonly tracking: readonly AssignedTracking[]
}

export interface AssignedTracking {
  readonly category: TrackingCategory
  readonly option: TrackingOption
}

export type LineAmountTypes = 'Exclusive' | 'Inclusive' | 'NoTax'

/** Any document with lines: invoices, credit notes, bank transactions, orders, quotes, receipts. */
export interface XeroDocument {
  readonly id: string
  readonly type: string
  readonly number: string
  reference: string
  readonly contact: XeroContact
  readonly date: number
  dueDate: number | null
  status: string
  readonly lineAmountTypes: LineAmountTypes
  lines: DocumentLine[]
  subTotalCents: number
  taxCents: number
  totalCents: number
  readonly currency: string
  readonly rate: number
  updatedAt: number
  /** Its ledger entry, until it is voided or amended. */
  journal: XeroJournal | null
}

export interface XeroInvoice extends XeroDocument {
  readonly type: 'ACCREC' | 'ACCPAY'
  isSent: boolean
  readonly payments: XeroPayment[]
  readonly allocations: CreditAllocation[]
}

/** Can be allocated to invoices: a credit note, overpayment or prepayment. */
export interface XeroCredit extends XeroDocument {
  readonly kind: XeroCreditKind
  readonly side: TradeSide
  readonly payments: XeroPayment[]
  readonly allocations: CreditAllocation[]
}

export type XeroCreditKind = 'creditNote' | 'overpayment' | 'prepayment'

export interface CreditAllocation {
  readonly id: string
  readonly cents: number
  readonly date: number
  readonly invoice: XeroInvoice
  readonly credit: XeroCredit
  readonly journal: XeroJournal | null
}

export interface XeroPayment {
  readonly id: string
  readonly type: string
  readonly date: number
  readonly cents: number
  readonly rate: number
  readonly account: XeroAccount
  readonly of: XeroInvoice | XeroCredit
  readonly batch: BatchPayment | null
  readonly reference: string
  status: 'AUTHORISED' | 'DELETED'
  isReconciled: boolean
  updatedAt: number
  readonly journal: XeroJournal
}

export interface BatchPayment {
  readonly id: string
  readonly type: 'PAYBATCH' | 'RECBATCH'
  readonly account: XeroAccount
  readonly date: number
  readonly payments: XeroPayment[]
  status: 'AUTHORISED' | 'DELETED'
  updatedAt: number
}

export interface BankTransaction extends XeroDocument {
  readonly bank: XeroAccount
  isReconciled: boolean
  readonly credit: XeroCredit | null
}

export interface BankTransfer {
  readonly id: string
  readonly date: number
  readonly createdAt: number
  readonly from: XeroAccount
  readonly to: XeroAccount
  readonly cents: number
  /** Ids of the two bank transactions of the transfer: outgoing, incoming. */
  readonly legIds: readonly [string, string]
  readonly reference: string
  status: 'AUTHORISED' | 'DELETED'
  updatedAt: number
  readonly journal: XeroJournal
}

export interface ManualJournal {
  readonly id: string
  readonly narration: string
  readonly date: number
  status: 'DRAFT' | 'POSTED' | 'DELETED' | 'VOIDED'
  readonly lineAmountTypes: LineAmountTypes
  readonly lines: readonly ManualLine[]
  updatedAt: number
  journal: XeroJournal | null
}

export interface ManualLine {
  account: XeroAccount
  readonly description: string
  /** Debits are positive. */
  readonly cents: number
  readonly tax: XeroTaxRate
  readonly taxCents: number
  readonly tracking: readonly AssignedTracking[]
}

/** One double entry. An amendment reverses it and posts another. */
export interface XeroJournal {
  readonly id: string
  readonly number: number
  readonly date: number
  readonly createdAt: number
  readonly reference: string
  readonly source: { readonly id: string; readonly type: string } | null
  readonly postings: readonly XeroPosting[]
}

export interface XeroPosting {
  readonly account: XeroAccount
  /** In base currency; debits are positive. */
  readonly cents: number
  readonly description?: string
  readonly tracking?: readonly AssignedTracking[]
}

export interface XeroUser {
  readonly id: string
  readonly email: string
  readonly firstName: string
  readonly lastName: string
  readonly role: string
  updatedAt: number
}

export interface ExpenseClaim {
  readonly id: string
  readonly user: XeroUser
  readonly date: number
  readonly receipts: readonly XeroDocument[]
  readonly totalCents: number
  readonly payments: {
    readonly id: string
    readonly date: number
    readonly cents: number
    readonly account: XeroAccount
  }[]
  status: 'SUBMITTED' | 'AUTHORISED' | 'PAID' | 'VOIDED'
  updatedAt: number
  journal: XeroJournal | null
}

export interface RepeatingInvoice {
  readonly document: XeroDocument
  readonly period: number
  readonly unit: 'MONTHLY' | 'WEEKLY'
  readonly nextDate: number
}

export interface LinkedTransaction {
  readonly id: string
  readonly bill: XeroInvoice
  readonly line: DocumentLine
  readonly customer: XeroContact
  readonly invoice: XeroInvoice | null
  updatedAt: number
}

export interface XeroBudget {
  readonly id: string
  readonly type: 'OVERALL' | 'TRACKING'
  readonly description: string
  readonly tracking: readonly AssignedTracking[]
  readonly lines: readonly {
    readonly account: XeroAccount
    readonly balances: readonly { readonly month: string; readonly cents: number }[]
  }[]
  readonly updatedAt: number
}
