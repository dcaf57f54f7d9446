/** The six kinds of record that a planning structure is made of: what all have in common is done once, what differs is here. */
import { inputTableName, sqlTableName } from '@tributary/contract/derived-names'
import type { Area, Entity, HelperTable, Milestone, Subarea, PlanVersion } from '@tributary/contract/planning-records'
import type { Camel } from '@tributary/contract/wire'
import { type RawBuilder, sql } from 'kysely'
import { badField } from '../../kernel/http/api-fault.ts'
import { areasOfSubareas, milestonesOfVersions, type Nested, subareasOfAreas } from './nested-lists.ts'

/** How a record of each kind is shown. */
export interface Shown {
  readonly area: Camel<Area>
  readonly subarea: Camel<Subarea>
  readonly version: Camel<PlanVersion>
  readonly milestone: Camel<Milestone>
  readonly helperTable: Camel<HelperTable>
  readonly entity: Camel<Entity>
}
export type KindName = keyof Shown

export interface RecordKind<Name extends KindName = KindName> {
  /** Also what the audit log calls it. */
  readonly table: Name
  readonly statuses: readonly ('active' | 'locked' | 'archived')[]
  /** Columns of its own that are shown, of the table `listed`. */
  readonly columns?: RawBuilder<unknown>
  /** The list inside each of its records. */
  readonly nested?: Nested
  /** What follows from a name; throws `badInput` for one from which nothing follows. */
  readonly derive?: (name: string) => Derived
}

export interface Derived {
  /** As the table is called in a database, in full, and the column by which the record claims it. */
  readonly sqlTable: string
  readonly claimedBy: 'versionId' | 'helperTableId'
  /** Kept beside the name. */
  readonly columns: { readonly inputTableName?: string }
}

/** In how many security groups one is named; all current and future ones are not a name. */
function groupsNaming(table: 'area' | 'subarea' | 'version' | 'milestone'): RawBuilder<unknown> {
  const grants = table === 'area' || table === 'subarea' ? 'groupPair' : 'groupMilestone'
  return sql`(SELECT count(DISTINCT groupId) FROM ${sql.table(grants)} WHERE ${sql.ref(`${table}Id`)} = listed.id) AS "groupCount"`
}

const activeOrArchived = ['active', 'archived'] as const
const any = ['active', 'locked', 'archived'] as const

export const area: RecordKind<'area'> = {
  table: 'area',
  statuses: activeOrArchived,
  columns: sql`listed.allSubareas AS "allCurrentAndFuture", ${groupsNaming('area')}`,
  nested: subareasOfAreas,
}

export const subarea: RecordKind<'subarea'> = {
  table: 'subarea',
  statuses: activeOrArchived,
  columns: sql`listed.allAreas AS "allCurrentAndFuture", ${groupsNaming('subarea')}`,
  nested: areasOfSubareas,
}

export const version: RecordKind<'version'> = {
  table: 'version',
  statuses: any,
  columns: groupsNaming('version'),
  nested: milestonesOfVersions,
  derive(name) {
    if (!/[\p{L}\p{N}]/u.test(name))
      throw badField('name', 'must hold a letter or a digit, because a table is named after it')
    return { sqlTable: sqlTableName.version(name), claimedBy: 'versionId', columns: {} }
  },
}

export const milestone: RecordKind<'milestone'> = {
  table: 'milestone',
  statuses: any,
  columns: sql`listed.versionId AS "versionId", listed.listOrder AS "listOrder", ${groupsNaming('milestone')}`,
}

export const helperTable: RecordKind<'helperTable'> = {
  table: 'helperTable',
  statuses: any,
  columns: sql`listed.inputTableName AS "inputTableName", listed.allUsers AS "allUsers"`,
  derive(name) {
    const inputName = inputTableName(name)
    if (inputName === '')
      throw badField('name', 'leaves no name for its table once signs and a leading digit are gone; add a letter')
    return {
      sqlTable: sqlTableName.helperTable(inputName),
      claimedBy: 'helperTableId',
      columns: { inputTableName: inputName },
    }
  },
}

export const entity: RecordKind<'entity'> = {
  table: 'entity',
  statuses: activeOrArchived,
  columns: sql`listed.allUsers AS "allUsers"`,
}
