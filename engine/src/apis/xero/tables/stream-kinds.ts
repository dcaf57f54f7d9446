/** Declares the streams of Xero: lists read whole, lists filtered by change, journals, budgets and reports. */
import type { DocumentShape } from '../../http/documents.ts'

/** An endpoint's path, parameters and scope. */
export interface XeroEndpoint {
  /** The path, which is also the stream's name: `Invoices`. */
  readonly name: string
  /** The key of the rows in the response, if it is not the path. */
  readonly rows?: string
  readonly scope: XeroScope
  /** Parameters of every request. */
  readonly query?: Readonly<Record<string, string>>
  /** Rows per page; absent: one response holds all. Xero's default is 100; 1000 must be requested. */
  readonly page?: 100 | 1000
  /** Offered only if Xero lets the application read it. */
  readonly isOptional?: true
}

export type XeroScope =
  | 'accounting.settings.read'
  | 'accounting.contacts.read'
  | 'accounting.invoices.read'
  | 'accounting.payments.read'
  | 'accounting.banktransactions.read'
  | 'accounting.manualjournals.read'
  | 'accounting.classicexpenses.read'
  | 'accounting.budgets.read'
  | 'accounting.journals.read'
  | `accounting.reports.${'trialbalance' | 'profitandloss' | 'balancesheet'}.read`

interface XeroStreamBase extends XeroEndpoint {
  readonly shape: DocumentShape
}

/** Xero cannot filter it by change, or it is not worth a call in each run: read whole once a day. */
export interface WholeStream extends XeroStreamBase {
  readonly kind: 'whole'
}

/** Xero filters it by change. */
export interface ChangingStream extends XeroStreamBase {
  readonly kind: 'changing'
  readonly dated?: DateFilter
  /** Whether Xero can sort the rows by change. ManualJournals ignore paging if they are sorted. */
  readonly isOrdered: boolean
  /** Set if rows can be deleted without notice. */
  readonly hasUnreportedDeletions?: true
}

/** A document's date and how to filter by it: a `where` condition, two parameters, or only on the client. */
export interface DateFilter {
  readonly key: string
  readonly method: 'where' | 'between' | 'here'
}

export interface JournalStream extends XeroStreamBase {
  readonly kind: 'journals'
}

export interface BudgetStream extends XeroStreamBase {
  readonly kind: 'budgets'
}

/** One call per month. */
export interface ReportStream extends XeroStreamBase {
  readonly kind: 'report'
  /** The parameters that select a month: its last day, or its first and last. */
  readonly dateParameters: 'day' | 'span'
  /** `often`: each run reads this month and the last one, and once a day all months. `daily`: all months once a day. */
  readonly frequency: 'often' | 'daily'
}

export type XeroStream = WholeStream | ChangingStream | JournalStream | BudgetStream | ReportStream

export function wholeStream(name: string, shape: DocumentShape, endpoint: Omit<XeroEndpoint, 'name'>): WholeStream {
  return { kind: 'whole', name, shape, ...endpoint }
}

export function changingStream(
  name: string,
  shape: DocumentShape,
  how: Omit<ChangingStream, 'kind' | 'name' | 'shape' | 'isOrdered'> & { readonly isOrdered?: false },
): ChangingStream {
  return { kind: 'changing', name, shape, ...how, isOrdered: how.isOrdered ?? how.page !== undefined }
}

/** Requests prices with four decimals; Xero would round to two. */
export const fourDecimals = { unitdp: '4' }
export const byDate: DateFilter = { key: 'Date', method: 'where' }
