/** What a kind of record says of itself; everything else all kinds have in common. */
import type { Capability } from '@tributary/contract/capabilities'
import type { TableNames } from './table-names.tsx'

export type StatusName = 'active' | 'locked' | 'archived'

export interface AnyRecord {
  readonly Id: string
  readonly Name: string
  readonly Status: { readonly Name: string }
}

interface RecordChange {
  readonly name?: string
  readonly statusId?: string
}

export interface Kind<Row extends AnyRecord> {
  /** 'helper table' */
  readonly one: string
  readonly many: string
  /** Heads the dialog that adds, and names the button that opens it. */
  readonly adding: string
  readonly nameLabel: string
  /** Those that one may choose from; none where the list shows active ones only. */
  readonly statuses: readonly StatusName[]
  readonly deletion: Capability
  readonly add: (name: string, organisationId: string) => Promise<Row>
  readonly change: (id: string, change: RecordChange) => Promise<Row>
  readonly remove: (id: string) => Promise<unknown>
  /** What else a deletion does. */
  readonly goesWith: (row: Row) => string
  /** Where tables are named after it. */
  readonly tablesOf?: (name: string) => TableNames
}

export interface ListAsk {
  readonly orgId: string
  readonly search?: string
  readonly sort?: 'asc' | 'desc'
  readonly page: number
  readonly pageSize: number
}

export interface ListedKind<Row extends AnyRecord> extends Kind<Row> {
  /** Under which name the browser keeps it; also names it in the cache. */
  readonly key: 'areas' | 'subAreas' | 'versions' | 'helperTables' | 'entities'
  readonly list: (ask: ListAsk, signal: AbortSignal | undefined) => Promise<{ rows: readonly Row[]; total: number }>
  /** For an export: with everything that each is linked to, where `list` leaves that out. */
  readonly listWhole?: ListedKind<Row>['list']
  /** What an export holds beside name and status. */
  readonly exported: readonly { readonly title: string; readonly text: (row: Row) => string }[]
}
