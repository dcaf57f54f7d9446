/** A record of the books as lists deal with it, before it is written. */
import type { Company } from '../books/company.ts'
import type { Facts } from './where-filter.ts'
import type { Row } from './value-format.ts'

export interface Listed {
  readonly id: string
  readonly status: string
  /** Null where the record changes without a trace. */
  readonly updatedAt: number | null
  readonly date: number | null
  /** Further fields that a filter or an order may name, in lower case. */
  readonly facts?: Facts
  row(how: How): Row
}

/** How a record is written. */
export interface How {
  /** A list without a page leaves the lines out, and `summaryOnly` what has to be added up, too. */
  readonly detail: 'full' | 'list' | 'summary'
  readonly unitDecimals: 2 | 4
  readonly now: number
  /** Fetched by its id, alone. */
  readonly isAlone: boolean
}

export interface Endpoint {
  /** Its name in the path, and of the list in the answer where nothing else is said. */
  readonly name: string
  readonly key?: string
  /** One of these is enough. */
  readonly scopes: readonly string[]
  /** What a record's own id is called, for orders and filters. */
  readonly idKey: string
  /** `sized` pages take a `pageSize`, `hundred` ones do not, `whole` has none, `offset` goes by the number. */
  readonly paging: 'sized' | 'hundred' | 'whole' | 'offset'
  /** Whether an answer tells how many pages there are; `sized` ones do. */
  readonly tellsChanges: boolean
  /** Which filters beyond `where` it honours. */
  readonly filters?: readonly FilterName[]
  /** Records of these states come only when they are asked for. */
  readonly hides?: {
    readonly statuses: readonly string[]
    readonly unless: 'includearchived' | 'includedeleted' | 'statuses'
  }
  /** Nobody counts how much a query looks at: what it lists is few, or no documents. */
  readonly isSmall?: boolean
  /** An `order` makes it answer everything, whatever page is asked for. */
  readonly breaksOnOrder?: boolean
  /** Only for apps of the dear tier. */
  readonly isGated?: boolean
  list(company: Company): readonly Listed[]
}

export type FilterName =
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
