/** Where an organisation keeps its own tables: in the database that it named, or in a schema of its place in the warehouse. */
import type { TableSyncCredentials } from '@tributary/contract/table-sync'
import { asTargetProperties } from '../../connections/databases/database-credentials.ts'
import type { Place } from '../../connections/databases/open-target.ts'

const warehouseSchema = 'excel'

/** @param credentials null: the warehouse. */
export function placeOf(organisationId: string, credentials: TableSyncCredentials | null): Place {
  return {
    organisationId,
    settings: credentials === null ? {} : asTargetProperties(credentials),
    schema: warehouseSchema,
  }
}
