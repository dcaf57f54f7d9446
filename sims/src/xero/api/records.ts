/** A record as lists filter, sort and serialise it. */
import type { XeroCompany } from '../books/company.ts'
import type { RecordFacts } from './where-filter.ts'
import type { XeroRow } from './value-format.ts'

export interface XeroRecord {
  readonly id: string
  readonly status: string
  /** Null if the record has no change date. */
  readonly updatedAt: number | null
  readonly date: number | null
  /** Further fields for filters and orders, in lower case. */
  readonly facts?: RecordFacts
  row(how: SerialiseOptions): XeroRow
}

/** Options for serialising a record. */
export interface SerialiseOptions {
  /** `list`, for a list without a page, omits the lines; `summary`, for `summaryOnly`, also omits totals. */
  readonly detail: 'full' | 'list' | 'summary'
  readonly unitDecimals: 2 | 4
  readonly now: number
  /** True if the record is fetched by its id. */
  readonly isAlone: boolean
}

export interface SimulatedEndpoint {
  /** Its name in the path, and the key of the list in the response by default. */
  readonly name: string
  readonly key?: string
  /** Any one of these suffices. */
  readonly scopes: readonly string[]
  /** The name of the record's id, for orders and filters. */
  readonly idKey: string
  /**
   * `sized` pages accept a `pageSize`, `hundred` pages do not, `whole` has no pages, `offset` is keyset pagination by
   * number.
   */
  readonly paging: 'sized' | 'hundred' | 'whole' | 'offset'
  /** Whether If-Modified-Since filters it. */
  readonly tellsChanges: boolean
  /** Supported filters in addition to `where`. */
  readonly filters?: readonly XeroFilterName[]
  /** Records of these statuses are returned only on request. */
  readonly hides?: {
    readonly statuses: readonly string[]
    readonly unless: 'includearchived' | 'includedeleted' | 'statuses'
  }
  /** Exempt from the limit on searched documents, because the list is short or has no documents. */
  readonly isSmall?: boolean
  /** With an `order`, paging is ignored. */
  readonly breaksOnOrder?: boolean
  /** Only for apps of the advanced tier. */
  readonly isGated?: boolean
  list(company: XeroCompany): readonly XeroRecord[]
}

export type XeroFilterName =
  | 'where'
  | 'ids'
  | 'statuses'
  | 'status'
  | 'dates'
  | 'invoicenumbers'
  | 'contactids'
  | 'summaryonly'
  | 'searchterm'
  | 'contactid'
  | 'sourcetransactionid'
