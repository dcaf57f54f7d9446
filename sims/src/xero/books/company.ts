/** A simulated company: its books, and how large they are. */
import type { Random } from '../../random.ts'
import type {
  Account,
  BankTransaction,
  BankTransfer,
  BatchPayment,
  Budget,
  Contact,
  Credit,
  Document,
  ExpenseClaim,
  Group,
  Invoice,
  Item,
  Journal,
  LinkedTransaction,
  ManualJournal,
  Payment,
  RepeatingInvoice,
  TaxRate,
  TrackingCategory,
  User,
} from './records.ts'

export interface Company {
  readonly tenantId: string
  readonly name: string
  readonly country: string
  readonly currency: string
  /** The month in which the financial year ends, from 1. */
  readonly yearEndMonth: number
  readonly size: Size
  readonly random: Random
  /** The first day of its books, and the moment from which Xero keeps it. */
  readonly foundedAt: number
  readonly accounts: Account[]
  readonly taxes: readonly TaxRate[]
  readonly tracking: readonly TrackingCategory[]
  readonly groups: readonly Group[]
  readonly themes: readonly Group[]
  readonly users: readonly User[]
  readonly contacts: Contact[]
  readonly items: Item[]
  readonly invoices: Invoice[]
  readonly credits: Credit[]
  readonly payments: Payment[]
  readonly batches: BatchPayment[]
  readonly bankTransactions: BankTransaction[]
  readonly transfers: BankTransfer[]
  readonly manualJournals: ManualJournal[]
  readonly journals: Journal[]
  readonly orders: Document[]
  readonly quotes: Document[]
  readonly repeating: RepeatingInvoice[]
  readonly linked: LinkedTransaction[]
  readonly receipts: Document[]
  readonly claims: ExpenseClaim[]
  readonly budgets: Budget[]
}

export interface Size {
  readonly months: number
  readonly contacts: number
  readonly items: number
  /** Sales and bills. */
  readonly invoices: number
  /** Life goes on within these. */
  readonly invoicesMax: number
  /** On average; 3 where nothing is said. */
  readonly linesPerInvoice?: number
  /** In how many parts an invoice is paid, on average; 1.1 where nothing is said. */
  readonly paymentsPerInvoice?: number
}

export const trialSize: Size = {
  months: 14,
  contacts: 40,
  items: 24,
  invoices: 400,
  invoicesMax: 480,
}

export const yearSize: Size = {
  months: 12,
  contacts: 1_500,
  items: 300,
  invoices: 20_000,
  invoicesMax: 20_500,
  paymentsPerInvoice: 1.75,
}

export const dayMs = 86_400_000

export const midnight = (at: number): number => at - (((at % dayMs) + dayMs) % dayMs)
