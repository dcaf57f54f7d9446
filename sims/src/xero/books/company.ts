/** Data model of a simulated company and its size. */
import type { Random } from '../../random.ts'
import type {
  XeroAccount,
  BankTransaction,
  BankTransfer,
  BatchPayment,
  XeroBudget,
  XeroContact,
  XeroCredit,
  XeroDocument,
  ExpenseClaim,
  ContactGroup,
  XeroInvoice,
  XeroItem,
  XeroJournal,
  LinkedTransaction,
  ManualJournal,
  XeroPayment,
  RepeatingInvoice,
  XeroTaxRate,
  TrackingCategory,
  XeroUser,
} from './records.ts'

export interface XeroCompany {
  readonly tenantId: string
  readonly name: string
  readonly country: string
  readonly currency: string
  /** The month in which the financial year ends, 1 to 12. */
  readonly yearEndMonth: number
  readonly size: XeroCompanySize
  readonly random: Random
  /** The first day of its books; Xero creates its accounts at this moment. */
  readonly foundedAt: number
  /** The last locked days, midnight UTC; null: not locked. Absent until an adviser sets them: the day before its first. */
  locks?: CompanyLocks
  readonly accounts: XeroAccount[]
  readonly taxes: readonly XeroTaxRate[]
  readonly tracking: readonly TrackingCategory[]
  readonly groups: readonly ContactGroup[]
  readonly themes: readonly ContactGroup[]
  readonly users: readonly XeroUser[]
  readonly contacts: XeroContact[]
  readonly items: XeroItem[]
  readonly invoices: XeroInvoice[]
  readonly credits: XeroCredit[]
  readonly payments: XeroPayment[]
  readonly batches: BatchPayment[]
  readonly bankTransactions: BankTransaction[]
  readonly transfers: BankTransfer[]
  readonly manualJournals: ManualJournal[]
  readonly journals: XeroJournal[]
  readonly orders: XeroDocument[]
  readonly quotes: XeroDocument[]
  readonly repeating: RepeatingInvoice[]
  readonly linked: LinkedTransaction[]
  readonly receipts: XeroDocument[]
  readonly claims: ExpenseClaim[]
  readonly budgets: XeroBudget[]
}

export interface CompanyLocks {
  readonly period: number | null
  readonly yearEnd: number | null
}

export interface XeroCompanySize {
  readonly months: number
  readonly contacts: number
  readonly items: number
  /** Sales invoices and bills. */
  readonly invoices: number
  /** Upper bound for later activity. */
  readonly invoicesMax: number
  /** Average; default 3. */
  readonly linesPerInvoice?: number
  /** Average number of payments per invoice; default 1.1. */
  readonly paymentsPerInvoice?: number
}

export const trialSize: XeroCompanySize = {
  months: 14,
  contacts: 40,
  items: 24,
  invoices: 400,
  invoicesMax: 480,
}

export const yearSize: XeroCompanySize = {
  months: 12,
  contacts: 1_500,
  items: 300,
  invoices: 20_000,
  invoicesMax: 20_500,
  paymentsPerInvoice: 1.75,
}

export const dayMs = 86_400_000

export const midnight = (at: number): number => at - (((at % dayMs) + dayMs) % dayMs)
