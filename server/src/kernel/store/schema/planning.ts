/** The tables of `0004_excel.sql` and `0006_table_sync.sql`, except those in `schema.ts`. */
import type { Generated } from 'kysely'
import type { JsonColumn, NullableTimeColumn, TimeColumnWithDefault } from './column-types.ts'

interface AreaTable {
  id: Generated<string>
  organisationId: string
  name: string
  statusId: Generated<string>
  createdAt: TimeColumnWithDefault
  allSubareas: Generated<boolean>
}

interface SubareaTable {
  id: Generated<string>
  organisationId: string
  name: string
  statusId: Generated<string>
  createdAt: TimeColumnWithDefault
  allAreas: Generated<boolean>
  listOrder: Generated<number>
}

interface AreaSubareaTable {
  organisationId: string
  areaId: string
  subareaId: string
}

interface VersionTable {
  id: Generated<string>
  organisationId: string
  name: string
  statusId: Generated<string>
  createdAt: TimeColumnWithDefault
}

interface MilestoneTable {
  id: Generated<string>
  organisationId: string
  name: string
  statusId: Generated<string>
  createdAt: TimeColumnWithDefault
  versionId: string
  listOrder: Generated<number>
}

interface HelperTableTable {
  id: Generated<string>
  organisationId: string
  name: string
  statusId: Generated<string>
  createdAt: TimeColumnWithDefault
  inputTableName: string
  allUsers: Generated<boolean>
}

interface PhysicalTableTable {
  organisationId: string
  name: string
  versionId: string | null
  helperTableId: string | null
}

interface EntityTable {
  id: Generated<string>
  organisationId: string
  name: string
  statusId: Generated<string>
  createdAt: TimeColumnWithDefault
  allUsers: Generated<boolean>
}

interface PermissionGroupTable {
  id: Generated<string>
  organisationId: string
  name: string
  statusId: Generated<string>
  createdAt: TimeColumnWithDefault
  revision: Generated<number>
}

interface GroupPairTable {
  organisationId: string
  groupId: string
  areaId: string | null
  subareaId: string | null
}

interface GroupMilestoneTable {
  organisationId: string
  groupId: string
  versionId: string | null
  milestoneId: string | null
}

interface GroupUserTable {
  organisationId: string
  groupId: string
  userId: string
}

interface HelperTableUserTable {
  organisationId: string
  helperTableId: string
  userId: string
}

interface EntityUserTable {
  organisationId: string
  entityId: string
  userId: string
}

interface DatabaseCredentialTable {
  organisationId: string
  kind: 'mssql' | 'postgres' | 'mysql'
  host: string
  databaseName: string
  schemaName: string
  userName: string
  encryption: 'verify' | 'encrypt' | 'off'
  password: string
  savedBy: string | null
  savedAt: TimeColumnWithDefault
}

interface TableSyncTable {
  organisationId: string
  writerId: Generated<string>
  fence: Generated<number>
  busyUntil: NullableTimeColumn
  doneAt: NullableTimeColumn
  doneBy: string | null
  place: string | null
  tables: JsonColumn | null
}

export interface PlanningSchema {
  databaseCredential: DatabaseCredentialTable
  tableSync: TableSyncTable
  area: AreaTable
  subarea: SubareaTable
  areaSubarea: AreaSubareaTable
  version: VersionTable
  milestone: MilestoneTable
  helperTable: HelperTableTable
  physicalTable: PhysicalTableTable
  entity: EntityTable
  permissionGroup: PermissionGroupTable
  groupPair: GroupPairTable
  groupMilestone: GroupMilestoneTable
  groupUser: GroupUserTable
  helperTableUser: HelperTableUserTable
  entityUser: EntityUserTable
}
