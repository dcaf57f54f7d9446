/** The tables of `0004_excel.sql` and `0006_table_sync.sql`, and columns of `0028_table_place.sql`, except those in `schema.ts`. */
import type { Generated } from 'kysely'
import type { JsonColumn, NullableTimeColumn, TimeColumnWithDefault } from './column-types.ts'

/** The columns that all kinds of records of a plan have. */
interface RecordTable {
  id: Generated<string>
  organisationId: string
  name: string
  statusId: Generated<string>
  createdAt: TimeColumnWithDefault
}

/** The database that has the table of the record. */
interface TablePlace {
  tablePlace: string | null
}

export interface CredentialTable {
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

export interface PlanningSchema {
  databaseCredential: CredentialTable
  tableSync: {
    organisationId: string
    writerId: Generated<string>
    fence: Generated<number>
    busyUntil: NullableTimeColumn
    doneAt: NullableTimeColumn
    doneBy: string | null
    place: string | null
    tables: JsonColumn | null
  }

  area: RecordTable & {
    allSubareas: Generated<boolean>
  }

  subarea: RecordTable & {
    allAreas: Generated<boolean>
    listOrder: Generated<number>
  }

  areaSubarea: {
    organisationId: string
    areaId: string
    subareaId: string
  }

  version: RecordTable & TablePlace
  milestone: RecordTable & {
    versionId: string
    listOrder: Generated<number>
  }

  helperTable: RecordTable &
    TablePlace & {
      inputTableName: string
      allUsers: Generated<boolean>
    }

  physicalTable: {
    organisationId: string
    name: string
    versionId: string | null
    helperTableId: string | null
  }

  entity: RecordTable & {
    allUsers: Generated<boolean>
  }

  permissionGroup: RecordTable & {
    revision: Generated<number>
  }

  groupPair: {
    organisationId: string
    groupId: string
    areaId: string | null
    subareaId: string | null
  }

  groupMilestone: {
    organisationId: string
    groupId: string
    versionId: string | null
    milestoneId: string | null
  }

  groupUser: {
    organisationId: string
    groupId: string
    userId: string
  }

  helperTableUser: {
    organisationId: string
    helperTableId: string
    userId: string
  }

  entityUser: {
    organisationId: string
    entityId: string
    userId: string
  }
}
