/** How the streams of Xero are declared: lists read whole, lists asked for their changes, journals, budgets and reports. */
import type { DocumentShape } from '../../http/documents.ts'

/** What an endpoint is called, how it is asked, and which right it needs. */
export interface Endpoint {
  /** The path, which is the stream's name as well: `Invoices`. */
  readonly name: string
  /** The key of the rows in the answer, where it is not the path. */
  readonly rows?: string
  readonly scope: Scope
  /** What is always asked for. */
  readonly query?: Readonly<Record<string, string>>
  /** Rows on a page; absent: all come in one answer. A thousand must be asked for, a hundred is what Xero gives. */
  readonly page?: 100 | 1000
  /** Offered only where Xero lets the application read it. */
  readonly isOptional?: true
}

export type Scope =
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

interface Declared extends Endpoint {
  readonly shape: DocumentShape
}

/** Xero cannot be asked what has changed in it, or it is not worth a call each run: read whole once a day. */
export interface WholeStream extends Declared {
  readonly kind: 'whole'
}

/** Xero is asked for what has changed since the last reading. */
export interface ChangingStream extends Declared {
  readonly kind: 'changing'
  readonly dated?: Dated
  /** Whether Xero can be asked for the rows in the order of their changes; ManualJournals then come all at once, on no page. */
  readonly isOrdered: boolean
  /** Set where rows can vanish without a word. */
  readonly vanishes?: true
}

/** The date of a document, and how it is asked for: by a condition, by two parameters, or not at all, and then looked at here. */
export interface Dated {
  readonly key: string
  readonly asked: 'where' | 'between' | 'here'
}

export interface JournalStream extends Declared {
  readonly kind: 'journals'
}

export interface BudgetStream extends Declared {
  readonly kind: 'budgets'
}

/** One call for each month. */
export interface ReportStream extends Declared {
  readonly kind: 'report'
  /** The parameters that name a month: its last day, or its first and last. */
  readonly asks: 'day' | 'span'
  /** `often`: this month and the last one with each run, all of them once a day; else once a day. */
  readonly recent: 'often' | 'daily'
}

export type XeroStream = WholeStream | ChangingStream | JournalStream | BudgetStream | ReportStream

export function whole(name: string, shape: DocumentShape, endpoint: Omit<Endpoint, 'name'>): WholeStream {
  return { kind: 'whole', name, shape, ...endpoint }
}

export function changing(
  name: string,
  shape: DocumentShape,
  how: Omit<ChangingStream, 'kind' | 'name' | 'shape' | 'isOrdered'> & { readonly isOrdered?: false },
): ChangingStream {
  return { kind: 'changing', name, shape, ...how, isOrdered: how.isOrdered ?? how.page !== undefined }
}

/** Four decimals in prices, where Xero would round to two. */
export const fourDecimals = { unitdp: '4' }
export const byDate: Dated = { key: 'Date', asked: 'where' }
