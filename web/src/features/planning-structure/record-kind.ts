/** What a kind of planning record defines; the rest is common to all kinds. */
import type { Capability } from '@tributary/contract/capabilities'
import type { StructureGapKind } from '@tributary/contract/structure-map'
import type { DisplayedTableNames } from './table-names.tsx'

export type RecordStatusName = 'active' | 'locked' | 'archived'

export interface PlanningRecord {
  readonly Id: string
  readonly Name: string
  readonly Status: { readonly Name: string }
}

interface RecordPatch {
  readonly name?: string
  readonly statusId?: string
}

export interface PlanningRecordKind<Row extends PlanningRecord> {
  /** Singular, such as 'helper table'. */
  readonly one: string
  readonly many: string
  /** Title of the dialog that adds records, and label of its button. */
  readonly addLabel: string
  readonly nameLabel: string
  /** Statuses to choose from; empty if the list shows only active records. */
  readonly statuses: readonly RecordStatusName[]
  readonly deleteCapability: Capability
  readonly add: (name: string, organisationId: string) => Promise<Row>
  readonly change: (id: string, change: RecordPatch) => Promise<Row>
  readonly remove: (id: string) => Promise<unknown>
  /** Describes the other effects of a deletion. */
  readonly describeDeletion: (row: Row) => string
  /** Derives the names of the tables that are named after a record. */
  readonly tableNames?: (name: string) => DisplayedTableNames
}

export interface RecordListQuery {
  readonly orgId: string
  readonly search?: string
  readonly sort?: 'asc' | 'desc'
  readonly page: number
  readonly pageSize: number
}

export interface ListedRecordKind<Row extends PlanningRecord> extends PlanningRecordKind<Row> {
  /** Key of the list in the query cache and in local storage. */
  readonly key: 'areas' | 'subAreas' | 'versions' | 'helperTables' | 'entities'
  /** An export lists all links of the records. The page lists none, because it shows only their number. */
  readonly list: (
    query: RecordListQuery,
    request: { readonly signal?: AbortSignal },
    links: 'true' | 'false',
  ) => Promise<{ rows: readonly Row[]; total: number }>
  /** What such a record is, for someone who has none yet. */
  readonly about: string
  /** What may be missing in the list. */
  readonly gaps: readonly StructureGapKind[]
  /** Columns of an export in addition to name and status. */
  readonly exportColumns: readonly { readonly title: string; readonly text: (row: Row) => string }[]
}
