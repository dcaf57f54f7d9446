/** Describes the six kinds of records of a planning structure by their differences. The rest of the code is common to all. */
import { inputTableName, sqlTableName } from '@tributary/contract/derived-names'
import type { Area, Entity, HelperTable, Milestone, Subarea, PlanVersion } from '@tributary/contract/planning-records'
import type { Camel } from '@tributary/contract/wire'
import { type RawBuilder, sql } from 'kysely'
import { badField } from '../../kernel/http/api-fault.ts'
import { areasOfSubareas, milestonesOfVersions, type NestedList, subareasOfAreas } from './nested-lists.ts'

/** The reply for a record, by kind. */
export interface RecordsByKind {
  readonly area: Camel<Area>
  readonly subarea: Camel<Subarea>
  readonly version: Camel<PlanVersion>
  readonly milestone: Camel<Milestone>
  readonly helperTable: Camel<HelperTable>
  readonly entity: Camel<Entity>
}
export type RecordKindName = keyof RecordsByKind

export interface RecordKind<Name extends RecordKindName = RecordKindName> {
  /** Also the object type in the audit log. */
  readonly table: Name
  readonly statuses: readonly ('active' | 'locked' | 'archived')[]
  /** Further columns of the reply, selected from `listed`. */
  readonly columns?: RawBuilder<unknown>
  /** The list inside each record. */
  readonly nested?: NestedList
  /** Derives table and column names from the record's name. Throws `badInput` if the name yields none. */
  readonly deriveNames?: (name: string) => DerivedNames
}

export interface DerivedNames {
  /** The full name of the record's table in a database. */
  readonly sqlTable: string
  /** The column of `physical_table` with the record that claims the name. */
  readonly claimedBy: 'versionId' | 'helperTableId'
  /** Stored with the name. */
  readonly columns: { readonly inputTableName?: string }
}

/** Counts the security groups that name the record. Grants of all current and future records do not count. */
function countGroups(table: 'area' | 'subarea' | 'version' | 'milestone'): RawBuilder<unknown> {
  const grants = table === 'area' || table === 'subarea' ? 'groupPair' : 'groupMilestone'
  return sql`(SELECT count(DISTINCT groupId) FROM ${sql.table(grants)} WHERE ${sql.ref(`${table}Id`)} = listed.id) AS "groupCount"`
}

const activeOrArchived = ['active', 'archived'] as const
const allStatuses = ['active', 'locked', 'archived'] as const

export const area: RecordKind<'area'> = {
  table: 'area',
  statuses: activeOrArchived,
  columns: sql`listed.allSubareas AS "allCurrentAndFuture", ${countGroups('area')}`,
  nested: subareasOfAreas,
}

export const subarea: RecordKind<'subarea'> = {
  table: 'subarea',
  statuses: activeOrArchived,
  columns: sql`listed.allAreas AS "allCurrentAndFuture", ${countGroups('subarea')}`,
  nested: areasOfSubareas,
}

export const version: RecordKind<'version'> = {
  table: 'version',
  statuses: allStatuses,
  columns: countGroups('version'),
  nested: milestonesOfVersions,
  deriveNames(name) {
    if (!/[\p{L}\p{N}]/u.test(name))
      throw badField('name', 'must hold a letter or a digit, because a table is named after it')
    return { sqlTable: sqlTableName.version(name), claimedBy: 'versionId', columns: {} }
  },
}

export const milestone: RecordKind<'milestone'> = {
  table: 'milestone',
  statuses: allStatuses,
  columns: sql`listed.versionId AS "versionId", listed.listOrder AS "listOrder", ${countGroups('milestone')}`,
}

export const helperTable: RecordKind<'helperTable'> = {
  table: 'helperTable',
  statuses: allStatuses,
  columns: sql`listed.inputTableName AS "inputTableName", listed.allUsers AS "allUsers"`,
  deriveNames(name) {
    const inputName = inputTableName(name)
    if (inputName === '')
      throw badField('name', 'yields no table name, because signs and a leading digit are dropped; add a letter')
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
